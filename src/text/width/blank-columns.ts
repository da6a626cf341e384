import {cellWidth, slice, withoutColours} from './width.ts';

/** Unit of text: words, a table cell, a rule. A wider gap or a divider ends it. */
const PARTS = /[^\s│┃▌](?: ?[^\s│┃▌])*/gu;

/** Blanks each unit of text that the hidden columns between `from` and `to` would cut. */
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
