// The terminal of the screens: taken before anything is loaded, given back whatever happens.
import {writeSync} from 'node:fs';

/**
 * Ink enters the alternate screen again, which changes nothing; but it neither clears it nor moves the cursor home first.
 * Without autowrap a character whose width the terminal sees differently spoils its own row only.
 */
const TAKE = '\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l\u001B[?7l';
/** Autowrap on, bracketed paste off, cursor shown, main screen: whatever of it was on. */
const GIVE_BACK = '\u001B[?7h\u001B[?2004l\u001B[?25h\u001B[?1049l';

/** Exit codes of the signals that end the program. */
export const SIGNALS = {SIGHUP: 129, SIGINT: 130, SIGTERM: 143} as const;
export type EndSignal = keyof typeof SIGNALS;

export type ScreenTerminal = {
	/** Gives the terminal back, once, and says some words there. */
	giveBack(words?: string): void;
	/** The shell has the terminal: nothing is given back to it. */
	lent: boolean;
	/** Tells a signal to the program that we have lent the terminal to. */
	guest: ((signal: EndSignal) => void) | undefined;
	/** What a signal does; at first it ends the program at once. */
	onSignal: (signal: EndSignal) => void;
};

/** Raw mode and the alternate screen; both end with the process, however it ends (but for SIGKILL). */
export const takeTerminal = (): ScreenTerminal => {
	let isTaken = true;
	const terminal: ScreenTerminal = {
		lent: false,
		guest: undefined,
		giveBack(words = '') {
			// Twice would put the cursor back to where it was before the first words.
			const restore = isTaken && !terminal.lent ? GIVE_BACK : '';
			isTaken = false;
			try {
				writeSync(1, restore + words);
			} catch {
				// The terminal is gone: there is nothing to restore and nobody to tell.
			}
		},
		onSignal: signal => process.exit(SIGNALS[signal]),
	};
	// Node itself ends raw mode, but only in an exit that it sees: a signal nobody listens to leaves everything as it is.
	process.on('exit', () => terminal.giveBack());
	for (const signal of Object.keys(SIGNALS) as EndSignal[]) process.on(signal, () => terminal.onSignal(signal));
	process.stdin.setRawMode(true);
	process.stdout.write(TAKE);
	return terminal;
};
