import {languageOfFile} from './python/code-language.ts';

/** A place in a file that a text names. Lines count from 1. */
export type Reference = {readonly path: string; readonly line: number};
/** `line` null: the file is named, and no line of it. */
export type FilePlace = {readonly path: string; readonly line: number | null};

const PATH = String.raw`(?:[\w@+~-][\w.@+~-]*\/)*[\w@+~-][\w.@+~-]*\.[A-Za-z]\w{0,9}`;
// Python's traceback, `path:12` and `path:12:5`, and GitHub's `path#L12`, in this order where two fit.
const PATTERN = new RegExp(
	String.raw`File "(?<quoted>[^"\n]{1,400})", line (?<quotedLine>\d{1,9})|(?<![\w/.:@+~-])(?<path>\/?(?:\.\/)?${PATH})(?::(?<line>\d{1,9})(?::\d+)?|#L(?<hash>\d{1,9})(?:-L?\d+)?)(?!\w)`,
	'g',
);
/** UTF-16 units at the end of a text that are looked at. */
const LOOKED_AT = 200_000;

/**
 * The places in files that an output or an answer names, last first (in a traceback that is where it happened), each once.
 * Paths are as they stand in the text, without a leading `./`; what is no file, such as `<stdin>`, is left out.
 */
export const referencesIn = (text: string): readonly Reference[] => {
	const found = new Map<string, Reference>();
	for (const {groups = {}} of text.slice(-LOOKED_AT).matchAll(PATTERN)) {
		const path = (groups['quoted'] ?? groups['path'] ?? '').replace(/^\.\//, '');
		const line = Number(groups['quotedLine'] ?? groups['line'] ?? groups['hash']);
		if (path === '' || path.startsWith('<')) continue;
		const id = `${path}:${line}`;
		// The last time counts for the order.
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
/** A name such as `json.loads` or `df.r` is a file's only where it has a folder or an ending that is nothing else. */
const isFile = (path: string): boolean =>
	DATA.test(path) || (languageOfFile(path) !== undefined && (path.includes('/') || !/\.[a-z]$/i.test(path)));

/** The places in files that an answer names, in the order in which it does, each once: with a line or, where it is written as code or a link, without one. */
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
