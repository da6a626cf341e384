import {block} from '../safe.ts';
import {cut} from '../width/width.ts';
import type {Editor} from '../editor/editor.ts';

/** Pasted text that is shown as a chip, a short placeholder. Offsets are in UTF-16 units. */
export type Fold = {readonly from: number; readonly to: number};

/** Maximum number of pasted lines that are shown in full. */
export const MOST_PASTED_LINES = 10;

/**
 * Folds after an edit of the text. Folds behind the edit move with the text. A fold that the edit
 * touches is unfolded.
 */
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

/** Cursor position outside of all folds. The cursor skips a fold in its direction of movement. */
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

/** Text with a chip in place of each fold, and the cursor's position in it. */
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
