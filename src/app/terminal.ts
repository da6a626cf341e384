// The terminal of the screens: taken before anything is loaded, given back whatever happens.
import {writeSync} from 'node:fs';

/**
 * Ink enters the alternate screen again, which changes nothing; but it neither clears it nor moves the cursor home first.
 * Without autowrap a character whose width the terminal sees differently spoils its own row only.
 */
const TAKE = '\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l';
/** Bracketed paste off, cursor shown: whatever of it was on. */
const GIVE_BACK = '\u001B[?2004l\u001B[?25h';
/** Where there is no other screen, as in GNU screen by default, what stands there would stay below the shell's prompt. */
export const CLEAR = '\u001B[H\u001B[2J';
const LEAVE = `${CLEAR}\u001B[?1049l`;

/**
 * Modes that a program started from here must not meet: no autowrap, Meta and Alt as ESC before the key (1036, 1039; xterm types `±` else),
 * Shift and Ctrl reported with keys that have no code for it (modifyOtherKeys). The terminal notes what was on before, 1007 too, which decides
 * whether the wheel sends arrow keys: nothing is asked, so no answer can come when the program is gone.
 */
const SET_MODES = '\u001B[?1007;1036;1039s\u001B[?1036;1039h\u001B[>4;1m\u001B[?7l';
/** A title that follows each key down a list would be a write of its own, beside the frame. */
const TITLE_AFTER_MS = 100;
const KITTY_KEYS_OFF = '\u001B[<u';
const WHEEL_OFF = '\u001B[?1007l';
/** Terminals that cannot note modes (Alacritty, Windows Terminal) know only 1007 of them, and begin with it on: so on, and then as it was noted. */
const WHEEL_ON = '\u001B[?1007h\u001B[?1007r';
const UNSET_MODES = `\u001B[?7h\u001B[>4m${WHEEL_ON}\u001B[?1036;1039r`;
/** The title of the window is put on the terminal's stack, and taken from there. */
const KEEP_TITLE = '\u001B[22;2t';
const PUT_TITLE_BACK = '\u001B[23;2t';
/** Kitty does not know 1007: its wheel sends keys unless the mouse is asked for. What it reports is dropped; with Shift it selects as before. */
const MOUSE_ON = '\u001B[?1000;1006h';
const MOUSE_OFF = '\u001B[?1000;1006l';

/** Exit codes of the signals that end the program. */
export const SIGNALS = {SIGHUP: 129, SIGINT: 130, SIGTERM: 143} as const;
export type EndSignal = keyof typeof SIGNALS;

export type ScreenTerminal = {
	/** Lines of text are written, for a screen reader, and no screens drawn. */
	readonly isReadOut: boolean;
	/** Gives the terminal back, once, and says some words there. */
	giveBack(words?: string): void;
	/** The shell has the terminal: nothing is given back to it. */
	readonly lent: boolean;
	/** Another program may have the terminal, which Ink has left. */
	lend(): void;
	/** It is ours again; Ink does the rest. */
	takeBack(): void;
	/** Puts a title on the window a moment later, where the one before comes back at the end. Safe characters only. */
	setTitle(title: () => string): void;
	/** Settles when the terminal has answered what it was asked, so that no answer reaches the next program; or after a moment. */
	answered: () => Promise<void>;
	/** Ink has put the alternate screen on, or off. */
	isOnAlternate: boolean;
	/** Ink has turned the keys of the kitty protocol on, and not off again. */
	hasKittyKeys: boolean;
	/** Whether the wheel may send Up and Down: not where these change what is typed. */
	letWheel(isKeys: boolean): void;
	/** Clicks and the wheel are reported from now on, wherever the terminal is ours. */
	takeMouse(): void;
	/** Passes a signal on to the program that we have lent the terminal to. */
	guest: ((signal: EndSignal) => void) | undefined;
	/** What a signal does; at first it ends the program at once. */
	onSignal: (signal: EndSignal) => void;
};

/** Writes at once, since the process may end before anything else is written. */
export const writeLast = (text: string): void => {
	try {
		writeSync(1, text);
	} catch {
		// The terminal is gone: there is nothing to restore and nobody to inform.
	}
};

/** Begins raw mode; the terminal is given back with the process. */
export const endWithProcess = (terminal: ScreenTerminal): void => {
	// Node itself ends raw mode, but only in an exit that it sees: a signal nobody listens to leaves everything as it is.
	process.on('exit', () => terminal.giveBack());
	for (const signal of Object.keys(SIGNALS) as EndSignal[])
		process.on(signal, () => terminal.onSignal(signal));
	process.stdin.setRawMode(true);
};

/** rxvt, GNU screen and the Linux console have no stack of titles: what is put there would stay. */
const keepsTitle = (name: string | undefined, isInScreen: boolean): boolean =>
	!isInScreen && !/^(?:rxvt|linux|eterm|cons|vt\d)/.test(name ?? 'vt1');

/** Raw mode and the alternate screen of a terminal (TERM names it; `isInScreen`: GNU screen's); both end with the process, however it ends (but for SIGKILL). */
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
			// Twice would put the cursor back to where it was before the first words.
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
