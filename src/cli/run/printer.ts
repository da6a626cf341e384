import type {OutputSink} from '../../kernel/output-buffer.ts';
import {createPaintedText} from '../../text/output/painted.ts';
import {endOfErrors, isPrintedError} from '../../text/output/printed-error.ts';
import {label} from '../../text/safe.ts';
import {outputText, streamText} from './cell-text.ts';
import type {Context, Sink} from '../context.ts';

/** Time between two redraws on a terminal, in ms. */
const FRAME_MS = 33;

export type LivePrinter = {
	readonly taker: OutputSink;
	/** Asks the user for a line. Rejects if the input ended without a line. */
	ask(prompt: string, isSecret: boolean): Promise<string>;
	/** Prints a sentence to standard error. */
	note(text: string): void;
	/** Resolves once all output is written. @throws {CommandError} if writing fails. */
	end(): Promise<void>;
};

/** `onFault`: called if writing fails, because further output is then useless. */
export const createLivePrinter = (
	{stdout, stderr, colour, ask}: Context,
	onFault: () => void,
): LivePrinter => {
	let written = Promise.resolve();
	let isFaulty = false;
	const write = (sink: Sink, text: string): void => {
		if (text === '') return;
		written = written.then(async () => sink.write(text));
		written.catch(() => {
			if (!isFaulty) onFault();
			isFaulty = true;
		});
	};

	// Both streams are drawn as one text on a terminal.
	const painted = createPaintedText({columns: stdout.isTTY ? stdout.columns : stderr.columns, colour});
	let held = '';
	/** End of the text that arrived on stderr. */
	let errors = '';
	let timer: NodeJS.Timeout | undefined;
	const screen = stdout.isTTY ? stdout : stderr;
	const draw = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const text = held;
		held = '';
		if (text !== '') write(screen, painted.push(text));
	};
	const print = (to: 'stdout' | 'stderr', text: string): void => {
		const sink = to === 'stdout' ? stdout : stderr;
		if (!sink.isTTY) return write(sink, text);
		held += text;
		timer ??= setTimeout(draw, FRAME_MS).unref();
	};
	const noted = new Set<string>();
	/** Prints each sentence once, since a cell may show many widgets. */
	const printNote = (text: string): void => {
		if (!noted.has(text)) print('stderr', `${label(text, 1000)}\n`);
		noted.add(text);
	};

	/** Text of each display as printed, and changed texts that could not be drawn over it. */
	const displays = new Map<string, string>();
	const late = new Map<string, string>();
	let clearsAtNext = false;
	const clear = (): void => {
		clearsAtNext = false;
		displays.clear();
		late.clear();
		draw();
		// Done only on a terminal, because text in a pipe cannot be removed.
		if (screen.isTTY) write(screen, painted.clear());
	};
	const before = (): void => {
		if (clearsAtNext) clear();
	};

	return {
		taker: {
			addText(name, text) {
				before();
				if (name === 'stderr') errors = endOfErrors(errors, text);
				print(name, streamText(name, text));
			},
			add(output, id) {
				before();
				const shown = outputText(output, {colour, isShort: stderr.isTTY});
				if (shown.to === 'note') return printNote(shown.text);
				if (isPrintedError(output, errors)) return;
				if (id !== undefined) displays.set(id, shown.text);
				print(shown.to, shown.text);
				if (shown.note !== undefined) printNote(shown.note);
			},
			update(id, shown) {
				const old = displays.get(id);
				const {to, text} = outputText({output_type: 'display_data', ...shown});
				if (to === 'note') return;
				if (old === text) return;
				draw();
				const change = old !== undefined && stdout.isTTY ? painted.replaceEnd(old, text) : null;
				if (change === null) return void late.set(id, text);
				displays.set(id, text);
				write(screen, change);
			},
			clear(wait) {
				if (wait) clearsAtNext = true;
				else clear();
			},
		},
		note: printNote,
		async ask(prompt, isSecret) {
			if (ask === undefined) throw new Error('input is not available here');
			if (!stdout.isTTY) {
				draw();
				await written;
				return ask(label(prompt), {masked: isSecret});
			}
			draw();
			await written;
			// Printed by `ask`, once the terminal no longer echoes keys.
			const drawn = painted.push(prompt);
			const question = painted.lastLine();
			painted.typed();
			return ask(question, {masked: isSecret, draw: drawn});
		},
		async end() {
			// Prints the final text of each changed display, because text in a pipe cannot be
			// overwritten.
			for (const text of late.values()) print('stdout', text);
			late.clear();
			draw();
			await written;
		},
	};
};
