// Ctrl-Z, `kill -TSTP`, `kill -STOP` and `fg`: the shell gets a terminal as it was, and everything is drawn again afterwards.
import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {setImmediate as immediate} from 'node:timers/promises';
import type {ScreenTerminal} from './terminal.ts';

/** What a program needs that gets the terminal for a while: `env` without the key is its own. */
export type ChildEnvironment = {
	readonly env: NodeJS.ProcessEnv;
	readonly jobs: JobControl;
	readonly terminal: ScreenTerminal;
};

/** Waits for a program that has the terminal; signals are passed on to it. */
export const waitForChild = async (
	child: ChildProcess,
	terminal: ScreenTerminal,
): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> => {
	terminal.guest = signal => void child.kill(signal);
	try {
		return (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
	} finally {
		terminal.guest = undefined;
	}
};

/** Ink's `suspendTerminal`: stops drawing and reading until resumed, with the terminal on its main screen and out of raw mode. */
export type SuspendTerminal = () => Promise<{resume(): Promise<void>}>;

/** Milliseconds in which a stop must have come. */
const STOP_COMES_WITHIN = 100;

/**
 * Reads the terminal's size again. The kernel reports a change to the foreground job only, so that a
 * program that was stopped or had lent the terminal misses it.
 */
const readSize = (): void => void process.emit('SIGWINCH', 'SIGWINCH');

/** Lets signals that came together with this one be heard first: a SIGTERM must not wait until the terminal is ours again. */
const afterOtherSignals = async (): Promise<void> => immediate();

export type JobControl = {
	/** Stops the program as a shell's Ctrl-Z does. */
	suspend(): void;
	/** Has everything drawn anew. */
	redraw(): void;
	/** Lets another program have the terminal until the promise settles. False when it could not be lent; then nothing was called. */
	lendDuring(away: () => Promise<void>): Promise<boolean>;
	/** Ink can lend the terminal from now on. */
	ready(lend: SuspendTerminal): void;
};

export const createJobControl = (terminal: ScreenTerminal): JobControl => {
	let lend: SuspendTerminal | undefined;
	let isBusy = false;
	let continued = (): void => {};

	/** `pid` 0 is the whole job. */
	const stop = async (pid: number): Promise<void> => {
		const {promise, resolve} = Promise.withResolvers<void>();
		continued = resolve;
		process.off('SIGTSTP', suspend);
		// The kernel drops it where no shell could ever continue us; a SIGSTOP would be obeyed.
		process.kill(pid, 'SIGTSTP');
		// A timer also because nothing else keeps Node alive while Ink does not read.
		setTimeout(resolve, STOP_COMES_WITHIN);
		await promise;
		process.on('SIGTSTP', suspend);
	};

	const lendDuring = async (away: () => Promise<void>): Promise<boolean> => {
		if (lend === undefined || isBusy) return false;
		isBusy = true;
		await terminal.answered();
		const held = await lend().catch(() => undefined);
		if (held === undefined) {
			// Being redrawn at this moment; the next key press finds it done.
			isBusy = false;
			return false;
		}
		terminal.lend();
		await away();
		await afterOtherSignals();
		// First, since a program in the background is stopped here before it draws over the shell.
		process.stdin.setRawMode(true);
		terminal.takeBack();
		readSize();
		await held.resume();
		isBusy = false;
		return true;
	};

	/** Stopped without having been asked: the shell has set the line as it likes it, and libuv sets a mode only where it is another one. */
	const drawAgain = async (): Promise<void> => {
		if (lend === undefined || isBusy) return;
		await afterOtherSignals();
		process.stdin.setRawMode(false);
		await lendDuring(async () => {});
	};

	const suspend = (): void => {
		// An editor that stops stops its whole job, and the shell waits for us.
		if (terminal.guest) void stop(process.pid);
		// The whole job, since npm or a shell may stand between.
		else void lendDuring(() => stop(0));
	};
	process.on('SIGTSTP', suspend);
	process.on('SIGCONT', () => {
		continued();
		void drawAgain();
	});
	return {
		suspend,
		redraw() {
			readSize();
			// While the terminal is lent it is refused, and is not needed.
			void lend?.()
				.then(held => held.resume())
				.catch(() => {});
		},
		lendDuring,
		ready(lendTerminal) {
			lend = lendTerminal;
		},
	};
};
