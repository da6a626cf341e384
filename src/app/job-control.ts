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
 * Ink's `suspendTerminal`. It stops drawing and reading until resumed, switches to the main screen
 * and leaves raw mode.
 */
export type SuspendTerminal = () => Promise<{resume(): Promise<void>}>;

/** Longest time until a SIGTSTP takes effect, in ms. */
const STOP_COMES_WITHIN = 100;

/**
 * Reads the terminal's size again. Needed after the program was stopped or has lent the terminal,
 * because the kernel reports a change only to the foreground job.
 */
const readSize = (): void => void process.emit('SIGWINCH', 'SIGWINCH');

/**
 * Lets Node handle signals that arrived together with the current one. Otherwise a SIGTERM would
 * wait until the terminal is taken back.
 */
const afterOtherSignals = async (): Promise<void> => immediate();

export type JobControl = {
	/** Stops the program like Ctrl-Z in a shell. */
	suspend(): void;
	redraw(): void;
	/**
	 * Lends the terminal to another program until the promise settles. Returns false, without
	 * calling `away`, if it cannot be lent.
	 */
	lendDuring(away: () => Promise<void>): Promise<boolean>;
	/** Called once Ink can lend the terminal. */
	ready(lend: SuspendTerminal): void;
};

export const createJobControl = (terminal: ScreenTerminal): JobControl => {
	let lend: SuspendTerminal | undefined;
	let isBusy = false;
	let continued = (): void => {};

	/** Stops this process until it is continued. `pid`: 0 for the whole job. */
	const stop = async (pid: number): Promise<void> => {
		const {promise, resolve} = Promise.withResolvers<void>();
		continued = resolve;
		process.off('SIGTSTP', suspend);
		// Not SIGSTOP: if no shell could continue this process, the kernel drops only SIGTSTP.
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
			// Ink is redrawing. The next key press will succeed.
			isBusy = false;
			return false;
		}
		terminal.lend();
		await away();
		await afterOtherSignals();
		// Must come first: if this program is in the background, the system stops it here, before
		// it can draw over the shell.
		process.stdin.setRawMode(true);
		terminal.takeBack();
		readSize();
		await held.resume();
		isBusy = false;
		return true;
	};

	/**
	 * Redraws after a stop that this program did not request. The shell has changed the terminal's
	 * mode. Raw mode is switched off first, because libuv sets a mode only if it differs from its
	 * last one.
	 */
	const drawAgain = async (): Promise<void> => {
		if (lend === undefined || isBusy) return;
		await afterOtherSignals();
		process.stdin.setRawMode(false);
		await lendDuring(async () => {});
	};

	const suspend = (): void => {
		// The editor stops its whole job. The shell also waits for this process to stop.
		if (terminal.guest) void stop(process.pid);
		// Stops the whole job, because there may be an npm or a shell between this process and the
		// user's shell.
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
			// Ink cannot suspend while the terminal is lent, but then redraws after that.
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
