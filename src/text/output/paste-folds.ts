import {block} from '../safe.ts';
import {cut} from '../width/width.ts';
import type {Editor} from '../editor/editor.ts';

/** Pasted part of a text that is shown as one chip. UTF-16 offsets. */
export type Fold = {readonly from: number; readonly to: number};

/** Limit of lines beyond which pasted text is folded. */
export const MOST_PASTED_LINES = 10;

/** Folds of a text after an edit. Folds after the edit move; a fold that it touches opens. */
export const foldsAfter = (folds: readonly Fold[], before: string, after: string): readonly Fold[] => {
	if (folds.length === 0 || before === after) return folds;
	const most = Math.min(before.length, after.length);
	let start = 0;
	while (start < most && before[start] === after[start]) start++;
	let end = 0;
	while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
	const changedTo = before.length - end;
	return folds.flatMap(({from, to}) => {
		if (to <= start) return [{from, to}];
		if (from >= changedTo)
			return [{from: from + after.length - before.length, to: to + after.length - before.length}];
		return [];
	});
};

/** Cursor position outside of chips: a chip is skipped in the direction of movement. */
export const outsideFolds = (folds: readonly Fold[], cursor: number, cameFrom: number): number => {
	const fold = folds.find(({from, to}) => cursor > from && cursor < to);
	if (fold === undefined) return cursor;
	return cameFrom >= fold.to ? fold.from : fold.to;
};

const chip = (text: string): string => {
	const lines = text.replace(/\n$/, '').split('\n');
	const size = Buffer.byteLength(text);
	return `[${lines.length} lines, ${size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} K`}: ${cut(
		block(
			lines
				.find(line => line.trim() !== '')
				?.trim()
				.slice(0, 200) ?? '',
		),
		24,
	)}]`;
};

/** Text and cursor as they are shown, each fold as its chip. */
export const withChips = (
	{text, cursor}: Pick<Editor, 'text' | 'cursor'>,
	folds: readonly Fold[],
): {readonly text: string; readonly cursor: number} => {
	let shown = '';
	let place = cursor;
	let at = 0;
	for (const {from, to} of folds) {
		const mark = chip(text.slice(from, to));
		shown += text.slice(at, from) + mark;
		if (cursor >= to) place += mark.length - (to - from);
		at = to;
	}
	return {text: shown + text.slice(at), cursor: place};
};
