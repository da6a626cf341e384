// Not @inquirer/password, because it costs 45 ms, 6 MB and 25 KB, and supports only masked input.
import {CommandError} from './command-error.ts';

/**
 * Terminal for questions. `input`: raw keys. `write`: prints, but not to standard output, which is
 * reserved for results.
 */
export type PromptTerminal = {
	readonly input: NodeJS.ReadStream;
	readonly write: (text: string) => void;
	/** Called on Ctrl-C. */
	readonly interrupt: () => void;
	readonly signal: AbortSignal;
};

const ENTER = new Set(['\r', '\n']);
const PASTE = /\u001B\[20[01]~/g;
/** Escape sequences of arrows and other keys, which are ignored. */
const SEQUENCE = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)/g;

/**
 * Asks the user for one line. Pasted text counts as typed. `masked`: true to show a star for each
 * character. `draw`: text to print first, instead of the question.
 */
export const askLine = async (
	question: string,
	{masked, draw = question}: {readonly masked: boolean; readonly draw?: string},
	{input, write, interrupt, signal}: PromptTerminal,
): Promise<string> => {
	let typed: readonly string[] = [];
	const show = (next: readonly string[]): void => {
		const [before, after] = [typed, next].map(line => (masked ? line.map(() => '*') : line).join(''));
		typed = next;
		if (after?.startsWith(before ?? '')) write(after.slice(before?.length));
		else write(`\r\u001B[K${question}${after}`);
	};
	const done = Promise.withResolvers<string>();
	const stop = (): void => done.reject(new CommandError('cancelled', 'Stopped: nothing was stored.', ''));
	const take = (data: string): void => {
		for (const character of data.replaceAll(PASTE, '').replaceAll(SEQUENCE, '')) {
			if (ENTER.has(character)) return done.resolve(typed.join(''));
			if (character === '\u0003') return interrupt();
			if (character === '\u0004' && typed.length === 0) return stop();
			if (character === '\u007F' || character === '\b') show(typed.slice(0, -1));
			else if (character === '\u0015') show([]);
			else if (character >= ' ') show([...typed, character]);
		}
	};
	// Set before the question appears, because keys pressed immediately must not be echoed.
	input.setRawMode(true);
	write(draw);
	input.setEncoding('utf8').on('data', take).resume();
	signal.addEventListener('abort', stop, {once: true});
	try {
		return await done.promise;
	} finally {
		signal.removeEventListener('abort', stop);
		input.off('data', take).pause().setRawMode(false);
		write('\n');
	}
};
