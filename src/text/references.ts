import {languageOfFile} from './python/code-language.ts';

/** Location in a file that a text mentions. Lines count from 1. */
export type Reference = {readonly path: string; readonly line: number};
/** `line` is null if the text mentions only the file. */
export type FilePlace = {readonly path: string; readonly line: number | null};

const PATH = String.raw`(?:[\w@+~-][\w.@+~-]*\/)*[\w@+~-][\w.@+~-]*\.[A-Za-z]\w{0,9}`;
// Forms of locations, in order of precedence: Python's traceback, `path:12`, `path:12:5`, and
// GitHub's `path#L12`.
const PATTERN = new RegExp(
	String.raw`File "(?<quoted>[^"\n]{1,400})", line (?<quotedLine>\d{1,9})|(?<![\w/.:@+~-])(?<path>\/?(?:\.\/)?${PATH})(?::(?<line>\d{1,9})(?::\d+)?|#L(?<hash>\d{1,9})(?:-L?\d+)?)(?!\w)`,
	'g',
);
/** Length of the end of a text that is searched, in UTF-16 units. */
const LOOKED_AT = 200_000;

/**
 * Locations in files that an output or an answer mentions, without duplicates. The last comes
 * first, because a traceback ends with the location of the error. Drops a leading `./`, and names
 * such as `<stdin>`.
 */
export const referencesIn = (text: string): readonly Reference[] => {
	const found = new Map<string, Reference>();
	for (const {groups = {}} of text.slice(-LOOKED_AT).matchAll(PATTERN)) {
		const path = (groups['quoted'] ?? groups['path'] ?? '').replace(/^\.\//, '');
		const line = Number(groups['quotedLine'] ?? groups['line'] ?? groups['hash']);
		if (path === '' || path.startsWith('<')) continue;
		const id = `${path}:${line}`;
		// Moves a duplicate location to its last occurrence.
		found.delete(id);
		found.set(id, {path, line});
	}
	return [...found.values()].reverse();
};

const BARE = new RegExp(
	String.raw`\x60(?:\./)?(${PATH})\x60|\]\((?:\./)?(${PATH})(?:#L(\d{1,9})[^)\s]{0,20})?\)`,
	'g',
);
const DATA = /\.(?:csv|tsv|txt|log|parquet|png|jpe?g|pdf|lock|rst|npy|npz|pkl|pt|db|sqlite)$/i;
/**
 * True if the text is a file name. Its ending must be unambiguous, so `json.loads` and `df.r` are
 * not file names.
 */
const isFile = (path: string): boolean =>
	DATA.test(path) || (languageOfFile(path) !== undefined && (path.includes('/') || !/\.[a-z]$/i.test(path)));

/**
 * Locations in files that an answer mentions, without duplicates, in order. Includes links and code
 * spans that name a file without a line.
 */
export const filesNamedIn = (text: string): readonly FilePlace[] => {
	const part = text.slice(-LOOKED_AT);
	const found = new Map<string, FilePlace & {readonly at: number}>();
	const add = (at: number, path: string, line: number | null): void => {
		const id = `${path}:${line ?? ''}`;
		if (!found.has(id)) found.set(id, {at, path, line});
	};
	for (const {index, groups = {}} of part.matchAll(PATTERN)) {
		const path = (groups['quoted'] ?? groups['path'] ?? '').replace(/^\.\//, '');
		if (path !== '' && !path.startsWith('<'))
			add(index, path, Number(groups['quotedLine'] ?? groups['line'] ?? groups['hash']));
	}
	for (const {index, 1: code, 2: link, 3: line} of part.matchAll(BARE)) {
		const path = code ?? link ?? '';
		if (isFile(path)) add(index, path, line === undefined ? null : Number(line));
	}
	return [...found.values()].sort((one, other) => one.at - other.at).map(({path, line}) => ({path, line}));
};
