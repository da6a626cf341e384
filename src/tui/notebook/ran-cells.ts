import type {Notebook, NotebookCell} from '../../text/notebook/notebook.ts';

/**
 * Code cells that ran before a cell, in the order of their execution counts. If the cell has no
 * count, or no other count is smaller, the code cells above the cell.
 */
export const cellsRunBefore = (
	{cells}: Pick<Notebook, 'cells'>,
	cell: NotebookCell,
): readonly NotebookCell[] => {
	const code = cells.filter(({kind}) => kind === 'code');
	const {count} = cell;
	const counted =
		count === null
			? []
			: code
					.filter(each => each.count !== null && each.count < count)
					.sort((one, other) => (one.count ?? 0) - (other.count ?? 0));
	return counted.length > 0 ? counted : code.slice(0, Math.max(0, code.indexOf(cell)));
};
