// Gutter at the left of a cell's rows: the cell's number beside code, a mark beside a value or an
// error. Code, printed text, values and tracebacks all start at the same column.
import {cut, fit} from '../../../text/width/width.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint, type Role} from '../../core/theme/theme.ts';

export const GUTTER = 7;
/** Number of blank columns before the number or mark. 2 leaves room for a selected cell's sign. */
export type Lead = 1 | 2;

const inGutter = (text: string, lead: Lead): string => {
	const shown = cut(text, GUTTER - 1);
	return fit(' '.repeat(Math.min(lead, GUTTER - 1 - shown.length)) + shown, GUTTER);
};

/** The gutter beside the first row of code. Numbers from 1,000 on have no brackets. */
export const numberGutter = (count: number | string, lead: Lead): string => {
	const number = String(count);
	return inGutter(number.length > 3 ? number : `[${number}]`, lead);
};

/** The gutter beside the first row of a text cell: a word instead of a number. */
export const wordGutter = (word: string): string => inGutter(word, 2);

const MARKS: Readonly<Record<string, readonly [string, Role]>> = {
	execute_result: [glyph.leads, 'accent'],
	error: [glyph.no, 'bad'],
};

/** Width for a renderer whose rows have one blank column at their left. */
export const outputWidth = (width: number): number => width - GUTTER + 1;

const BLANK = ' '.repeat(GUTTER - 1);

/** Puts the gutter before rows that start with one blank column. Blank rows stay empty. */
export const besideGutter = (rows: readonly string[]): readonly string[] =>
	rows.map(row => (row === '' ? '' : BLANK + row));

/** The first row of an output, with the mark of its type. */
export const firstOutputRow = (row: string, type: string, lead: Lead): string => {
	const [mark, role] = MARKS[type] ?? [];
	if (mark === undefined || role === undefined) return row === '' ? '' : BLANK + row;
	return fit(' '.repeat(lead) + paint(role, mark), GUTTER - 1) + row;
};
