// Terminal of the screens. It is prepared before anything is loaded, and restored in any case.
import {writeSync} from 'node:fs';

/**
 * Switches to the alternate screen, clears it and moves the cursor home. Ink switches too, without
 * effect, but does not clear or move. Autowrap is off in the screens, so that a character of
 * unexpected width affects only its own row.
 */
const TAKE = '\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l';
/** Switches bracketed paste off and shows the cursor. */
const GIVE_BACK = '\u001B[?2004l\u001B[?25h';
/**
 * Removes the last frame. Without an alternate screen, as in GNU screen by default, it would remain
 * below the shell's prompt.
 */
export const CLEAR = '\u001B[H\u001B[2J';
const LEAVE = `${CLEAR}\u001B[?1049l`;

/**
 * Modes of the screens, which programs started from here must not inherit. No autowrap. Meta and
 * Alt send ESC before the key (1036, 1039); without this, xterm types `±`. Shift and Ctrl are
 * reported with keys that have no code for them (modifyOtherKeys). The terminal itself saves the
 * earlier modes, including 1007, with which the wheel sends arrow keys. They are not queried, so no
 * reply can arrive after the program has ended.
 */
const SET_MODES = '\u001B[?1007;1036;1039s\u001B[?1036;1039h\u001B[>4;1m\u001B[?7l';
/**
 * Delay of the window title, in ms. Without it, each key press in a list would cause a separate
 * write beside the frame.
 */
const TITLE_AFTER_MS = 100;
const KITTY_KEYS_OFF = '\u001B[<u';
const WHEEL_OFF = '\u001B[?1007l';
/**
 * Terminals that cannot save modes (Alacritty, Windows Terminal) support only 1007, and start with
 * it on. Therefore 1007 is first switched on, then restored.
 */
const WHEEL_ON = '\u001B[?1007h\u001B[?1007r';
const UNSET_MODES = `\u001B[?7h\u001B[>4m${WHEEL_ON}\u001B[?1036;1039r`;
/** Saves the window title on the terminal's stack, and restores it from there. */
const KEEP_TITLE = '\u001B[22;2t';
const PUT_TITLE_BACK = '\u001B[23;2t';
/**
 * Kitty does not support 1007. Its wheel sends keys unless the mouse is reported, so reports are
 * switched on and ignored. With Shift, the mouse still selects text.
 */
const MOUSE_ON = '\u001B[?1002;1006h';
const MOUSE_OFF = '\u001B[?1002;1006l';

/** Exit codes of the signals that end the program. */
export const SIGNALS = {SIGHUP: 129, SIGINT: 130, SIGTERM: 143} as const;
export type EndSignal = keyof typeof SIGNALS;

export type ScreenTerminal = {
	/** True in screen-reader mode, where lines of text are written instead of screens. */
	readonly isReadOut: boolean;
	/** Restores the terminal, once, and prints a text. */
	giveBack(words?: string): void;
	/** True while the terminal is lent to another program. It then needs no restoring. */
	readonly lent: boolean;
	/** Lends the terminal to another program. Ink must have been suspended. */
	lend(): void;
	/** Takes the terminal back; Ink redraws. */
	takeBack(): void;
	/**
	 * Sets the window title after a short delay. It may contain only safe characters. The original
	 * title is restored at the end.
	 */
	setTitle(title: () => string): void;
	/**
	 * Resolves once the terminal has replied to all queries, or after a short time. The next
	 * program must not receive a reply.
	 */
	answered: () => Promise<void>;
	/** True while Ink has the alternate screen on. */
	isOnAlternate: boolean;
	/** True while Ink has switched the kitty keyboard protocol on. */
	hasKittyKeys: boolean;
	/**
	 * Sets whether the wheel may send Up and Down. It must not while these keys would change typed
	 * text.
	 */
	letWheel(isKeys: boolean): void;
	/** Enables reports of clicks and of the wheel, except while the terminal is lent. */
	takeMouse(): void;
	/**
	 * Passes a signal on to the program that has borrowed the terminal. Undefined if there is none.
	 */
	guest: ((signal: EndSignal) => void) | undefined;
	/** Handles a signal. Replaceable; by default it ends the program immediately. */
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
	// Signals need handlers: Node ends raw mode only in a regular exit, so an unhandled signal
	// would leave the terminal in raw mode.
	process.on('exit', () => terminal.giveBack());
	for (const signal of Object.keys(SIGNALS) as EndSignal[])
		process.on(signal, () => terminal.onSignal(signal));
	process.stdin.setRawMode(true);
};

/**
 * True if the terminal has a stack of titles. Without one (rxvt, GNU screen, Linux console), the
 * new title would remain.
 */
const keepsTitle = (name: string | undefined, isInScreen: boolean): boolean =>
	!isInScreen && !/^(?:rxvt|linux|eterm|cons|vt\d)/.test(name ?? 'vt1');

/**
 * Switches to raw mode and the alternate screen. Both are restored whenever the process ends
 * (except after SIGKILL). `name`: value of TERM. `isInScreen`: true inside GNU screen.
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
			// Runs once, because a second restore would move the cursor back to its saved position,
			// over printed text.
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
