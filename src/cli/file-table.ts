import {bytesOf} from '../api/file-bytes.ts';
import {nearestWord} from '../query/nearest-word.ts';
import {openFile} from '../tables/open-file.ts';
import {ENCODINGS} from '../text/encoding.ts';
import {joinNames} from '../text/join-names.ts';
import {label} from '../text/safe.ts';
import {sortRows, type Sort} from '../text/table/arrange.ts';
import {columnFormatOf, shownField, shownName} from '../text/table/column-format.ts';
import type {Table} from '../text/table/table.ts';
import {DECIMAL_CHOICES, formatIn, QUOTE_CHOICES, SEPARATOR_CHOICES} from '../text/table/text-format.ts';
import {PLAIN} from '../text/table/values.ts';
import {columnNamed, parseWhere, rowsWhere} from '../text/table/where.ts';
import type {Work} from '../text/table/work.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {exactJson} from './json.ts';
import {askServer, whenNotFound} from './on-server.ts';
import {numberOf} from './option-values.ts';
import {printJson, printNotice} from './print.ts';
import {tableText, type Column} from './table.ts';

type TableOptions = {
	readonly table?: string;
	readonly sort?: string;
	readonly where?: readonly string[];
	readonly rows?: string;
	readonly columns?: string;
	readonly encoding?: string;
	readonly separator?: string;
	readonly quote?: string;
	readonly decimal?: string;
};

const ROWS = 100;

const finish = <T>(work: Work<T>, signal: AbortSignal): T => {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
		signal.throwIfAborted();
	}
};

const noColumn = (option: string, name: string, names: readonly string[]): CommandError => {
	const near = nearestWord(name, names);
	return usageError(
		`${option}: the table has no column ${JSON.stringify(name)}${near === undefined ? '.' : `; did you mean ${label(near, 60)}?`}`,
		`Its columns are ${joinNames(names.slice(0, 40).map(each => label(each, 60)))}${names.length > 40 ? ', and more' : ''}.`,
	);
};

const columnOf = (option: string, {names}: Table, typed: string): number => {
	const found = columnNamed(names, typed);
	if (found === -1) throw noColumn(option, typed, names);
	return found;
};

const sortOf = (table: Table, typed: string): Sort => {
	// Checks the whole text first, because a column name may start with a minus.
	const isDown = typed.startsWith('-') && columnNamed(table.names, typed) === -1;
	const column = columnOf('--sort', table, isDown ? typed.slice(1) : typed);
	return {column, direction: isDown ? 'down' : 'up'};
};

/** Column names as keys of JSON: unique and not empty. */
const keysOf = (table: Table): readonly string[] => {
	const used = new Map<string, number>();
	return table.names.map((name, column) => {
		const key = name === '' ? `column ${column + 1}` : name;
		const count = (used.get(key) ?? 0) + 1;
		used.set(key, count);
		return count === 1 ? key : `${key} (${count})`;
	});
};

/** A field as JSON. Null if it is empty. In a column of numbers, a number with all its digits. */
const jsonOf = (text: string, isNumber: boolean): unknown =>
	text === '' ? null : isNumber && PLAIN.test(text) && !/^-?0\d/.test(text) ? exactJson(text) : text;

/** Label of an encoding. @throws {CommandError} if it is unknown. */
const encodingOf = (typed: string | undefined): string | null => {
	if (typed === undefined) return null;
	try {
		return new TextDecoder(typed).encoding;
	} catch {
		throw usageError(
			`--encoding ${JSON.stringify(typed)} is not a known encoding.`,
			`Some are ${joinNames([...ENCODINGS.keys()])}.`,
		);
	}
};

const separatorOf = (typed: string | undefined): string | null => {
	if (typed === undefined) return null;
	const named = SEPARATOR_CHOICES.find(([, name]) => name === typed)?.[0];
	const found = named ?? (typed === String.raw`\t` ? '\t' : typed);
	if (found.length === 1 && !/["\r\n]/.test(found)) return found;
	throw usageError(
		`--separator ${JSON.stringify(typed)} is not a single character.`,
		`${joinNames(SEPARATOR_CHOICES.map(([, name]) => name))} have names.`,
	);
};

/** Value of an option with a fixed list of names. @throws {CommandError} for any other name. */
const choiceOf = <T extends string>(
	option: string,
	typed: string | undefined,
	choices: readonly (readonly [value: T, name: string])[],
): T | undefined => {
	if (typed === undefined) return undefined;
	const found = choices.find(([value, name]) => typed === name || (value !== '' && typed === value));
	if (found) return found[0];
	throw usageError(
		`${option} ${JSON.stringify(typed)} is unknown.`,
		`Choose one of ${joinNames(choices.map(([, name]) => name))}.`,
	);
};

/** Prints a notice if the encoding was guessed, or does not match the bytes. */
const noteEncoding = async (context: Context, table: Table): Promise<void> => {
	const format = formatIn(table);
	if (format === null || /^UTF-/.test(format.encoding)) return;
	if (format.choice.encoding === null || format.encoding.startsWith('damaged'))
		await printNotice(context, `Read as ${format.encoding}. --encoding sets another one.`);
};

const readTable = async (
	context: Context,
	server: string,
	path: string,
	{table: name, encoding, separator, quote, decimal}: TableOptions,
): Promise<Table> => {
	const quotes = choiceOf('--quote', quote, QUOTE_CHOICES);
	const mark = choiceOf('--decimal', decimal, DECIMAL_CHOICES);
	const choice = {
		encoding: encodingOf(encoding),
		separator: separatorOf(separator),
		...(quotes !== undefined && {quote: quotes}),
		...(mark !== undefined && {decimal: mark}),
	};
	const entry = await askServer(
		context,
		server,
		client => client.getFile(server, path, {signal: context.signal}),
		whenNotFound(`${context.typed('files', 'list', server)} lists the files at the root.`),
	);
	const bytes = bytesOf(entry);
	if (typeof bytes === 'string')
		throw new CommandError('refused', `${label(path, 200)} is not a table: ${bytes}.`, 'Name a file.');
	const found = await openFile(path, bytes, {name: name ?? null, choice}, context.signal);
	context.signal.throwIfAborted();
	if (typeof found === 'string')
		throw new CommandError(
			'unsupported',
			`${found}.`,
			`${context.typed('files', 'get', server, path, '-o', 'FILE')} downloads it.`,
		);
	if ('row' in found) {
		found.advance(Infinity);
		return found;
	}
	throw usageError(
		`${label(path, 200)} has ${found.length} tables: ${joinNames(found.slice(0, 40).map(each => label(each, 60)))}.`,
		'Choose one with --table.',
	);
};

const notePart = async (context: Context, table: Table, shown: number, count: number): Promise<void> => {
	const whole = table.whole?.rows ?? null;
	if (whole !== null && whole > table.count)
		await printNotice(
			context,
			`Only the first ${table.count.toLocaleString('en')} of ${whole.toLocaleString('en')} rows were read: filter and sort in a cell.`,
		);
	if (shown < count)
		await printNotice(
			context,
			`${shown.toLocaleString('en')} of ${count.toLocaleString('en')} rows. --rows sets another number.`,
		);
};

/** Runs `files table`: prints rows of a file that opens as a table. */
export const printTable = async (
	context: Context,
	server: string,
	path: string,
	options: TableOptions,
): Promise<void> => {
	const {sort, where = [], rows: most, columns} = options;
	const limit = numberOf('--rows', most, {wanted: 'a whole number', pattern: /^\d{1,9}$/, from: 0}) ?? ROWS;
	const table = await readTable(context, server, serverPath(path), options);
	const {signal} = context;
	const tests = where.map(each => {
		const found = parseWhere(each, table.names);
		if ('unknown' in found) throw noColumn(`--where ${JSON.stringify(each)}`, found.unknown, table.names);
		return found;
	});
	const order = sort === undefined ? null : sortOf(table, sort);
	const shown =
		columns === undefined
			? [...table.names.keys()]
			: columns.split(',').map(each => columnOf('--columns', table, each.trim()));
	const passing = tests.length === 0 ? null : finish(rowsWhere(table, tests), signal);
	const sorted = order === null ? passing : finish(sortRows(table, passing, order), signal);
	const count = sorted?.length ?? table.count;
	const rows = Array.from({length: Math.min(count, limit)}, (_, at) => table.row(sorted?.[at] ?? at));
	if (context.json) {
		const keys = keysOf(table);
		const isNumber = keys.map((_, column) => columnFormatOf(table, column).isNumber);
		await printJson(
			context,
			rows.map(row =>
				Object.fromEntries(
					shown.map(column => [keys[column], jsonOf(row[column] ?? '', isNumber[column] ?? false)]),
				),
			),
		);
	} else {
		const all = shown.map((column): Column<readonly string[]> => ({
			head: shownName(table, column),
			value: row => shownField(row[column] ?? ''),
			...(columnFormatOf(table, column).isNumber && {right: true}),
		}));
		await context.stdout.write(tableText(all, rows, context.stdout.columns));
	}
	await noteEncoding(context, table);
	await notePart(context, table, rows.length, count);
};
