// Terminal of screen-reader mode. Lines scroll as in any command. Bracketed paste is the only mode
// that is set.
import {endWithProcess, SIGNALS, writeLast, type ScreenTerminal} from '../terminal.ts';

const TAKE = '\u001B[?2004h';
const GIVE_BACK = '\u001B[?2004l';

/** Switches the terminal to raw mode, and back whenever the process ends (except after SIGKILL). */
export const openLineTerminal = (): ScreenTerminal => {
	let isTaken = true;
	let isLent = false;
	const terminal: ScreenTerminal = {
		isReadOut: true,
		get lent() {
			return isLent;
		},
		lend() {
			isLent = true;
			process.stdout.write(GIVE_BACK);
		},
		takeBack() {
			isLent = false;
			process.stdout.write(TAKE);
		},
		setTitle() {},
		takeMouse() {},
		answered: async () => {},
		isOnAlternate: false,
		hasKittyKeys: false,
		letWheel() {},
		guest: undefined,
		giveBack(words = '') {
			const restore = isTaken && !isLent ? GIVE_BACK : '';
			isTaken = false;
			writeLast(restore + words);
		},
		onSignal: signal => process.exit(SIGNALS[signal]),
	};
	endWithProcess(terminal);
	process.stdout.write(TAKE);
	return terminal;
};
