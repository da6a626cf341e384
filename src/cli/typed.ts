import type {Globals} from './globals.ts';
import {shellQuoted} from '../text/shell-word.ts';

const isPlain = /^[\w.,:@%+/=-]+$/;

/** A word as a shell takes it; a control character, which no one can type, is left to the edge that prints it. */
const shellWord = (word: string): string => (isPlain.test(word) ? word : shellQuoted(word));

/** A command line of ours with the options that lead to the same service. */
export const typedLine = (
	words: readonly string[],
	{baseUrl, profile, apiKeyFile, caFile, insecureHttp}: Omit<Globals, 'json'>,
): string => {
	const options = Object.entries({
		'--base-url': baseUrl,
		'--profile': profile,
		'--api-key-file': apiKeyFile,
		'--ca-file': caFile,
	});
	const given = options.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
	return ['svc-tui', ...words, ...given, ...(insecureHttp ? ['--insecure-http'] : [])]
		.map(shellWord)
		.join(' ');
};
