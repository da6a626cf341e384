// Terminals disagree about the width of emoji, and of joined and combined characters. A cursor move
// after each such character puts the next character into the right column, so that panes and
// dividers are where the layout expects them.
import {eachGrapheme, unitCells} from './graphemes.ts';
import {graphemeCells} from './grapheme-width.ts';

/** Control sequences, strings such as links, and single control characters. */
const CONTROL =
	/\u001B(?:\[([0-?]*)[ -/]*([@-~])|[\]P_^X][^\u0007\u001B]*(?:\u0007|\u001B\\)|[ -/]*[0-~])|[\u0000-\u001F\u007F]/g;

/** True for units that have the same width in all terminals. */
const isCertain = (unit: number): boolean => unit < 0x20 || unit === 0x7f || unitCells(unit) !== 0;

const firstDoubtful = (text: string): number => {
	let at = 0;
	while (at < text.length && isCertain(text.charCodeAt(at))) at++;
	return at;
};

const columnAfter = (
	column: number,
	control: string,
	parameters: string | undefined,
	final: string | undefined,
): number => {
	if (control === '\n' || control === '\r' || final === 'E' || final === 'F') return 0;
	const [first = '', second = ''] = (parameters ?? '').split(';');
	if (final === 'G') return Math.max(1, Number(first)) - 1;
	if (final === 'H') return Math.max(1, Number(second)) - 1;
	return column;
};

/** Adds a cursor move after each character whose width differs between terminals. */
export const pinColumns = (written: string): string => {
	if (firstDoubtful(written) === written.length) return written;
	let column = 0;
	let out = '';
	const walk = (from: number, to: number): void => {
		eachGrapheme(
			written,
			(start, end) => {
				const unit = written.charCodeAt(start);
				const grapheme = written.slice(start, end);
				out += grapheme;
				if (end === start + 1 && isCertain(unit)) {
					column += unitCells(unit);
					return;
				}
				// Ink reserves one cell for a zero-width character.
				column += Math.max(1, graphemeCells(grapheme));
				out += `\u001B[${column + 1}G`;
			},
			from,
			to,
		);
	};
	let at = 0;
	for (const match of written.matchAll(CONTROL)) {
		walk(at, match.index);
		out += match[0];
		column = columnAfter(column, match[0], match[1], match[2]);
		at = match.index + match[0].length;
	}
	walk(at, written.length);
	return out;
};
