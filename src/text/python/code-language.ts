/** Kinds of code text that are coloured differently. */
export type CodeRole =
	'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type' | 'meta' | 'added' | 'removed';

/** Part of a line. Offsets are in UTF-16 units. */
export type Span = readonly [from: number, to: number, role: CodeRole];

/**
 * Builds a map from each word to its language. `words`: words of each language, separated by
 * spaces.
 */
const languages = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Object.entries(words).flatMap(([language, each]) => each.split(' ').map(word => [word, language])),
	);

const BY_ENDING = languages({
	python: 'py pyi pyw',
	javascript: 'js mjs cjs jsx',
	typescript: 'ts mts cts tsx',
	json: 'json ipynb jsonl',
	yaml: 'yaml yml',
	ini: 'toml ini cfg conf env',
	markdown: 'md markdown',
	bash: 'sh bash zsh',
	xml: 'html htm xml svg',
	css: 'css',
	sql: 'sql',
	cpp: 'c h cc cpp cxx hpp cu cuh',
	rust: 'rs',
	go: 'go',
	java: 'java',
	r: 'r',
	julia: 'jl',
	lua: 'lua',
	diff: 'diff patch',
	makefile: 'mk makefile',
	ruby: 'rb',
	dockerfile: 'dockerfile',
});

/** Language of a file by its name's ending. Undefined if the language is not coloured. */
export const languageOfFile = (path: string): string | undefined => {
	const name = (path.split('/').at(-1) ?? '').toLowerCase();
	const ending = name.split('.').at(-1) ?? '';
	return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
};

/**
 * Language names for code blocks, by file ending. Lists only files for which the name differs from
 * the language used for colouring.
 */
const BLOCK_WORDS: Readonly<Record<string, string>> = {
	toml: 'toml',
	html: 'html',
	htm: 'html',
	csv: 'csv',
	c: 'c',
	h: 'c',
};

/** Language name for a code block with a file's text. Undefined if there is none. */
export const blockLanguage = (path: string): string | undefined => {
	const ending = path.toLowerCase().split('.').at(-1) ?? '';
	return Object.hasOwn(BLOCK_WORDS, ending) ? BLOCK_WORDS[ending] : languageOfFile(path);
};

const BY_WORD = languages({
	python: 'python3 ipython pycon',
	bash: 'shell console zsh',
	cpp: 'c++ cuda',
	go: 'golang',
	javascript: 'node',
	json: 'jsonc json5',
	dockerfile: 'docker',
	makefile: 'make',
	sql: 'postgresql sqlite',
});
const NAMES: ReadonlySet<string> = new Set(Object.values(BY_ENDING));

/**
 * Language that the info string of a code block names. Undefined if the language is not coloured.
 */
export const languageNamed = (word: string): string | undefined => {
	const name = word.toLowerCase().replace(/^[{.]+|[},:;][^]*/g, '');
	return NAMES.has(name)
		? name
		: Object.hasOwn(BY_WORD, name)
			? BY_WORD[name]
			: Object.hasOwn(BY_ENDING, name)
				? BY_ENDING[name]
				: undefined;
};
