// Terminal of the screens: taken before anything is loaded, and given back in any case.
import {writeSync} from 'node:fs';

/**
 * Ink enters the alternate screen again, which changes nothing, but it does not clear the screen or
 * move the cursor home first. Without autowrap, a character whose width the terminal sees
 * differently spoils only its own row.
 */
const TAKE = '\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l';
/** Switches bracketed paste off and shows the cursor. */
const GIVE_BACK = '\u001B[?2004l\u001B[?25h';
/**
 * Removes the last frame, which would stay below the shell's prompt without an alternate screen, as
 * in GNU screen by default.
 */
export const CLEAR = '\u001B[H\u001B[2J';
const LEAVE = `${CLEAR}\u001B[?1049l`;

/**
 * Modes that programs started from here must not see: no autowrap, Meta and Alt as ESC before the
 * key (1036, 1039; xterm types `±` otherwise), Shift and Ctrl reported with keys that have no code
 * for them (modifyOtherKeys). The terminal itself saves the earlier modes, also 1007, which makes
 * the wheel send arrow keys. Nothing is queried, so no reply can arrive after the program has
 * ended.
 */
const SET_MODES = '\u001B[?1007;1036;1039s\u001B[?1036;1039h\u001B[>4;1m\u001B[?7l';
/**
 * Delay of the window title in ms. Updated on each key down a list, it would be a separate write
 * beside the frame.
 */
const TITLE_AFTER_MS = 100;
const KITTY_KEYS_OFF = '\u001B[<u';
const WHEEL_OFF = '\u001B[?1007l';
/**
 * Terminals that cannot save modes (Alacritty, Windows Terminal) know only 1007, and start with it
 * on: so it is switched on, and then restored.
 */
const WHEEL_ON = '\u001B[?1007h\u001B[?1007r';
const UNSET_MODES = `\u001B[?7h\u001B[>4m${WHEEL_ON}\u001B[?1036;1039r`;
/** Saves the window title on the terminal's stack, and restores it from there. */
const KEEP_TITLE = '\u001B[22;2t';
const PUT_TITLE_BACK = '\u001B[23;2t';
/**
 * Kitty does not know 1007: its wheel sends keys unless the mouse is reported. Reports are dropped;
 * with Shift, the mouse selects as before.
 */
const MOUSE_ON = '\u001B[?1002;1006h';
const MOUSE_OFF = '\u001B[?1002;1006l';

/** Exit codes of the signals that end the program. */
export const SIGNALS = {SIGHUP: 129, SIGINT: 130, SIGTERM: 143} as const;
export type EndSignal = keyof typeof SIGNALS;

export type ScreenTerminal = {
	/** True if lines of text are written for a screen reader, instead of screens. */
	readonly isReadOut: boolean;
	/** Gives the terminal back, once, and prints some text there. */
	giveBack(words?: string): void;
	/** True while another program has the terminal, which then needs no restoring. */
	readonly lent: boolean;
	/** Lends the terminal, which Ink has left, to another program. */
	lend(): void;
	/** Takes the terminal back; Ink redraws. */
	takeBack(): void;
	/**
	 * Sets the window title after a short delay. The original title returns at the end. Safe
	 * characters only.
	 */
	setTitle(title: () => string): void;
	/**
	 * Resolves once the terminal has replied to all queries, or after a moment. No reply may reach
	 * the next program.
	 */
	answered: () => Promise<void>;
	/** True while Ink has the alternate screen on. */
	isOnAlternate: boolean;
	/** True while Ink has the keys of the kitty protocol on. */
	hasKittyKeys: boolean;
	/** Sets whether the wheel may send Up and Down: not while these keys change typed text. */
	letWheel(isKeys: boolean): void;
	/** Reports clicks and the wheel from now on, while this program has the terminal. */
	takeMouse(): void;
	/** Passes a signal on to the program that borrows the terminal. */
	guest: ((signal: EndSignal) => void) | undefined;
	/** Handles a signal. Initially, it ends the program at once. */
	onSignal: (signal: EndSignal) => void;
};

/** Writes synchronously, since the process may end before anything else is written. */
export const writeLast = (text: string): void => {
	try {
		writeSync(1, text);
	} catch {
		// The terminal is gone, so there is nothing to restore.
	}
};

/** Starts raw mode, and gives the terminal back when the process ends. */
export const endWithProcess = (terminal: ScreenTerminal): void => {
	// Node ends raw mode only in an exit that it sees. An unhandled signal leaves the terminal as
	// it is.
	process.on('exit', () => terminal.giveBack());
	for (const signal of Object.keys(SIGNALS) as EndSignal[])
		process.on(signal, () => terminal.onSignal(signal));
	process.stdin.setRawMode(true);
};

/**
 * True if the terminal has a stack of titles. Without one (rxvt, GNU screen, Linux console), a new
 * title would stay.
 */
const keepsTitle = (name: string | undefined, isInScreen: boolean): boolean =>
	!isInScreen && !/^(?:rxvt|linux|eterm|cons|vt\d)/.test(name ?? 'vt1');

/**
 * Takes raw mode and the alternate screen. Both end with the process, however it ends (except for
 * SIGKILL). `name`: TERM. `isInScreen`: inside GNU screen.
 */
export const takeTerminal = (name: string | undefined, isInScreen: boolean): ScreenTerminal => {
	const isKitty = name === 'xterm-kitty';
	let isMouseOn = false;
	const wheelOn = (): string => `${WHEEL_ON}${isKitty && !isMouseOn ? MOUSE_OFF : ''}`;
	const wheelOff = (): string => `${WHEEL_OFF}${isKitty && !isMouseOn ? MOUSE_ON : ''}`;
	const hasTitle = keepsTitle(name, isInScreen);
	const setModes = `${SET_MODES}${hasTitle ? KEEP_TITLE : ''}`;
	const unsetModes = (): string =>
		`${UNSET_MODES}${isKitty || isMouseOn ? MOUSE_OFF : ''}${hasTitle ? PUT_TITLE_BACK : ''}`;
	let isTaken = true;
	let isLent = false;
	let isWheelOn = true;
	let title = '';
	let newTitle = (): string => title;
	let titleTimer: NodeJS.Timeout | undefined;
	const drawnTitle = (): string => (title === '' ? '' : `\u001B]2;${title}\u001B\\`);
	const terminal: ScreenTerminal = {
		isReadOut: false,
		get lent() {
			return isLent;
		},
		lend() {
			isLent = true;
			process.stdout.write(unsetModes());
		},
		takeBack() {
			isLent = false;
			process.stdout.write(
				setModes + (isWheelOn ? '' : wheelOff()) + (isMouseOn ? MOUSE_ON : '') + drawnTitle(),
			);
		},
		letWheel(isKeys) {
			if (isKeys === isWheelOn) return;
			isWheelOn = isKeys;
			if (isTaken && !isLent) process.stdout.write(isKeys ? wheelOn() : wheelOff());
		},
		setTitle(next) {
			if (!hasTitle) return;
			newTitle = next;
			titleTimer ??= setTimeout(() => {
				titleTimer = undefined;
				const before = title;
				title = newTitle();
				if (title === before) return;
				if (isTaken && !isLent) process.stdout.write(drawnTitle());
			}, TITLE_AFTER_MS).unref();
		},
		answered: async () => {},
		isOnAlternate: true,
		hasKittyKeys: false,
		takeMouse() {
			isMouseOn = true;
			process.stdout.write(MOUSE_ON);
		},
		guest: undefined,
		giveBack(words = '') {
			// A second restore would move the cursor to its position before the first text.
			const restore =
				isTaken && !isLent
					? unsetModes() +
						(terminal.hasKittyKeys ? KITTY_KEYS_OFF : '') +
						GIVE_BACK +
						(terminal.isOnAlternate ? LEAVE : '')
					: '';
			isTaken = false;
			writeLast(restore + words);
		},
		onSignal: signal => process.exit(SIGNALS[signal]),
	};
	endWithProcess(terminal);
	process.stdout.write(TAKE + setModes);
	return terminal;
};
