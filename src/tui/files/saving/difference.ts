import {isNotebook} from '../content.ts';
import type {DiffLine} from '../../../text/columns/diff-lines.ts';

/** Changes of a file: cell by cell for a notebook, line by line for other files. */
export const differenceOf = async (
	path: string,
	before: string,
	after: string,
): Promise<readonly DiffLine[]> => {
	const cells = isNotebook(path)
		? (await import('../../../text/notebook/cell-diff.ts')).cellDiff(before, after)
		: null;
	return cells ?? (await import('../../../text/columns/diff-lines.ts')).diffLines(before, after);
};

/**
 * Like {@link differenceOf}, except that it returns the whole new text if a change is too large to
 * compare.
 */
export const wholeDifferenceOf: typeof differenceOf = async (path, before, after) => {
	const rows = await differenceOf(path, before, after);
	const {isWhole} = await import('../../../text/columns/diff-lines.ts');
	if (isWhole(rows)) return rows;
	return [
		{kind: 'at', text: before === '' ? 'a new text' : 'the whole new text, which replaces the old one'},
		...after
			.replace(/\n$/, '')
			.split('\n')
			.map(text => ({kind: 'added' as const, text})),
	];
};
