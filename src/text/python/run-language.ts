import {languageNamed} from './code-language.ts';

/** Languages by kernel name. A custom name is usually that of a Python environment. */
const KERNELS: ReadonlyArray<readonly [name: RegExp, language: string]> = [
	[/^(?:i?python|xpython|pypy)/i, 'python'],
	[/^(?:ir|xr)$/i, 'r'],
	[/^julia/i, 'julia'],
	[/bash/i, 'bash'],
	[/^(?:javascript|jslab)/i, 'javascript'],
	[/^(?:deno|tslab)/i, 'typescript'],
	[/^(?:rust|evcxr)/i, 'rust'],
];

/** Language of a kernel, guessed from its name. */
const languageOf = (kernel: string): string | undefined => KERNELS.find(([name]) => name.test(kernel))?.[1];

const NAMES: Readonly<Record<string, string>> = {
	python: 'Python',
	r: 'R',
	julia: 'Julia',
	javascript: 'JavaScript',
	typescript: 'TypeScript',
	rust: 'Rust',
	cpp: 'C++',
};

/**
 * Reason why code is not for a kernel: `not Python but bash`. Undefined if it is, or if `named`,
 * the language in its fence or by its file name, is empty. Code of another language is never run as
 * Python.
 */
export const otherLanguage = (named: string, kernel: string): string | undefined => {
	const word = named.trim().split(/\s+/)[0] ?? '';
	if (word === '') return undefined;
	const language = languageNamed(word) ?? word.toLowerCase();
	const runs = languageOf(kernel) ?? 'python';
	return language === runs ? undefined : `not ${NAMES[runs] ?? runs} but ${NAMES[language] ?? language}`;
};
