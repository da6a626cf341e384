/** Kinds of text in code that have a colour of their own. */
export type CodeRole =
	'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type' | 'meta' | 'added' | 'removed';

/** A part of a line, in UTF-16 units. */
export type Span = readonly [from: number, to: number, role: CodeRole];

const BY_ENDING: Readonly<Record<string, string>> = {
	py: 'python',
	pyi: 'python',
	pyw: 'python',
	js: 'javascript',
	mjs: 'javascript',
	cjs: 'javascript',
	jsx: 'javascript',
	ts: 'typescript',
	mts: 'typescript',
	cts: 'typescript',
	tsx: 'typescript',
	json: 'json',
	ipynb: 'json',
	jsonl: 'json',
	yaml: 'yaml',
	yml: 'yaml',
	toml: 'ini',
	ini: 'ini',
	cfg: 'ini',
	conf: 'ini',
	env: 'ini',
	md: 'markdown',
	markdown: 'markdown',
	sh: 'bash',
	bash: 'bash',
	zsh: 'bash',
	html: 'xml',
	htm: 'xml',
	xml: 'xml',
	svg: 'xml',
	css: 'css',
	sql: 'sql',
	c: 'cpp',
	h: 'cpp',
	cc: 'cpp',
	cpp: 'cpp',
	cxx: 'cpp',
	hpp: 'cpp',
	cu: 'cpp',
	cuh: 'cpp',
	rs: 'rust',
	go: 'go',
	java: 'java',
	r: 'r',
	jl: 'julia',
	lua: 'lua',
	diff: 'diff',
	patch: 'diff',
	mk: 'makefile',
	rb: 'ruby',
	dockerfile: 'dockerfile',
	makefile: 'makefile',
};

/** The language of a file, by the end of its name; undefined for one without colours. */
export const languageOfFile = (path: string): string | undefined => {
	const name = (path.split('/').at(-1) ?? '').toLowerCase();
	const ending = name.split('.').at(-1) ?? '';
	return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
};

/** Those that a code block names by another word than the one that colours it. */
const BLOCK_WORDS: Readonly<Record<string, string>> = {
	toml: 'toml',
	html: 'html',
	htm: 'html',
	csv: 'csv',
	c: 'c',
	h: 'c',
};

/** The word by which a code block with a file's text names its language; undefined where there is none. */
export const blockLanguage = (path: string): string | undefined => {
	const ending = path.toLowerCase().split('.').at(-1) ?? '';
	return Object.hasOwn(BLOCK_WORDS, ending) ? BLOCK_WORDS[ending] : languageOfFile(path);
};

const BY_WORD: Readonly<Record<string, string>> = {
	python3: 'python',
	ipython: 'python',
	pycon: 'python',
	shell: 'bash',
	console: 'bash',
	zsh: 'bash',
	'c++': 'cpp',
	cuda: 'cpp',
	golang: 'go',
	node: 'javascript',
	jsonc: 'json',
	json5: 'json',
	docker: 'dockerfile',
	make: 'makefile',
	postgresql: 'sql',
	sqlite: 'sql',
};
const NAMES: ReadonlySet<string> = new Set(Object.values(BY_ENDING));

/** The language that a code block names; undefined for one without colours. */
export const languageNamed = (word: string): string | undefined => {
	const name = word.toLowerCase().replace(/^[{.]+|[},:;].*$/g, '');
	return NAMES.has(name)
		? name
		: Object.hasOwn(BY_WORD, name)
			? BY_WORD[name]
			: Object.hasOwn(BY_ENDING, name)
				? BY_ENDING[name]
				: undefined;
};
