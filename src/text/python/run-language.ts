import {languageNamed} from './code-language.ts';

/** Kernels by what they are called; one of somebody's own name is mostly an environment of Python, but nobody knows. */
const KERNELS: ReadonlyArray<readonly [name: RegExp, language: string]> = [
	[/^(?:i?python|xpython|pypy)/i, 'python'],
	[/^(?:ir|xr)$/i, 'r'],
	[/^julia/i, 'julia'],
	[/bash/i, 'bash'],
	[/^(?:javascript|jslab)/i, 'javascript'],
	[/^(?:deno|tslab)/i, 'typescript'],
	[/^(?:rust|evcxr)/i, 'rust'],
];

/** The language that a kernel runs, as far as its name tells. */
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
 * Why code of a language is not for a kernel: `not Python but bash`; undefined when it is, or when neither says. What the code is, its fence or
 * the name of its file tells: code that names no language is run, code that names another is never run as Python.
 */
export const otherLanguage = (named: string, kernel: string): string | undefined => {
	const word = named.trim().split(/\s+/)[0] ?? '';
	if (word === '') return undefined;
	const language = languageNamed(word) ?? word.toLowerCase();
	const runs = languageOf(kernel) ?? 'python';
	return language === runs ? undefined : `not ${NAMES[runs] ?? runs} but ${NAMES[language] ?? language}`;
};
