import {languageNamed} from './code-language.ts';

/** Languages by kernel name. Other names are usually those of Python environments. */
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
 * Reason why a kernel cannot run the code, such as `not Python but bash`. Undefined if it can.
 * `named`: language from the code fence or by the file name. Undefined also if `named` is empty.
 * Prevents code of another language from running as Python.
 */
export const otherLanguage = (named: string, kernel: string): string | undefined => {
	const word = named.trim().split(/\s+/)[0] ?? '';
	if (word === '') return undefined;
	const language = languageNamed(word) ?? word.toLowerCase();
	const runs = languageOf(kernel) ?? 'python';
	return language === runs ? undefined : `not ${NAMES[runs] ?? runs} but ${NAMES[language] ?? language}`;
};
