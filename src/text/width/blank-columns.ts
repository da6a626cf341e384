import {cellWidth, slice, withoutColours} from './width.ts';

/** What reads as one thing: words, a cell of a table, a sentence, a rule, up to a wider gap or a line between panes. */
const PARTS = /[^\s│┃▌](?: ?[^\s│┃▌])*/gu;

/** A text whose columns from one up to another are hidden, without what would show there only in part. */
export const blankColumns = (text: string, from: number, to: number): string => {
	const bare = withoutColours(text);
	return [...bare.matchAll(PARTS)].reduce((shown, {0: part, index}) => {
		const start = cellWidth(bare.slice(0, index));
		const end = start + cellWidth(part);
		const isCut = start < to && end > from && (start < from || end > to);
		return isCut
			? slice(shown, 0, start) + ' '.repeat(end - start) + slice(shown, end, Number.MAX_SAFE_INTEGER)
			: shown;
	}, text);
};
