import {fileEntry, type FileEntry} from '../../contract/files.ts';
import {FileFault, type Files} from '../../engines/files.ts';

const MAX_ENTRIES = 2000;
const MAX_DEPTH = 6;
// Folders that may be large and that questions rarely refer to.
const SKIPPED = /^(\..*|node_modules|__pycache__|venv|site-packages)$/;

/**
 * Files and folders of a server, those nearest the root first. `whole`: false if some were omitted.
 */
export type Tree = {readonly entries: readonly FileEntry[]; readonly whole: boolean};

/** Lists a server's files. Skips folders with a leading dot, and folders of installed packages. */
export const walk = async (files: Files): Promise<Tree> => {
	const entries: FileEntry[] = [];
	let whole = true;
	let level = [''];
	for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
		const next: string[] = [];
		for (const folder of level) {
			if (entries.length >= MAX_ENTRIES) return {entries, whole: false};
			const content = await files.get(folder).then(
				entry => entry.content,
				(error: unknown) => {
					if (!(error instanceof FileFault)) throw error;
					whole = false;
					return [];
				},
			);
			const listed = fileEntry.array().parse(content);
			entries.push(...listed);
			next.push(
				...listed
					.filter(entry => entry.type === 'directory' && !SKIPPED.test(entry.name))
					.map(entry => entry.path),
			);
		}
		level = next;
	}
	return {entries, whole: whole && level.length === 0};
};

type Hit = {readonly entry: FileEntry; readonly at: number; readonly length: number};

/** Index at which `name` occurs in a text as a separate word. -1 if it does not. */
const standsIn = (text: string, name: string): number => {
	for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
		const before = text[at - 1] ?? ' ';
		const after = text.slice(at + name.length);
		// A dot or slash may be part of a longer name, but a full stop is not.
		if (!/[\p{L}\p{N}_./-]/u.test(before) && !/^([\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u.test(after)) return at;
	}
	return -1;
};

const FILE_WORDS =
	/\b(files?|folders?|director(y|ies)|scripts?|notebooks?|tables?|data\s?sets?|readme|contents?|columns?|rows?|headings?|cells?|outline|what('s|\s+is)\s+in(side)?)\b/i;

// True if a name may be an ordinary word. Such a name is recognised only in quotes, with a slash,
// or in a question about files.
const plainWord = (name: string): boolean => /^[a-z]+$/.test(name);

const hitsOf = (
	entries: readonly FileEntry[],
	prose: string,
	nameOf: (entry: FileEntry) => string,
	fold: (text: string) => string,
): Hit[] =>
	entries.flatMap(entry => {
		const name = nameOf(entry);
		const at = name.length < 2 ? -1 : standsIn(fold(prose), fold(name));
		if (at === -1) return [];
		const marked = /["'`@/]/.test(prose[at - 1] ?? '') || prose[at + name.length] === '/';
		return plainWord(name) && !marked && !FILE_WORDS.test(prose) && prose.trim() !== name
			? []
			: [{entry, at, length: name.length}];
	});

const exact = (text: string): string => text;
const folded = (text: string): string => text.toLowerCase();
const stem = (entry: FileEntry): string => (entry.type === 'file' ? entry.name.replace(/\.\w+$/, '') : '');

/**
 * Entries that a question names, in the order of the question. Names without an extension are
 * recognised only in questions about files.
 */
export const entriesNamed = (entries: readonly FileEntry[], prose: string): readonly FileEntry[] => {
	const attempts = [
		() => [
			...hitsOf(entries, prose, entry => entry.path, exact),
			...hitsOf(entries, prose, entry => entry.name, exact),
		],
		() => hitsOf(entries, prose, entry => entry.name, folded),
		() => (FILE_WORDS.test(prose) ? hitsOf(entries, prose, stem, folded) : []),
	];
	for (const attempt of attempts) {
		const taken: Hit[] = [];
		// Longer names first, because they contain shorter ones: data/prices.csv, prices.csv, data.
		for (const hit of attempt().sort((a, b) => b.length - a.length)) {
			const within = taken.some(
				other =>
					hit.at < other.at + other.length && other.at < hit.at + hit.length && hit.length < other.length,
			);
			if (!within && !taken.some(other => other.entry === hit.entry)) taken.push(hit);
		}
		if (taken.length > 0) return taken.sort((a, b) => a.at - b.at).map(({entry}) => entry);
	}
	return [];
};

const kinds: readonly (readonly [word: RegExp, ending: RegExp])[] = [
	[/\bnotebooks?\b/i, /\.ipynb$/i],
	[/\b(csv|table|data\s?set)s?\b/i, /\.(csv|tsv)$/i],
	[/\bread\s?me\b/i, /^readme/i],
	[/\b(script|python\s+file|program)s?\b/i, /\.py$/i],
	[/\bmarkdown\b/i, /\.md$/i],
];

/** Files of the kind that a question mentions, as in "the notebook" or "this script". */
export const entriesOfKind = (entries: readonly FileEntry[], prose: string): readonly FileEntry[] => {
	const [, ending] = kinds.find(([word]) => word.test(prose)) ?? [];
	if (ending === undefined || !/\b(the|this|that|my|in)\b/i.test(prose)) return [];
	return entries.filter(entry => entry.type === 'file' && ending.test(entry.name));
};

/** Entries with a name similar to a missing one, for suggestions. */
export const similar = (entries: readonly FileEntry[], name: string): readonly FileEntry[] => {
	const base = folded(name.split('/').at(-1) ?? name);
	const [head = base] = base.split('.');
	return entries
		.filter(entry => {
			const other = folded(entry.name);
			return (
				other === base ||
				(head.length > 2 && (other.startsWith(head) || base.startsWith(other.split('.')[0] || '\0')))
			);
		})
		.slice(0, 5);
};
