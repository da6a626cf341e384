import type {CellOutput} from '../../../contract/cells.ts';
import {pictureType} from '../pictures.ts';
import {type Cell} from '../cell.ts';
import type {Picture} from '../../pictures/read-picture.ts';
import type {ColourDepth} from '../../../text/output/picture.ts';
import {lineFrom} from '../../../text/safe.ts';
import {ANSWER_STYLE, type MarkdownEngine} from '../../core/components/markdown.ts';
import {paint, paintedCache} from '../../core/theme/theme.ts';
import {cellLines} from './cell-lines.ts';
import {upgradedNotebook} from '../../../text/notebook/upgraded.ts';
import {joinMultiline} from '../../../text/output/multiline.ts';
import {isRecord} from '../../../text/record.ts';

type NotebookCell =
	| {readonly kind: 'text' | 'markdown'; readonly source: string}
	| {readonly kind: 'code'; readonly cell: Cell};

/** `isPart`: only its beginning was read so far. */
export type Notebook = {
	readonly cells: readonly NotebookCell[];
	readonly problem: string | null;
	readonly isPart?: true;
};

type Fields = Readonly<Record<string, unknown>>;

const cellOf = (each: Fields, id: number): NotebookCell => {
	const source = joinMultiline(each['source']);
	if (each['cell_type'] !== 'code')
		return {kind: each['cell_type'] === 'markdown' ? 'markdown' : 'text', source};
	const outputs = (Array.isArray(each['outputs']) ? each['outputs'] : [])
		.filter(isRecord)
		.filter((one): one is CellOutput => typeof one['output_type'] === 'string');
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

/** The cells of a notebook of nbformat 2 to 4; `value` is its JSON, undefined where that is broken. */
export const notebookOf = (value: unknown): Notebook => {
	const no = (problem: string): Notebook => ({cells: [], problem});
	if (value === undefined) return no('not valid JSON');
	const fields: Fields = isRecord(value) ? value : {};
	const {cells} = upgradedNotebook(fields) ?? fields;
	return Array.isArray(cells)
		? {cells: cells.filter(isRecord).map(cellOf), problem: null}
		: no('no notebook: it has no cells');
};

/** The outputs with a picture, and where they stand. */
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

/** A notebook of which one more picture was read. The other cells stay the same, and so do their rows. */
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

/** How a notebook that is read is laid out. */
export type NotebookFormatter = {
	readonly width: number;
	readonly depth: ColourDepth;
	readonly markdown: MarkdownEngine | null;
	/** Columns of wide tables that are beyond the left edge. */
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
			? markdown.renderMarkdown(markdown.resolvedMarkdown(cell.source), width - 3, ANSWER_STYLE).rows
			: cell.source.split('\n').map(line => lineFrom(line, 0));
	const rows = [...lines.map(line => ` ${line}`), ''];
	laidTexts.set(cell, {width, markdown, rows});
	return rows;
};

/** The rows of a cell: the same array as long as neither it nor what it is laid out for changes. */
export const rowsOfCell = (each: NotebookCell, options: Options): readonly string[] =>
	each.kind === 'code'
		? cellLines(each.cell, {
				width: options.width,
				open: true,
				depth: options.depth,
				pictureRows: 0,
				left: options.left ?? 0,
			})
		: textRows(each, options);

/** Cells of code that are laid out below what is asked for: the key to the next one finds it. */
const BEYOND = 2;

/** How many cells from the first make up so many rows: the others need not be laid out yet. */
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

/** The rows of the cells of a notebook from its first on, at least `most` of them where there are so many. */
export const notebookBlocks = (
	notebook: Notebook,
	options: Options & {readonly most: number},
): readonly (readonly string[])[] =>
	notebook.cells.length === 0
		? [[paint('dim', ' This notebook has no cells.')]]
		: notebook.cells
				.slice(0, cellsFor(notebook, options.most, options))
				.map(each => rowsOfCell(each, options));

/** The rows of those cells of a notebook that have some of `height` rows from one on. */
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

/** A cell of code, and its first row among those of the notebook; of one that is not laid out yet the last row there is. */
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
