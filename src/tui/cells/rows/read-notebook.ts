import type {CellOutput} from '../../../contract/cells.ts';
import {pictureType} from '../pictures.ts';
import {type Cell} from '../cell.ts';
import type {Picture} from '../../pictures/read-picture.ts';
import type {PictureStyle} from '../../../text/output/picture.ts';
import {lineFrom} from '../../../text/safe.ts';
import {markdownRows, type MarkdownEngine} from '../../core/components/markdown.ts';
import {paint, paintedCache} from '../../core/theme/theme.ts';
import {besideGutter, outputWidth} from './gutter.ts';
import {cellLines} from './cell-lines.ts';
import {upgradedNotebook} from '../../../text/notebook/upgraded.ts';
import {savedWidgets} from '../../../text/output/widget.ts';
import {joinMultiline} from '../../../text/output/multiline.ts';
import {isRecord} from '../../../text/record.ts';

type NotebookCell =
	| {readonly kind: 'text' | 'markdown'; readonly source: string}
	| {readonly kind: 'code'; readonly cell: Cell};

/** `isPart`: only the start of the file is loaded. */
export type Notebook = {
	readonly cells: readonly NotebookCell[];
	readonly problem: string | null;
	readonly isPart?: true;
};

type Fields = Readonly<Record<string, unknown>>;

const cellOf = (each: Fields, id: number, withState: (output: CellOutput) => CellOutput): NotebookCell => {
	const source = joinMultiline(each['source']);
	if (each['cell_type'] !== 'code')
		return {kind: each['cell_type'] === 'markdown' ? 'markdown' : 'text', source};
	const outputs = (Array.isArray(each['outputs']) ? each['outputs'] : [])
		.filter(isRecord)
		.filter((one): one is CellOutput => typeof one['output_type'] === 'string')
		.map(withState);
	const count = each['execution_count'];
	const result = {
		cell_type: 'code',
		execution_count: typeof count === 'number' ? count : null,
		metadata: {},
		source,
		outputs,
	};
	return {
		kind: 'code',
		cell: {
			id,
			source,
			state: 'done',
			startedAt: null,
			endedAt: null,
			result,
			failure: null,
			pictures: new Map(),
			earlier: null,
		},
	};
};

/** The cells of a notebook in nbformat 2 to 4. `value`: its JSON; undefined if it is invalid. */
export const notebookOf = (value: unknown): Notebook => {
	const no = (problem: string): Notebook => ({cells: [], problem});
	if (value === undefined) return no('not valid JSON');
	const fields: Fields = isRecord(value) ? value : {};
	const {cells, metadata} = upgradedNotebook(fields) ?? fields;
	const withState = savedWidgets(metadata);
	return Array.isArray(cells)
		? {cells: cells.filter(isRecord).map((each, id) => cellOf(each, id, withState)), problem: null}
		: no('not a notebook: it has no cells');
};

/** The outputs that have a picture, with their positions. */
export const picturesIn = ({
	cells,
}: Notebook): readonly {readonly at: number; readonly output: number; readonly source: CellOutput}[] =>
	cells.flatMap((each, at) =>
		each.kind !== 'code'
			? []
			: (each.cell.result?.outputs ?? []).flatMap((source, output) =>
					pictureType(source) === null ? [] : [{at, output, source}],
				),
	);

/**
 * The notebook with one more decoded picture. All other cells, and their rows, stay the same
 * objects.
 */
export const withPicture = (
	notebook: Notebook,
	{at, output}: {readonly at: number; readonly output: number},
	picture: Picture,
): Notebook => ({
	...notebook,
	cells: notebook.cells.map((each, index) =>
		index === at && each.kind === 'code'
			? {...each, cell: {...each.cell, pictures: new Map(each.cell.pictures).set(output, picture)}}
			: each,
	),
});

/** Options for laying out a notebook that is shown but not edited. */
export type NotebookFormatter = {
	readonly width: number;
	readonly pictureStyle: PictureStyle;
	readonly markdown: MarkdownEngine | null;
	/** Number of columns of wide tables that are scrolled out of view at the left. */
	readonly left?: number;
};
type Options = NotebookFormatter;
type Laid = {
	readonly width: number;
	readonly markdown: MarkdownEngine | null;
	readonly rows: readonly string[];
};
const laidTexts = paintedCache<NotebookCell, Laid>();

const textRows = (
	cell: Exclude<NotebookCell, {readonly kind: 'code'}>,
	{width, markdown}: Options,
): readonly string[] => {
	const known = laidTexts.get(cell);
	if (known?.width === width && known.markdown === markdown) return known.rows;
	const lines =
		cell.kind === 'markdown' && markdown
			? markdownRows(markdown, cell.source, outputWidth(width) - 2)
			: cell.source.split('\n').map(line => lineFrom(line, 0));
	const rows = [...besideGutter(lines.map(line => ` ${line}`)), ''];
	laidTexts.set(cell, {width, markdown, rows});
	return rows;
};

/** The rows of a cell: the same array until the cell or the options change. */
export const rowsOfCell = (each: NotebookCell, options: Options): readonly string[] =>
	each.kind === 'code'
		? cellLines(each.cell, {
				width: options.width,
				open: true,
				pictureStyle: options.pictureStyle,
				pictureRows: 0,
				left: options.left ?? 0,
				// The viewer has a column for the cursor before the rows.
				lead: 1,
			})
		: textRows(each, options);

/** Number of cells laid out below the requested rows, so that a key can move to the next cell. */
const BEYOND = 2;

/** Number of cells that fill this number of rows; later cells need not be laid out yet. */
const cellsFor = ({cells}: Notebook, most: number, options: Options): number => {
	let rows = 0;
	let beyond = 0;
	const end = cells.findIndex(each => {
		if (rows >= most && each.kind === 'code' && ++beyond > BEYOND) return true;
		rows += rowsOfCell(each, options).length;
		return false;
	});
	return end === -1 ? cells.length : end;
};

/** The rows of a notebook from its first cell on: at least `most` rows, if it has that many. */
export const notebookBlocks = (
	notebook: Notebook,
	options: Options & {readonly most: number},
): readonly (readonly string[])[] =>
	notebook.cells.length === 0
		? [[paint('dim', ' This notebook has no cells.')]]
		: notebook.cells
				.slice(0, cellsFor(notebook, options.most, options))
				.map(each => rowsOfCell(each, options));

/**
 * Returns a function of `left` that lays out the cells visible in `height` rows from row `from`.
 */
export const rowsOfCellsAt = (
	{cells}: Notebook,
	options: Options,
	from: number,
	height: number,
): ((left: number) => readonly string[]) => {
	let row = 0;
	const inView = cells.filter(each => {
		if (row >= from + height) return false;
		row += rowsOfCell(each, options).length;
		return row > from;
	});
	return left => inView.flatMap(each => rowsOfCell(each, {...options, left}));
};

/**
 * A code cell with its first row in the notebook. A cell that is not laid out yet gets the last row
 * that is.
 */
export type CodePlace = {readonly row: number; readonly source: string};

export const codePlaces = (
	notebook: Notebook,
	options: Options & {readonly most: number},
): readonly CodePlace[] => {
	const places: CodePlace[] = [];
	const laid = cellsFor(notebook, options.most, options);
	let row = 0;
	for (const [index, each] of notebook.cells.entries()) {
		if (each.kind === 'code' && each.cell.source.trim() !== '')
			places.push({row: index < laid ? row : Math.max(0, row - 1), source: each.cell.source});
		if (index < laid) row += rowsOfCell(each, options).length;
	}
	return places;
};
