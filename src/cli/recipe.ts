import {isMap, isScalar, LineCounter, parseDocument, type Document, type Node} from 'yaml';
import * as z from 'zod';
import {DEFAULT_KERNEL} from '../contract/names.ts';
import type {ComputeFilter} from '../query/filter.ts';
import {parseQuery} from '../query/language.ts';
import {nearestWord} from '../query/nearest-word.ts';
import {CommandError} from './command-error.ts';

const WANTED = {
	server: 'the name of the server',
	environment: 'an environment id (see svc-tui environments)',
	compute: 'a query for svc-tui compute, such as gpu:h100 price<3',
	port: 'a whole number from 1 to 65535',
	files: 'local paths and their destinations, e.g. data/*.csv: data/',
	run: 'Python code; several lines follow run: | and are indented with spaces',
	kernel: 'the name of a kernel, such as python3',
} as const;
const NAMES = Object.keys(WANTED) as readonly (keyof typeof WANTED)[];
const isName = (name: unknown): name is keyof typeof WANTED =>
	typeof name === 'string' && Object.hasOwn(WANTED, name);

const text = z.string().refine(value => value.trim() !== '');
/** Schema of a recipe. */
export const recipeFile = z.strictObject({
	/** Address of the schema, for editors. */
	$schema: z.string().optional(),
	server: text,
	environment: text,
	compute: text,
	/** Port. Null for the port of the last start, or for the default port if there was none. */
	port: z.int().min(1).max(65_535).nullable().default(null),
	files: z.record(z.string(), z.string()).nullable().default({}),
	/** Code to run after the start. Null for none. */
	run: z.string().nullable().default(null),
	kernel: text.default(DEFAULT_KERNEL),
});

/** Server that `up` creates. Local paths are relative to the recipe's folder. */
export type Recipe = Omit<z.infer<typeof recipeFile>, '$schema' | 'compute' | 'files'> & {
	/** Filter for compute options. Its `available` is always true. */
	readonly compute: ComputeFilter;
	readonly files: readonly {readonly from: string; readonly to: string}[];
	/** Error about a value, with its position. `path`: such as `['files', 'data/*.csv']`. */
	fault(path: readonly string[], message: string, next: string): CommandError;
};

const EXAMPLE = 'svc-tui up --help shows a whole recipe.';

type Position = {readonly line: number; readonly col: number};

/** Positions of keys and values. A missing value has the position of its key. */
const createPlaces = (document: Document, lines: LineCounter) => {
	const at = (offset: number): Position => {
		const {line, col} = lines.linePos(offset);
		return {line: Math.max(1, line), col: Math.max(1, col)};
	};
	const node = (path: readonly PropertyKey[]): Node | undefined =>
		(path.length === 0 ? document.contents : (document.getIn(path, true) as Node | null | undefined)) ??
		undefined;
	const key = (path: readonly PropertyKey[], name: string): Position => {
		const map = node(path);
		const pair = isMap(map)
			? map.items.find(each => isScalar(each.key) && String(each.key.value) === name)
			: undefined;
		return at(isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0);
	};
	const value = (path: readonly PropertyKey[], into = 0): Position => {
		const found = node(path);
		const start = found?.range?.[0];
		if (start === undefined) return path.length === 0 ? at(0) : key(path.slice(0, -1), String(path.at(-1)));
		// The exact character is known only within plain or quoted text.
		const isAsWritten = isScalar(found) && found.type === 'PLAIN';
		const isQuoted = isScalar(found) && (found.type === 'QUOTE_SINGLE' || found.type === 'QUOTE_DOUBLE');
		return at(start + (isAsWritten ? into : isQuoted ? into + 1 : 0));
	};
	return {at, key, value};
};

/**
 * Parses a recipe. @throws {CommandError} `config` with file, line, column and fix if it is not
 * valid.
 */
export const parseRecipe = (source: string, file: string): Recipe => {
	const lines = new LineCounter();
	const document = parseDocument(source, {lineCounter: lines, prettyErrors: false});
	const places = createPlaces(document, lines);
	const fault = ({line, col}: Position, message: string, next: string): CommandError =>
		new CommandError('config', `${file}:${line}:${col}: ${message}`, next);

	const [broken] = [...document.errors, ...document.warnings];
	if (broken)
		throw fault(
			places.at(broken.pos[0]),
			`This is not valid YAML: ${broken.message.split('\n')[0]?.replace(/[.:]?$/, '.')}`,
			/tab/i.test(broken.message) ? 'Use spaces in place of tabs.' : EXAMPLE,
		);
	if (!isMap(document.contents))
		throw fault(
			places.at(0),
			document.contents === null ? 'The recipe is empty.' : 'A recipe is lines such as server: NAME.',
			EXAMPLE,
		);

	let given: unknown;
	try {
		given = document.toJS({maxAliasCount: 100});
	} catch (error) {
		throw fault(
			places.at(0),
			error instanceof Error ? `${error.message}.` : 'The recipe cannot be read.',
			'Write out the values instead of aliases.',
		);
	}
	const read = recipeFile.safeParse(given);
	if (!read.success) {
		const [issue] = read.error.issues;
		const path = issue?.path ?? [];
		if (issue?.code === 'unrecognized_keys') {
			const [unknown = ''] = issue.keys;
			const near = nearestWord(unknown.toLowerCase(), NAMES);
			throw fault(
				places.key(path, unknown),
				`A recipe has no ${JSON.stringify(unknown)}${near === undefined ? '' : `; did you mean ${near}?`}${near === undefined ? '.' : ''}`,
				`Its keys are ${NAMES.join(', ')}.`,
			);
		}
		const [name, local] = path;
		if (!isName(name)) throw fault(places.value(path), 'A recipe is lines such as server: NAME.', EXAMPLE);
		const isMissing = !document.has(name);
		if (isMissing)
			throw fault(places.at(0), `The recipe has no ${name}.`, `Add a line ${name}: with ${WANTED[name]}.`);
		if (local !== undefined)
			throw fault(
				places.value(path),
				`The destination of ${JSON.stringify(String(local))} must be a path on the server.`,
				'Write the path, or ./ for the root.',
			);
		throw fault(
			places.value(path),
			`${name} must be ${WANTED[name]}.`,
			'Correct it and try again; nothing was done.',
		);
	}
	const {$schema: _, compute, files, run, ...rest} = read.data;
	const query = parseQuery(compute);
	if (!query.ok)
		throw fault(
			places.value(['compute'], query.from),
			`${query.error}${/[?.]$/.test(query.error) ? '' : '.'}`,
			'svc-tui compute --help shows the query.',
		);
	return {
		...rest,
		compute: {...query.filter, available: true},
		files: Object.entries(files ?? {}).map(([from, to]) => ({from, to})),
		run: run === null || run.trim() === '' ? null : run,
		fault: (path, message, next) =>
			fault(
				path.length > 1 ? places.key(path.slice(0, -1), path.at(-1) ?? '') : places.value(path),
				message,
				next,
			),
	};
};
