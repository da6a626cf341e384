// Decodes the pictures in bytes that were written to a terminal.
import {PNG} from 'pngjs';

/** RGBA, row by row; undrawn pixels are 0 0 0 0. */
export type DrawnPicture = {
	readonly width: number;
	readonly height: number;
	pixel(x: number, y: number): readonly number[];
};

const ofPixels = (width: number, height: number, data: Uint8Array): DrawnPicture => ({
	width,
	height,
	pixel: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)],
});

const ofPng = (base64: string): DrawnPicture => {
	const {width, height, data} = PNG.sync.read(Buffer.from(base64, 'base64'));
	return ofPixels(width, height, data);
};

/**
 * An image of kitty's graphics protocol: the keys of its first command, and its PNG once the last
 * piece has arrived.
 */
export type KittyImage = {
	readonly keys: Readonly<Record<string, string>>;
	readonly picture: DrawnPicture | null;
};

/** The commands of kitty's graphics protocol, in order. */
export const kittyCommands = (written: string): readonly KittyImage[] => {
	const found: KittyImage[] = [];
	let open: {keys: Record<string, string>; data: string} | null = null;
	for (const [, head = '', data = ''] of written.matchAll(
		/\u001B_G([^;\u001B]*)(?:;([^\u001B]*))?\u001B\\/g,
	)) {
		const keys = Object.fromEntries(head.split(',').map(pair => pair.split('=') as [string, string]));
		if (open) open.data += data;
		else open = {keys, data};
		if (keys['m'] === '1') continue;
		const isPng = open.keys['f'] === '100' && open.data !== '';
		found.push({keys: open.keys, picture: isPng ? ofPng(open.data) : null});
		open = null;
	}
	return found;
};

/**
 * The first diacritics of kitty's placeholders, in the order of its documentation. Their indices
 * are rows and columns.
 */
const MARKS = [
	0x305, 0x30d, 0x30e, 0x310, 0x312, 0x33d, 0x33e, 0x33f, 0x346, 0x34a, 0x34b, 0x34c, 0x350, 0x351, 0x352,
	0x357, 0x35b, 0x363, 0x364, 0x365, 0x366, 0x367, 0x368, 0x369, 0x36a, 0x36b, 0x36c, 0x36d, 0x36e, 0x36f,
	0x483, 0x484, 0x485, 0x486, 0x487, 0x592, 0x593, 0x594, 0x595, 0x597, 0x598, 0x599, 0x59c, 0x59d, 0x59e,
	0x59f, 0x5a0, 0x5a1, 0x5a8, 0x5a9, 0x5ab, 0x5ac, 0x5af, 0x5c4, 0x610, 0x611, 0x612, 0x613, 0x614, 0x615,
	0x616, 0x617, 0x657, 0x658, 0x659, 0x65a, 0x65b, 0x65d, 0x65e, 0x6d6, 0x6d7, 0x6d8, 0x6d9, 0x6da, 0x6db,
	0x6dc, 0x6df, 0x6e0, 0x6e1, 0x6e2, 0x6e4, 0x6e7, 0x6e8, 0x6eb, 0x6ec, 0x730, 0x732, 0x733, 0x735, 0x736,
];

/**
 * A cell of the screen that shows a part of an image: its position on the screen, and its row and
 * column in the image.
 */
export type PlaceholderCell = {
	readonly x: number;
	readonly y: number;
	readonly id: number;
	readonly row: number;
	readonly column: number;
};

/** The placeholders of kitty's graphics protocol on a screen, decoded as the terminal does. */
export const placeholdersOn = (
	terminal: {cell(column: number, row: number): string; colour(column: number, row: number): number | null},
	columns: number,
	rows: number,
): readonly PlaceholderCell[] => {
	const found: PlaceholderCell[] = [];
	for (let y = 0; y < rows; y++)
		for (let x = 0; x < columns; x++) {
			const [base, row, column, ...more] = [...terminal.cell(x, y)].map(each => each.codePointAt(0) ?? 0);
			if (base !== 0x10eeee) continue;
			if (more.length > 0) throw new Error('a placeholder has too many marks');
			found.push({
				x,
				y,
				id: terminal.colour(x, y) ?? 0,
				row: MARKS.indexOf(row ?? 0),
				column: MARKS.indexOf(column ?? 0),
			});
		}
	return found;
};

/** The last inline image of iTerm2's protocol. */
export const inlineImageIn = (
	written: string,
): {readonly keys: Readonly<Record<string, string>>; readonly picture: DrawnPicture} | null => {
	const [, head = '', data = ''] =
		[...written.matchAll(/\u001B\]1337;File=([^:]*):([^\u0007]*)\u0007/g)].at(-1) ?? [];
	return head === ''
		? null
		: {
				keys: Object.fromEntries(head.split(';').map(pair => pair.split('=') as [string, string])),
				picture: ofPng(data),
			};
};

/** The last picture in sixels. */
export const sixelIn = (written: string): DrawnPicture | null => {
	const [, width = '', height = '', body = ''] =
		[...written.matchAll(/\u001BP[\d;]*q"1;1;(\d+);(\d+)([^\u001B]*)\u001B\\/g)].at(-1) ?? [];
	if (width === '') return null;
	const size = {width: Number(width), height: Number(height)};
	const data = new Uint8Array(size.width * size.height * 4);
	const colours = new Map<number, readonly number[]>();
	let [x, top, colour] = [0, 0, 0];
	for (const [token] of body.matchAll(/#\d+(?:;\d+){0,4}|!\d+[?-~]|[?-~$-]/g)) {
		if (token === '$') x = 0;
		else if (token === '-') [x, top] = [0, top + 6];
		else if (token.startsWith('#')) {
			const [index = 0, kind, ...parts] = token.slice(1).split(';').map(Number);
			if (kind === 2)
				colours.set(
					index,
					parts.map(part => Math.round((part * 255) / 100)),
				);
			colour = index;
		} else {
			const count = token.startsWith('!') ? Number(token.slice(1, -1)) : 1;
			const bits = (token.codePointAt(token.length - 1) ?? 63) - 63;
			for (let end = x + count; x < end; x++)
				for (let row = 0; row < 6; row++)
					if (bits & (1 << row)) {
						if (x >= size.width || top + row >= size.height) throw new Error(`beyond the picture: ${x}`);
						data.set([...(colours.get(colour) ?? [0, 0, 0]), 255], ((top + row) * size.width + x) * 4);
					}
		}
	}
	return ofPixels(size.width, size.height, data);
};
