// The rows of a notebook's cell. An unchanged cell is laid out once.
import type {NotebookCell} from '../../text/notebook/notebook.ts';
import {lineFrom} from '../../text/safe.ts';
import {markdownRows, markdownEngine, type MarkdownEngine} from '../core/components/markdown.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {paint, paintedCache} from '../core/theme/theme.ts';
import type {Picture} from '../pictures/read-picture.ts';
import {besideGutter, outputWidth} from '../cells/rows/gutter.ts';
import {cellLines} from '../cells/rows/cell-lines.ts';
import type {Cell} from '../cells/cell.ts';
import {isPendingRun, type OpenNotebook, type Run} from './open-notebook.ts';
import {pictureOfOutput} from './output-pictures.ts';
import type {LayoutArea} from './layout-area.ts';

const picturesOf = (outputs: readonly object[]): ReadonlyMap<number, Picture> =>
	new Map(
		outputs.flatMap((output, index) => {
			const picture = pictureOfOutput(output);
			return picture === undefined ? [] : [[index, picture] as const];
		}),
	);

type Shown = {readonly run: Run | undefined; readonly pictures: number; readonly cell: Cell};
const shownCells = new WeakMap<NotebookCell, Shown>();

/** A code cell in the form that the REPL draws. */
export const shownCell = (cell: NotebookCell, run: Run | undefined): Cell => {
	const outputs = isPendingRun(run) ? (run?.result?.outputs ?? []) : cell.outputs;
	const pictures = picturesOf(outputs);
	const known = shownCells.get(cell);
	if (known !== undefined && known.run === run && known.pictures === pictures.size) return known.cell;
	const made: Cell = {
		id: cell.key,
		source: cell.source,
		state: run?.state ?? 'done',
		startedAt: run?.startedAt ?? null,
		endedAt: run?.endedAt ?? null,
		result: {
			cell_type: 'code',
			execution_count: isPendingRun(run) ? null : cell.count,
			metadata: {},
			source: cell.source,
			outputs: [...outputs],
		},
		failure: run?.failure ?? null,
		pictures,
		earlier: null,
	};
	shownCells.set(cell, {run, pictures: pictures.size, cell: made});
	return made;
};

type Laid = {
	readonly width: number;
	readonly markdown: MarkdownEngine | null;
	readonly rows: readonly string[];
};
const laidTexts = paintedCache<NotebookCell, Laid>();

/** Rendered Markdown, or raw text unchanged. */
const textRows = (cell: NotebookCell, width: number): readonly string[] => {
	const markdown = markdownEngine() ?? null;
	const known = laidTexts.get(cell);
	if (known?.width === width && known.markdown === markdown) return known.rows;
	const lines =
		cell.source.trim() === ''
			? [paint('dim', cell.kind === 'raw' ? 'an empty raw cell' : 'an empty Markdown cell')]
			: cell.kind === 'markdown' && markdown !== null
				? markdownRows(markdown, cell.source, outputWidth(width) - 2)
				: cell.source.split('\n').map(line => lineFrom(line, 0));
	const rows = [...besideGutter(lines.map(line => ` ${line}`)), ''];
	laidTexts.set(cell, {width, markdown, rows});
	return rows;
};

type Hidden = {readonly of: readonly string[]; readonly rows: readonly string[]};
const hiddenRows = paintedCache<Cell, Hidden>();

/** Maximum number of rows of a folded picture, in a view of this height. */
export const pictureRowsIn = (height: number): number => Math.max(4, height - 5);

const codeRows = (
	cell: NotebookCell,
	open: OpenNotebook,
	{width, height, pictureStyle, inText = null}: LayoutArea,
): readonly string[] => {
	const shown = shownCell(cell, open.runs.get(cell.key));
	const look = {
		width,
		pictureStyle,
		open: open.unfolded.has(cell.key),
		pictureRows: pictureRowsIn(height),
		inText,
		left: open.sideways.get(cell.key) ?? 0,
		unfoldKey: keyFor('notebook.fold'),
		figureKey: keyFor('notebook.place'),
	};
	if (!open.hidden.has(cell.key) || cell.outputs.length === 0) return cellLines(shown, look);
	const all = cellLines(shown, look);
	const known = hiddenRows.get(shown);
	if (known?.of === all) return known.rows;
	const bare = cellLines({...shown, result: shown.result && {...shown.result, outputs: []}}, look);
	const count = cell.outputs.length;
	const words = ` ${count} output${count === 1 ? '' : 's'} hidden`;
	const rows = [...bare.slice(0, -1), ...besideGutter([paint('dim', words)]), ''];
	hiddenRows.set(shown, {of: all, rows});
	return rows;
};

export const rowsOf = (cell: NotebookCell, open: OpenNotebook, room: LayoutArea): readonly string[] =>
	cell.kind === 'code' ? codeRows(cell, open, room) : textRows(cell, room.width);
