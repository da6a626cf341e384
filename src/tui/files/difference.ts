import {isNotebook} from './content.ts';
import type {DiffLine} from '../../text/columns/diff-lines.ts';

/** What changed in a file: of a notebook cell by cell, of any other line by line. */
export const differenceOf = async (
	path: string,
	before: string,
	after: string,
): Promise<readonly DiffLine[]> => {
	const cells = isNotebook(path)
		? (await import('../../text/notebook/cell-diff.ts')).cellDiff(before, after)
		: null;
	return cells ?? (await import('../../text/columns/diff-lines.ts')).diffLines(before, after);
};
