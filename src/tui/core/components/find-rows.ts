import {label} from '../../../text/safe.ts';
import {cellWidth, slice, withoutColours} from '../../../text/width/width.ts';
import {keyFor} from '../keys/live-keys.ts';
import type {Scope} from '../program.ts';
import {paint} from '../theme/theme.ts';

/** Search text and number of the current hit, `/ words 3/17`, with keys for other hits. */
export const findNote = (
	words: string,
	at: {readonly number: number; readonly count: number} | null,
	scope: Scope,
): string =>
	`${paint('accent', '/')} ${label(words, 30)}${at === null ? '' : ` ${paint('own', `${at.number.toLocaleString('en')}/${at.count.toLocaleString('en')}`)}`} ${paint('dim', `${keyFor(`${scope}.findNext`)} next, ${keyFor(`${scope}.findPrevious`)} before`)}`;

/** Smart case: case matters only if the query contains a capital. */
const caseOf = (query: string): ((text: string) => string) =>
	query === query.toLowerCase() ? text => text.toLowerCase() : text => text;

/** True if a text may contain the query; faster than wrapping the text into rows. */
export const mayHold = (text: string, query: string): boolean => caseOf(query)(text).includes(query);

/**
 * Indices of the rows that contain the query, in a text wrapped at `width`. A hit that is split
 * between two rows counts for the row in which it starts.
 */
export const rowsWith = (rows: readonly string[], query: string, width: number): readonly number[] => {
	const fold = caseOf(query);
	const found: number[] = [];
	let next = fold(withoutColours(rows[0] ?? ''));
	for (let at = 0; at < rows.length; at++) {
		const row = next;
		next = fold(withoutColours(rows[at + 1] ?? ''));
		const ends = row.trimEnd();
		const begins = next.trimStart();
		// The next row continues this line if the first word of that row did not fit here.
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

/** Row with its hits highlighted. `isCurrent`: true for the row of the current hit. */
export const markFound = (row: string, query: string, isCurrent = true): string => {
	if (query === '') return row;
	const text = withoutColours(row);
	const folded = caseOf(query)(text);
	// Some letters change their length with case, so offsets differ between the two texts.
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

/**
 * Highlights the hits in the visible rows, starting at row `from`. `current`: row of the current
 * hit.
 */
export const markingFound =
	(query: string, current: number | null) =>
	(rows: readonly string[], from: number): readonly string[] =>
		rows.map((row, at) => markFound(row, query, from + at === current));
