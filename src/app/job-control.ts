// Ctrl-Z, `kill -TSTP`, `kill -STOP` and `fg`: gives the shell the terminal in its original state,
// and redraws everything afterwards.
import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {setImmediate as immediate} from 'node:timers/promises';
import type {ScreenTerminal} from './terminal.ts';

/** Environment of a program that borrows the terminal. It gets `env` without the API key. */
export type ChildEnvironment = {
	readonly env: NodeJS.ProcessEnv;
	readonly jobs: JobControl;
	readonly terminal: ScreenTerminal;
};

/** Waits for a program that has the terminal, and passes signals on to it. */
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

/**
 * Ink's `suspendTerminal`: stops drawing and reading until resumed. The terminal is then on its
 * main screen and out of raw mode.
 */
export type SuspendTerminal = () => Promise<{resume(): Promise<void>}>;

/** Time within which a stop takes effect, in ms. */
const STOP_COMES_WITHIN = 100;

/**
 * Reads the terminal's size again. The kernel reports a change to the foreground job only, so a
 * program that was stopped or had lent the terminal misses it.
 */
const readSize = (): void => void process.emit('SIGWINCH', 'SIGWINCH');

/**
 * Handles signals that arrived together with this one first: a SIGTERM must not wait until the
 * terminal is back.
 */
const afterOtherSignals = async (): Promise<void> => immediate();

export type JobControl = {
	/** Stops the program like Ctrl-Z in a shell. */
	suspend(): void;
	redraw(): void;
	/**
	 * Lends the terminal to another program until the promise settles. False if it cannot be lent;
	 * `away` is not called then.
	 */
	lendDuring(away: () => Promise<void>): Promise<boolean>;
	/** Called once Ink can lend the terminal. */
	ready(lend: SuspendTerminal): void;
};

export const createJobControl = (terminal: ScreenTerminal): JobControl => {
	let lend: SuspendTerminal | undefined;
	let isBusy = false;
	let continued = (): void => {};

	/** `pid`: 0 for the whole job. */
	const stop = async (pid: number): Promise<void> => {
		const {promise, resolve} = Promise.withResolvers<void>();
		continued = resolve;
		process.off('SIGTSTP', suspend);
		// The kernel drops SIGTSTP, but not SIGSTOP, if no shell could continue this process.
		process.kill(pid, 'SIGTSTP');
		// The timer also keeps Node alive while Ink does not read.
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
			// Ink is redrawing; the next key press succeeds.
			isBusy = false;
			return false;
		}
		terminal.lend();
		await away();
		await afterOtherSignals();
		// Set first: a program in the background is stopped here, before it draws over the shell.
		process.stdin.setRawMode(true);
		terminal.takeBack();
		readSize();
		await held.resume();
		isBusy = false;
		return true;
	};

	/**
	 * Redraws after a stop that was not requested here. The shell has changed the terminal's mode,
	 * and libuv sets a mode only if it differs from its previous one.
	 */
	const drawAgain = async (): Promise<void> => {
		if (lend === undefined || isBusy) return;
		await afterOtherSignals();
		process.stdin.setRawMode(false);
		await lendDuring(async () => {});
	};

	const suspend = (): void => {
		// An editor that stops also stops its whole job, and the shell waits for this process.
		if (terminal.guest) void stop(process.pid);
		// The whole job, since npm or a shell may be in between.
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
			// Ink refuses to suspend while the terminal is lent. It redraws after that anyway.
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
