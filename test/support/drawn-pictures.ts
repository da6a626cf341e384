// Reads the pictures in what was written to a terminal, as the terminal would.
import {PNG} from 'pngjs';

/** RGBA, row by row; what is not drawn is 0 0 0 0. */
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

/** One image of kitty's graphics: the keys of its first command, and its PNG once the last piece has come. */
export type KittyImage = {
	readonly keys: Readonly<Record<string, string>>;
	readonly picture: DrawnPicture | null;
};

/** The commands of kitty's graphics in the order in which they came. */
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

/** The last inline image of iTerm2's. */
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
