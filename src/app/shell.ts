// Shell on a server, in the user's terminal. Sets raw mode, filters the output, and restores the
// terminal's state at the end.
import {writeSync} from 'node:fs';
import {StringDecoder} from 'node:string_decoder';
import {setTimeout as sleep} from 'node:timers/promises';
import type {LiveShell, OpenedShell, ShellEvents, ShellOutcome, ShellSize} from '../api/client-types.ts';
import {label} from '../text/safe.ts';
import {createShellFilter} from '../text/shell/filter.ts';
import {createLeaveKeys} from '../text/shell/leave-keys.ts';
import type {ChildEnvironment} from './job-control.ts';

type Open = (size: ShellSize, events: ShellEvents) => Promise<OpenedShell>;

const LEAVES = 'Enter, then ~. leaves';
/** Moves the cursor home and clears the screen. */
const CLEAR = '\u001B[H\u001B[2J';
/** Maximum number of UTF-16 units of input that are buffered until the shell is open. */
const AHEAD = 65_536;
/** Longest wait for the end of the shell on the server, in ms. */
const CLOSE_MS = 500;
const INTERRUPT = '\u0003';

const sizeNow = (): ShellSize => ({rows: process.stdout.rows || 24, columns: process.stdout.columns || 80});

/**
 * Runs until the shell ends, the user leaves it, or `signal` is aborted. Standard input and output
 * must be a terminal. Never rejects.
 */
export const runShell = async (server: string, open: Open, signal: AbortSignal): Promise<ShellOutcome> => {
	const {stdin, stdout} = process;
	const filter = createShellFilter();
	const keys = createLeaveKeys();
	const decoder = new StringDecoder();
	const over = Promise.withResolvers<ShellOutcome>();
	let shell: LiveShell | undefined;
	let ahead = '';
	let isOver = false;

	const say = (text: string): void => void stdout.write(`\r\n[svc-tui: ${text}]\r\n`);
	const onData = (chunk: Buffer | string): void => {
		const typed = typeof chunk === 'string' ? chunk : decoder.write(chunk);
		const {text, leaves} = keys.take(typed);
		if (shell === undefined) {
			ahead = (ahead + text).slice(0, AHEAD);
			if (text.includes(INTERRUPT)) over.resolve('left');
		} else if (text !== '') shell.type(text);
		if (leaves) over.resolve('left');
	};
	const onResize = (): void => shell?.resize(sizeNow());
	const stop = (): void => over.resolve('stopped');
	// The user's own shell has changed the terminal's mode while this process was stopped. Raw mode
	// is switched off first, because libuv sets a mode only if it differs from its last one.
	const onContinue = (): void => {
		stdin.setRawMode(false);
		stdin.setRawMode(true);
		onResize();
	};
	/** Synchronous, since the process may be about to end. */
	const giveBack = (): void => {
		if (isOver) return;
		isOver = true;
		try {
			writeSync(1, filter.restore());
		} catch {
			// Ignored, because the terminal is gone or accepts no output.
		}
		if (stdin.isRaw) stdin.setRawMode(false);
	};

	stdout.write(`Shell on ${label(server, 60)}. Type exit to leave; ${LEAVES}, even while a program runs.\n`);
	process.on('exit', giveBack);
	process.on('SIGCONT', onContinue);
	signal.addEventListener('abort', () => (giveBack(), stop()), {once: true});
	stdout.on('resize', onResize);
	// Listeners of the screens. They are removed while the shell runs.
	const readers = stdin.rawListeners('data') as (typeof onData)[];
	stdin.removeAllListeners('data').on('end', stop).on('data', onData).setRawMode(true).resume();
	const opening = open(sizeNow(), {
		onText(text) {
			if (!isOver) stdout.write(filter.pass(text));
		},
		onBreak: () => say(`Connection lost; reconnecting. Input is not sent. ${LEAVES}`),
		// Clears the screen, because the server repeats the earlier output.
		onBack: () => void stdout.write(filter.restore() + CLEAR),
	}).then(opened => {
		if (!('shell' in opened)) return over.resolve(opened);
		({shell} = opened);
		if (isOver) return;
		shell.resize(sizeNow());
		if (ahead !== '') shell.type(ahead);
		ahead = '';
		void shell.ended.then(over.resolve);
	});
	if (signal.aborted) stop();

	const outcome = await over.promise;
	giveBack();
	process.off('exit', giveBack);
	process.off('SIGCONT', onContinue);
	stdout.off('resize', onResize);
	stdin.off('end', stop).off('data', onData).pause();
	for (const reader of readers) stdin.on('data', reader);
	if (outcome === 'left' || outcome === 'stopped')
		await Promise.race([opening.then(async () => shell?.close()), sleep(CLOSE_MS, undefined, {ref: false})]);
	return outcome;
};

/** Runs a shell in the terminal of the screens. Null if the terminal could not be lent. */
export const shellInstead = async (
	{jobs, terminal}: Omit<ChildEnvironment, 'env'>,
	...[server, open]: [server: string, open: Open]
): Promise<ShellOutcome | null> => {
	let outcome: ShellOutcome | null = null;
	await jobs.lendDuring(async () => {
		const stop = new AbortController();
		terminal.guest = () => stop.abort();
		outcome = await runShell(server, open, stop.signal);
		terminal.guest = undefined;
	});
	return outcome;
};
