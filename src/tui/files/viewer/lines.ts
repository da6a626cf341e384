import type {FileEntry} from '../../../contract/files.ts';
import type {Viewer} from './open-file.ts';
import type {Span} from '../../../text/python/code-language.ts';
import type {Find} from '../../../text/columns/find.ts';
import type {LineIndex} from '../../../text/columns/line-index.ts';
import {label, lineFrom} from '../../../text/safe.ts';
import {
	lowestTop,
	rowsFrom,
	clampTop,
	type ViewportText,
	type Window,
} from '../../../text/columns/viewport.ts';
import {cellWidth, cut, slice} from '../../../text/width/width.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint, paintCode} from '../../core/theme/theme.ts';
import {tableFileKind} from '../../../tables/read-table-file.ts';

/** Text that replaces the content of a file that is not text. */
export const notText = (file: FileEntry): readonly string[] => [
	`${label(file.name)} is not text${file.mimetype ? ` but ${label(file.mimetype, 60)}` : ''}${typeof file.size === 'number' ? `, ${file.size.toLocaleString('en')} bytes` : ''}.`,
	...(tableFileKind(file.path || file.name) === null
		? []
		: [`${keyFor('viewer.table')} opens it as a table.`]),
	`${keyFor('tree.download')} in the tree saves it here unchanged.`,
];

/** Colours and matches of a text, as far as they are computed. */
type Marks = {
	/** Colours of a line; empty until they are computed. */
	readonly spansOf: (line: number) => readonly Span[];
	readonly find: Find | null;
	/** Offset of the current match. */
	readonly match: number | null;
};

/** A text with its colours and matches. */
export const sheetOf = (index: LineIndex, {spansOf, find, match}: Marks): ViewportText => ({
	index,
	draw(line, from, to, column) {
		const raw = index.text.slice(from, to);
		const spans = spansOf(line);
		const found = find?.within(from, to) ?? [];
		if (spans.length === 0 && found.length === 0) return lineFrom(raw, column);
		const start = index.start(line);
		const edges = new Set([from, to]);
		for (const [first, last] of spans) edges.add(start + first).add(start + last);
		for (const [first, last] of found) edges.add(first).add(last);
		const cuts = [...edges].filter(each => each >= from && each <= to).sort((a, b) => a - b);
		let at = column;
		let out = '';
		for (const [number, cut] of cuts.slice(0, -1).entries()) {
			const shown = lineFrom(index.text.slice(cut, cuts[number + 1]), at);
			at += cellWidth(shown);
			const hit = found.find(([first, last]) => cut >= first && cut < last);
			const span = spans.find(([first, last]) => cut - start >= first && cut - start < last);
			const coloured = span ? paintCode(span[2], shown) : shown;
			// The current match must differ from the other matches even without colours.
			out += hit
				? paint('selected', hit[0] === match ? paint('own', shown) : paint('busy', shown))
				: coloured;
		}
		return out;
	},
});

/** A formatted file: rows with matches are highlighted, all other rows are unchanged. */
export const laidSheetOf = (
	{rows, index}: {readonly rows: readonly string[]; readonly index: LineIndex},
	{find, match}: Pick<Marks, 'find' | 'match'>,
): ViewportText => {
	const plain = sheetOf(index, {spansOf: () => [], find, match});
	return {
		index,
		draw(line, from, to, column) {
			const isWhole = from === index.start(line) && to === index.end(line);
			return isWhole && (find === null || find.within(from, to).length === 0)
				? (rows[line] ?? '')
				: plain.draw(line, from, to, column);
		},
	};
};

/** Width of the line numbers with their margins, in cells. */
export const gutterOf = (index: LineIndex): number => String(index.count).length + 3;

const MORE = '…';

/** Puts an ellipsis at each edge of the view beyond which an unwrapped line continues. */
const endsMarked = (text: string, {left, room}: Window): string => {
	const end = cellWidth(text) > room ? slice(text, 0, room - 1) + paint('dim', MORE) : text;
	return left > 0 && text !== '' ? paint('dim', MORE) + slice(end, 1, room - 1) : end;
};

/** The visible lines with their numbers, scrolled sideways or wrapped. */
export const viewerLines = (
	sheet: ViewportText,
	{top, line: goal, mark}: Pick<Viewer, 'top' | 'line' | 'mark'>,
	window: Window,
	isLaidOut = false,
): readonly string[] => {
	if (isLaidOut) {
		const {left, room} = window;
		return rowsFrom(sheet, clampTop(sheet, top, window), window).map(({line, text}) => {
			const whole = sheet.draw(line, sheet.index.start(line), sheet.index.end(line), 0);
			const shown = cut(whole, left + room) === whole ? text : slice(text, 0, room - 1) + paint('dim', '…');
			return (line === goal ? paint('accent', glyph.cursor) : ' ') + shown;
		});
	}
	const digits = gutterOf(sheet.index) - 3;
	// Requests one cell more than is visible, which shows whether a line continues beyond the edge.
	const seen = window.wrapped ? window : {...window, room: window.room + 1};
	const [low, high] = mark ? [Math.min(mark.from, mark.to), Math.max(mark.from, mark.to)] : [-1, -1];
	return rowsFrom(sheet, clampTop(sheet, top, window), seen).map(({line, isFirst, text}) => {
		const isMarked = line >= low && line <= high;
		const number = isFirst ? String(line + 1).padStart(digits) : ' '.repeat(digits);
		const side = isMarked
			? paint('accent', glyph.answer)
			: line === goal && isFirst
				? paint('accent', glyph.cursor)
				: ' ';
		return `${side}${isMarked || line === goal ? paint('own', number) : paint('dim', number)}  ${window.wrapped ? text : endsMarked(text, window)}`;
	});
};

/** Scroll position for the scroll mark, in lines: the total number of wrapped rows is unknown. */
export const scrolledTo = (
	{top}: Pick<Viewer, 'top'>,
	{sheet, window}: {readonly sheet: ViewportText; readonly window: Window},
	width: number,
) => {
	const {height} = window;
	const {line} = clampTop(sheet, top, window);
	const isAtEnd = line >= lowestTop(sheet, window).line;
	const count = Math.max(sheet.index.count, line + height + (isAtEnd ? 0 : 1));
	return {from: isAtEnd ? count - height : line, height, count, width};
};
