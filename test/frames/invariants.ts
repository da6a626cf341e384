// Invariants of a screen, read from its rows as a terminal shows them.
import {cellWidth} from '../../src/text/width/width.ts';
import {glyph} from '../../src/tui/core/theme/glyphs.ts';
import type {Frame} from './files.ts';

type Box = {
	readonly rows: readonly string[];
	/** Indices of the box's first and last row, and of its first and last column. */
	readonly top: number;
	readonly bottom: number;
	readonly left: number;
	readonly right: number;
};

const {answer, topLeft, topRight, bottomLeft, divider} = glyph;
/** Upper left corner with a title. The frame of code in an answer follows the bar of the answer. */
const TITLED = new RegExp(`(?<!${answer} )${topLeft} `);

/** The dialog on a screen, with its frame. Undefined if there is none. */
export const boxOf = (lines: readonly string[]): Box | undefined => {
	const top = lines.findIndex(line => TITLED.test(line));
	if (top < 0) return undefined;
	const first = lines[top] ?? '';
	const corner = first.search(TITLED);
	// A box on the screen behind may end right of the dialog.
	const [left, right] = [corner, first.indexOf(topRight, corner)].map(at =>
		cellWidth(first.slice(0, at)),
	) as [number, number];
	const bottom = lines.findIndex((line, at) => at > top && cellsOf(line)[left] === bottomLeft);
	const rows = lines.slice(top + 1, bottom).map(line =>
		cellsOf(line)
			.slice(left, right + 1)
			.join(''),
	);
	return {rows, top, bottom: bottom < 0 ? lines.length : bottom, left, right};
};

/** Characters by cell; the second cell of a wide character is empty. */
export const cellsOf = (line: string): readonly string[] =>
	[...new Intl.Segmenter().segment(line)].flatMap(({segment}) =>
		cellWidth(segment) === 2 ? [segment, ''] : [segment],
	);

const keysOf = (footer: string): readonly string[] =>
	footer
		.trim()
		.split(/ {2,}/)
		.filter(hint => hint !== '')
		.map(hint =>
			/^(?:\^X|Space) /.test(hint) ? hint.split(' ').slice(0, 2).join(' ') : (hint.split(' ')[0] ?? ''),
		);

const isTwice = (keys: readonly string[]): boolean => new Set(keys).size < keys.length;

/** True if text in a box touches the frame or the scroll mark. */
const touches = (row: string): boolean =>
	!row.startsWith(`${divider} `) ||
	!row.endsWith(` ${divider}`) ||
	new RegExp(`[^ ]${glyph.scroll} ${divider}$`).test(row);

/** True if the keys at the bottom of a box are cut off, which include the key that closes it. */
const isWithoutKeys = ({rows}: Box): boolean =>
	!rows.some(row => new RegExp(`\\besc {1,2}[a-z][^…]* ${divider}$`).test(row));

/** The faults of a screen, in a few words each. */
export const faultsOf = ({
	lines,
	columns,
	rows,
	cursor,
}: Pick<Frame, 'lines' | 'columns' | 'rows' | 'cursor'>): readonly string[] => {
	const footer = lines[rows - 1] ?? '';
	const box = boxOf(lines);
	const keysInBox = footer.includes('The keys are in the box above.');
	return [
		...(lines.some(line => cellWidth(line) > columns) ? ['a row is wider than the screen'] : []),
		...(lines.length > rows ? ['there are more rows than the screen has'] : []),
		...(cursor && !(cursor.x >= 0 && cursor.x < columns && cursor.y >= 0 && cursor.y < rows)
			? [`the cursor is outside, at ${cursor.x},${cursor.y}`]
			: []),
		...(footer.trim() === '' ? ['the footer is empty'] : []),
		...(!keysInBox && isTwice(keysOf(footer)) ? ['the footer has a key twice'] : []),
		...(box?.rows.some(touches) ? ['text touches the side of the box'] : []),
		...(keysInBox && (box === undefined || isWithoutKeys(box)) ? ['the box does not show its keys'] : []),
	];
};
