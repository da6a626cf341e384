import {usageError} from './command-error.ts';

/** Milliseconds of an option that is given in seconds; undefined when it is not given. @throws {CommandError} `usage`; `help` is the command to ask. */
export const secondsOf = (option: string, text: string | undefined, help: string): number | undefined => {
	if (text === undefined) return undefined;
	const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
	if (value <= 0 || value > 1e6)
		throw usageError(
			`${option} ${JSON.stringify(text)} is not a number of seconds above 0.`,
			`${help} --help shows how.`,
		);
	return value * 1000;
};
