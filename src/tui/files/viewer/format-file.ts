import type {FileEntry} from '../../../contract/files.ts';
import type {Picture} from '../../pictures/read-picture.ts';
import {csvRows, separatorOf} from '../../../text/columns/csv.ts';
import {alignedRow, columnWidths} from '../../../text/columns/text-table.ts';
import {hexLines} from '../../../text/columns/hex.ts';
import {jsonProblem, layJson} from '../../../text/columns/json-fold.ts';
import {exactIn} from '../../../text/exact-json.ts';
import {pythonJsonIn} from '../../../text/python-json.ts';
import {pictureRows, type PictureStyle} from '../../../text/output/picture.ts';
import {label, lineFrom} from '../../../text/safe.ts';
import {areNumbers, isUnsureBeside} from '../../../text/table/reading.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {markdownRows, type MarkdownEngine} from '../../core/components/markdown.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint, paintCode} from '../../core/theme/theme.ts';
import {LONG_TEXT} from '../content.ts';
import {notText} from './lines.ts';

/** Ways to show a file. */
export type FileKind = 'text' | 'notebook' | 'markdown' | 'table' | 'json' | 'svg' | 'picture' | 'binary';

/**
 * Length of the part of a long table that is formatted, in UTF-16 units. Other long texts are not
 * formatted.
 */
const BEGINNING = 200_000;
const LONGEST_FIELD = 60;
const HEX_BYTES = 4096;
const PICTURES: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'svg']);

const endingOf = ({name, path}: FileEntry): string => (path || name).toLowerCase().split('.').at(-1) ?? '';

export const kindOf = (file: FileEntry): FileKind => {
	const ending = endingOf(file);
	if (file.type === 'notebook') return 'notebook';
	if (typeof file.content !== 'string' || file.format === 'base64')
		return PICTURES.has(ending) ? 'picture' : 'binary';
	if (ending === 'ipynb') return 'notebook';
	if (ending === 'md' || ending === 'markdown') return 'markdown';
	if (ending === 'csv' || ending === 'tsv') return 'table';
	return ending === 'json' || ending === 'svg' ? ending : 'text';
};

export type FormatOptions = {
	readonly width: number;
	readonly height: number;
	readonly pictureStyle: PictureStyle;
	/** Unfolded levels of a JSON file. */
	readonly levels: number;
	/** The Markdown renderer; null until it is loaded. */
	readonly markdown: MarkdownEngine | null;
	readonly picture: Picture | null;
};

/**
 * The parsed value of a JSON file, in which numbers keep their spelling; undefined if the JSON is
 * invalid.
 */
export const jsonOf = (file: FileEntry): unknown => {
	if (typeof file.content !== 'string') return file.content;
	const text = file.content.replace(/^\uFEFF/, '');
	return exactIn(text) ?? pythonJsonIn(text);
};

const problems = new WeakMap<FileEntry, string>();
/** Reason why a JSON file is shown as text, short enough for a title. */
export const jsonProblemOf = (file: FileEntry): string => {
	const known = problems.get(file);
	if (known !== undefined) return known;
	const found = typeof file.content === 'string' ? jsonProblem(file.content) : null;
	const short = found?.replace(/^it (?:is )?/, '').replace(', before its last bracket', '');
	const problem = `not valid JSON${short === undefined ? '' : `: ${label(short, 80)}`}`;
	problems.set(file, problem);
	return problem;
};

/** Whole lines at the start of a long text, and true if more text follows; else the whole text. */
const beginning = (text: string): {readonly text: string; readonly isPart: boolean} =>
	text.length <= LONG_TEXT
		? {text, isPart: false}
		: {text: text.slice(0, text.lastIndexOf('\n', BEGINNING) + 1 || BEGINNING), isPart: true};

/** True if only the start of the file is formatted. */
export const isPartlyFormatted = (kind: FileKind, {content}: FileEntry): boolean =>
	kind === 'table' && typeof content === 'string' && beginning(content).isPart;

/** True if the file is too long to be formatted and is shown as plain text. */
export const isTooLong = (kind: FileKind, {content}: FileEntry): boolean =>
	(kind === 'json' || kind === 'markdown') && typeof content === 'string' && content.length > LONG_TEXT;

const tableLines = (whole: string): readonly string[] => {
	const {text, isPart} = beginning(whole);
	const separator = separatorOf(text);
	const rows = csvRows(text, separator).map(row =>
		row.map(field => label(field.replaceAll('\r\n', '\n'), LONGEST_FIELD)),
	);
	const widths = columnWidths(rows);
	const isUnsure = isUnsureBeside(separator);
	const looked = rows.slice(1, 200);
	const right = widths.map((_, column) =>
		areNumbers(
			looked.map(row => row[column] ?? ''),
			isUnsure,
		),
	);
	const lines = rows.map((row, index) => {
		const line = alignedRow(row, widths, {gap: 3, isRight: column => right[column] === true});
		return ` ${index === 0 ? paint('heading', line) : line}`;
	});
	return isPart
		? [...lines, paint('dim', ' … the rest is too long for columns: the source shows all of it')]
		: lines;
};

const jsonLines = ({content}: FileEntry, levels: number): readonly string[] | null => {
	if (typeof content !== 'string') return null;
	const lines: string[] = [];
	const problem = layJson(content, levels, ({depth, key, text, kind}) => {
		const name = key === null ? '' : `${paintCode('type', label(key))}: `;
		const value =
			kind === 'folded'
				? paint('dim', `${glyph.folded} ${text}`)
				: kind === 'comment'
					? paint('dim', lineFrom(text, 0))
					: lineFrom(text, 0);
		lines.push(` ${'  '.repeat(depth)}${name}${value}`);
	});
	return problem === null ? lines : null;
};

const bytesOf = ({content}: FileEntry): Buffer =>
	typeof content === 'string' ? Buffer.from(content.slice(0, HEX_BYTES * 2), 'base64') : Buffer.alloc(0);

/** Pane width, in cells, from which a row of the hex view shows sixteen bytes. */
const WIDE_HEX = 78;

const binaryLines = (file: FileEntry, {width}: FormatOptions): readonly string[] => {
	const bytes = bytesOf(file).subarray(0, HEX_BYTES);
	const more =
		typeof file.size === 'number' && file.size > bytes.length
			? [paint('dim', ` the first ${bytes.length.toLocaleString('en')} bytes`)]
			: [];
	return [
		...notText(file)
			.flatMap(line => wrap(line, width - 2))
			.map(line => ` ${line}`),
		'',
		...hexLines(bytes, width > WIDE_HEX ? 2 : 1).map(line => ` ${line}`),
		...(bytes.length > 0 ? more : []),
	];
};

const pictureLines = (file: FileEntry, options: FormatOptions): readonly string[] => {
	const {width, height, pictureStyle, picture} = options;
	if (picture === null) return [paint('dim', ' reading the picture …')];
	if ('problem' in picture)
		return [
			paint('bad', ` The picture cannot be shown: ${label(picture.problem, 200)}.`),
			...binaryLines(file, options),
		];
	return [
		paint(
			'dim',
			` ${picture.size}${typeof file.size === 'number' ? `, ${file.size.toLocaleString('en')} bytes` : ''}`,
		),
		...pictureRows(picture.bitmap, width - 2, height - 1, pictureStyle).map(row => ` ${row}`),
	];
};

/**
 * A file in its best form, as rows that are safe to print. Null if plain text is the best form, and
 * for notebooks, which are formatted cell by cell elsewhere.
 */
export const formatFile = (
	kind: FileKind,
	file: FileEntry,
	options: FormatOptions,
): readonly string[] | null => {
	if (isTooLong(kind, file)) return null;
	switch (kind) {
		case 'text':
		case 'notebook':
			return null;
		case 'markdown':
			return options.markdown && typeof file.content === 'string'
				? markdownRows(options.markdown, file.content, options.width - 3).map(line => ` ${line}`)
				: null;
		case 'table':
			return typeof file.content === 'string' ? tableLines(file.content) : null;
		case 'json':
			return jsonLines(file, options.levels);
		case 'svg':
			// An SVG that cannot be drawn is shown as text.
			return options.picture && 'problem' in options.picture ? null : pictureLines(file, options);
		case 'picture':
			return pictureLines(file, options);
		case 'binary':
			return binaryLines(file, options);
	}
};
