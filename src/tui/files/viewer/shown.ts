import type {FileEntry} from '../../../contract/files.ts';
import {createLineIndex, type LineIndex} from '../../../text/columns/line-index.ts';
import type {ViewportText, Window} from '../../../text/columns/viewport.ts';
import {label} from '../../../text/safe.ts';
import type {Picture} from '../../pictures/read-picture.ts';
import {markdownEngine, type MarkdownEngine} from '../../core/components/markdown.ts';
import type {State} from '../../core/program.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {currentAppearance, type Appearance} from '../../core/theme/theme.ts';
import {notebookIn, pictureOf} from './pictures.ts';
import {
	isPartlyFormatted,
	isTooLong,
	jsonProblemOf,
	kindOf,
	formatFile,
	type FileKind,
} from './format-file.ts';
import {isFullyFormatted, textOfRows} from './format-rest.ts';
import {
	codePlaces,
	notebookBlocks,
	rowsOfCellsAt,
	type CodePlace,
	type NotebookFormatter,
	type Notebook,
} from '../../cells/rows/read-notebook.ts';
import {gutterOf, laidSheetOf, sheetOf} from './lines.ts';
import {fileShown, lineIndexOf, type Viewer} from './open-file.ts';

/** A formatted file: its rows, and their text without colours for searches. */
export type FormattedFile = {
	/** True if only the start of the file is formatted. */
	readonly isPart: boolean;
	readonly rows: readonly string[];
	readonly index: LineIndex;
	readonly code: readonly CodePlace[];
	/**
	 * Notebooks only: returns the cells' rows that are visible, `height` rows from row `from` on.
	 * `left`: number of table columns scrolled beyond the left edge.
	 */
	readonly rowsAt?: (from: number, height: number) => (left: number) => readonly string[];
};

/**
 * The open file in its best form and the visible window, before colours and matches are added. Null
 * if there is nothing to show yet.
 */
export type Shown = {
	readonly sheet: ViewportText;
	readonly window: Window;
	readonly kind: FileKind;
	/** The formatted file; null if the file is shown as plain text. */
	readonly laid: FormattedFile | null;
	/** True if the file is shown formatted, without line numbers. */
	readonly isLaidOut: boolean;
	/** True if only the start of the file is formatted. */
	readonly isPart: boolean;
	/** Code cells of a formatted notebook. */
	readonly code: readonly CodePlace[];
	/**
	 * Options for formatting the rest of a notebook, while the view waits for that rest; else null.
	 */
	readonly rest: NotebookFormatter | null;
	/** Reason why a file is shown as plain text although its kind can be formatted; else null. */
	readonly problem: string | null;
} | null;

type Room = {readonly width: number; readonly height: number};

const layOut = lastResult(
	(
		file: FileEntry,
		kind: FileKind,
		width: number,
		height: number,
		pictureStyle: State['pictureStyle'],
		levels: number,
		markdown: MarkdownEngine | null,
		picture: Picture | null,
		notebook: Notebook | null,
		most: number,
		left: number,
		_look: Appearance,
	): FormattedFile | null => {
		const blocks =
			notebook?.problem === null
				? notebookBlocks(notebook, {width, pictureStyle, markdown, most, left})
				: [formatFile(kind, file, {width, height, pictureStyle, levels, markdown, picture})];
		if (!blocks.every(each => each !== null)) return null;
		const rows = blocks.flat();
		const index = createLineIndex(blocks.map(textOfRows).join('\n'));
		index.advance(Infinity);
		return {
			isPart: isPartlyFormatted(kind, file),
			rows,
			index:
				notebook === null || (rows.length < most && !notebook.isPart) ? index : {...index, complete: false},
			code: notebook ? codePlaces(notebook, {width, pictureStyle, markdown, most, left}) : [],
			...(notebook && {
				rowsAt: (from, rowCount) =>
					rowsOfCellsAt(notebook, {width, pictureStyle, markdown, left}, from, rowCount),
			}),
		};
	},
);

const FIRST_ROWS = 200;
/** Number of rows that can be formatted within a frame. */
const AT_ONCE = 6000;
/** The notebook that was drawn last. */
let drawn:
	{readonly file: FileEntry; readonly options: NotebookFormatter; readonly laid: FormattedFile} | undefined;

type Extent = {readonly most: number; readonly isFar: boolean; readonly meanwhile: FormattedFile | null};
const mosts = new WeakMap<FileEntry, number>();
/**
 * Number of rows to format: all rows seen so far, and more as the user scrolls. A jump to the end,
 * a search and a change of width far down need all rows. If those take longer than a frame, the
 * previous drawing stays on screen until they are ready.
 */
const extentOf = (
	file: FileEntry,
	{top, find}: Viewer,
	options: NotebookFormatter,
	height: number,
): Extent => {
	const isWhole = isFullyFormatted(file, options);
	const known = mosts.get(file) ?? FIRST_ROWS;
	const isOtherWidth = drawn?.file === file && drawn.options.width !== options.width;
	if (drawn && isOtherWidth && !isWhole && drawn.laid.rows.length > AT_ONCE)
		return {most: known, isFar: true, meanwhile: drawn.laid};
	const needed = find === null ? top.line + 2 * height : Number.MAX_SAFE_INTEGER;
	const isFar = needed > known + AT_ONCE && !isWhole;
	const more = isFar ? AT_ONCE : Math.max(needed, known + AT_ONCE);
	const most = needed > known ? Math.max(known, more) : known;
	mosts.set(file, most);
	return {most, isFar, meanwhile: null};
};

const problemOf = (
	kind: FileKind,
	file: FileEntry,
	notebook: Notebook | null,
	picture: Picture | null,
): string | null => {
	if (isTooLong(kind, file)) return 'longer than 1 MB';
	if (kind === 'notebook') return notebook?.problem ?? null;
	if (kind === 'svg') return picture && 'problem' in picture ? label(picture.problem, 60) : null;
	return kind === 'json' ? jsonProblemOf(file) : null;
};

const PLAIN = {spansOf: () => [], find: null, match: null};

export const shownOf = (
	viewer: Viewer | undefined,
	pictureStyle: State['pictureStyle'],
	{width, height}: Room,
): Shown => {
	const file = viewer && fileShown(viewer);
	if (viewer === undefined || file === undefined) return null;
	const kind = kindOf(file);
	const isRaw = viewer.raw && kind !== 'binary' && kind !== 'picture';
	const notebook = kind === 'notebook' ? notebookIn(file) : null;
	const markdown = markdownEngine() ?? null;
	const picture = pictureOf(file);
	const options: NotebookFormatter = {width, pictureStyle, markdown};
	const {most, isFar, meanwhile} =
		notebook === null || isRaw
			? {most: Infinity, isFar: false, meanwhile: null}
			: extentOf(file, viewer, options, height);
	const laid = isRaw
		? null
		: (meanwhile ??
			layOut(
				file,
				kind,
				width,
				height,
				pictureStyle,
				viewer.levels,
				markdown,
				picture,
				notebook,
				most,
				notebook === null ? 0 : viewer.left,
				currentAppearance(),
			));
	if (notebook !== null && laid !== null && meanwhile === null) drawn = {file, options, laid};
	const index = laid?.index ?? lineIndexOf(file);
	if (index === null) return null;
	const isLaidOut = laid !== null;
	return {
		sheet: laid ? laidSheetOf(laid, PLAIN) : sheetOf(index, PLAIN),
		window: {
			// The last column is reserved for the scroll mark.
			room: Math.max(4, width - 1 - (isLaidOut ? 0 : gutterOf(index))),
			height,
			wrapped: !isLaidOut && viewer.wrapped,
			// Only the tables of a notebook scroll sideways.
			left: isLaidOut && notebook !== null ? 0 : viewer.left,
		},
		kind,
		laid,
		isLaidOut,
		isPart: laid?.isPart ?? false,
		code: laid?.code ?? [],
		rest: isFar && (meanwhile !== null || !index.complete) ? options : null,
		problem: isRaw || isLaidOut ? null : problemOf(kind, file, notebook, picture),
	};
};
