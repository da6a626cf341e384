import {label} from '../../../text/safe.ts';
import {cellWidth, slice, withoutColours} from '../../../text/width/width.ts';
import {keyFor} from '../keys/live-keys.ts';
import type {Scope} from '../program.ts';
import {paint} from '../theme/theme.ts';

/** What is looked for and which of the places was gone to: `/ words 3/17`, with the keys that go on. */
export const findNote = (
	words: string,
	at: {readonly number: number; readonly count: number} | null,
	scope: Scope,
): string =>
	`${paint('accent', '/')} ${label(words, 30)}${at === null ? '' : ` ${paint('own', `${at.number.toLocaleString('en')}/${at.count.toLocaleString('en')}`)}`} ${paint('dim', `${keyFor(`${scope}.findNext`)} next, ${keyFor(`${scope}.findPrevious`)} before`)}`;

/** Smart case: only what was typed with a capital minds capitals. */
const caseOf = (query: string): ((text: string) => string) =>
	query === query.toLowerCase() ? text => text.toLowerCase() : text => text;

/** True when a text may hold what is looked for; quicker than laying it out. */
export const mayHold = (text: string, query: string): boolean => caseOf(query)(text).includes(query);

/** Rows of a text wrapped at `width` that hold what is looked for. What a row's end cuts in two belongs to the row where it begins. */
export const rowsWith = (rows: readonly string[], query: string, width: number): readonly number[] => {
	const fold = caseOf(query);
	const found: number[] = [];
	let next = fold(withoutColours(rows[0] ?? ''));
	for (let at = 0; at < rows.length; at++) {
		const row = next;
		next = fold(withoutColours(rows[at + 1] ?? ''));
		const ends = row.trimEnd();
		const begins = next.trimStart();
		// The next row goes on with this line when its first word had no room here.
		const isCut = cellWidth(ends) + cellWidth(begins.split(' ', 1)[0] ?? '') >= width - 2;
		if (
			row.includes(query) ||
			(isCut &&
				!next.includes(query) &&
				(`${ends}${begins}`.includes(query) || `${ends} ${begins}`.includes(query)))
		)
			found.push(at);
	}
	return found;
};

/** A row with what was found in it standing out; `isCurrent`: it is the place that was gone to. */
export const markFound = (row: string, query: string, isCurrent = true): string => {
	if (query === '') return row;
	const text = withoutColours(row);
	const folded = caseOf(query)(text);
	// Some letters change their length with their case: then the places in the one are not those in the other.
	if (folded.length !== text.length) return row;
	let shown = '';
	let column = 0;
	let from = 0;
	for (let at = folded.indexOf(query); at !== -1; at = folded.indexOf(query, from)) {
		const start = cellWidth(text.slice(0, at));
		const word = text.slice(at, at + query.length);
		shown += slice(row, column, start - column) + paint(isCurrent ? 'selected' : 'busy', word);
		column = start + cellWidth(word);
		from = at + query.length;
	}
	return from === 0 ? row : shown + slice(row, column, cellWidth(text) - column);
};

/** The same for the rows in view, of which the first is row `from` of all; `current`: the row that was gone to. */
export const markingFound =
	(query: string, current: number | null) =>
	(rows: readonly string[], from: number): readonly string[] =>
		rows.map((row, at) => markFound(row, query, from + at === current));
