import {constants} from 'node:os';
import {spawn, type IPty} from '@lydell/node-pty';
import {UnicodeGraphemesAddon} from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import {noteFrames} from './frames.ts';
import {keyBytes} from './key-bytes.ts';
import {keepKeyModes, type KeyModeOptions} from './key-modes.ts';
import {answering, type Replies} from './pictures.ts';
import {bystanders} from './processes.ts';
import {readReports, underShell} from './session-leader.ts';
import {recordEvents, type TerminalEvents} from './terminal-events.ts';
import {PATIENCE} from './wait-for.ts';

export type TerminalOptions = {
	/** The program and its arguments. */
	readonly command: readonly string[];
	readonly columns?: number;
	readonly rows?: number;
	/** The complete environment of the program, which inherits no variables. */
	readonly env: Readonly<Record<string, string>>;
	readonly cwd?: string;
	readonly keyModes?: KeyModeOptions;
	/**
	 * Determines the width of characters: by graphemes, or with `6` as in Unicode 6, where an emoji
	 * has one cell.
	 */
	readonly unicode?: '6';
	/** Replies to queries, instead of those of xterm.js. */
	readonly replies?: Replies;
};

/**
 * The exit as a shell reports it: code 128+n for a program that signal n has ended. A program that
 * caught the signal may use that code too.
 */
export type Exit = {readonly code: number; readonly signal: NodeJS.Signals | null};

export type Modes = {
	readonly alternateScreen: boolean;
	readonly bracketedPaste: boolean;
	readonly cursorVisible: boolean;
	readonly autoWrap: boolean;
	readonly mouse: boolean;
	readonly focusReports: boolean;
	/** Depth of the kitty keyboard stack after the program's pushes and pops. */
	readonly kittyKeyboard: number;
	/** Active modes for keys and wheel, see {@link keepKeyModes}. */
	readonly keys: readonly string[];
};

export type Cursor = {readonly column: number; readonly row: number};

/** A program in a terminal: a user's view and actions. Rows and columns count from 0. */
export type Terminal = AsyncDisposable & {
	/** Process id of the program itself. */
	readonly pid: number;
	readonly exit: Promise<Exit>;
	readonly events: TerminalEvents;
	/** The screen's rows, without spaces at their ends, joined by newlines. */
	screen(): string;
	line(row: number): string;
	cell(column: number, row: number): string;
	/** The colour of a cell's text, as 0xRRGGBB. Null if it is not an exact colour. */
	colour(column: number, row: number): number | null;
	/**
	 * True if the first cell of a text in a row is faint, or grey in a terminal that may not draw
	 * faint text.
	 */
	isDim(text: string, index: number): boolean;
	cursor(): Cursor;
	/** Title of the window; empty before the program sets it. */
	title(): string;
	modes(): Modes;
	/** Sends the text unchanged, in a single write. */
	type(text: string): void;
	/** Presses keys by name, one after the other, see {@link keyBytes}. */
	press(...names: readonly string[]): void;
	/**
	 * Pastes as a terminal does: with CR for newlines, and bracketed if the program has requested
	 * that.
	 */
	paste(text: string): void;
	/**
	 * Waits until the screen matches, and resolves to the screen.
	 * @throws {Error} with the whole screen after the time limit, or after the program has ended.
	 */
	until(pattern: string | RegExp, timeoutMs?: number): Promise<string>;
	/** Waits until the screen no longer matches. */
	gone(pattern: string | RegExp, timeoutMs?: number): Promise<string>;
	/**
	 * Waits until a condition on the terminal is true. The condition is checked after each piece of
	 * output.
	 */
	untilTrue(what: string, condition: () => boolean, timeoutMs?: number): Promise<string>;
	resize(columns: number, rows: number): void;
	kill(signal: NodeJS.Signals): void;
	/**
	 * Closes the terminal window. The program loses its terminal, and receives SIGHUP unless its
	 * shell sends none.
	 */
	hangUp(options?: {readonly signal: boolean}): void;
	/**
	 * Simulates a terminal that hangs: the program's output is not read until the returned function
	 * is called.
	 */
	stall(): () => void;
	/**
	 * Differences of the terminal from its state before the program; empty after a clean exit. To
	 * be called after {@link exit}.
	 */
	leftovers(): Promise<readonly string[]>;
	/**
	 * Called with each piece of output and its time of arrival (`performance.now()`). Returns a
	 * function that removes the listener.
	 */
	onOutput(listener: (chunk: string, at: number) => void): () => void;
};

/**
 * Pause between Esc and the next key, as a user makes it. After 20 ms, a program treats a lone ESC
 * byte as the Esc key.
 */
const AFTER_ESCAPE_MS = 80;
const UNTIL_MS = PATIENCE;
/** Index of the first of the 24 greys at the end of the 256 colours. */
const FIRST_GREY = 232;
const HANG_UP_GRACE_MS = 2000;

type Waiter = {readonly holds: () => boolean; readonly settle: () => void};
/** Members of node-pty's terminal that its types omit. */
type UnixPty = IPty & {destroy(): void};

const signalOf = (code: number): NodeJS.Signals | null => {
	const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
	return found ? (found[0] as NodeJS.Signals) : null;
};

const matcher =
	(pattern: string | RegExp) =>
	(screen: string): boolean =>
		typeof pattern === 'string'
			? screen.includes(pattern)
			: new RegExp(pattern, pattern.flags.replaceAll(/[gy]/g, '')).test(screen);

/**
 * Starts a program in a pty. A terminal emulator reads its output and answers queries as xterm
 * does.
 */
export const openTerminal = async (options: TerminalOptions): Promise<Terminal> => {
	const {columns = 120, rows = 40, env, cwd = process.cwd()} = options;
	const [file, args] = underShell(options.command);

	const emulator = new headless.Terminal({
		cols: columns,
		rows,
		allowProposedApi: true,
		scrollback: 1000,
		windowOptions: {pushTitle: true, popTitle: true},
	});
	let title = '';
	emulator.onTitleChange(next => {
		title = next;
	});
	emulator.loadAddon(new UnicodeGraphemesAddon());
	if (options.unicode) emulator.unicode.activeVersion = options.unicode;
	const events = recordEvents(emulator);
	const log = noteFrames(`${options.command.join(' ')} (${columns}x${rows})`);
	const keyModes = keepKeyModes(emulator, options.keyModes);
	const reports = readReports(emulator.parser);
	const pty = spawn(file, [...args], {
		name: env['TERM'] ?? 'xterm-256color',
		cols: columns,
		rows,
		cwd,
		env: {...env},
	}) as UnixPty;
	bystanders.add(pty.pid);
	const listeners = new Set<(chunk: string, at: number) => void>();
	const waiters = new Set<Waiter>();
	let ended: Exit | undefined;

	const look = (): void => {
		for (const waiter of [...waiters]) if (ended || waiter.holds()) waiter.settle();
	};
	pty.onData(chunk => {
		const at = performance.now();
		for (const listener of listeners) listener(chunk, at);
		emulator.write(chunk, look);
	});
	const exit = new Promise<Exit>(resolve => {
		pty.onExit(({exitCode}) => {
			bystanders.delete(pty.pid);
			emulator.write('', () => {
				ended = {code: exitCode, signal: signalOf(exitCode)};
				look();
				resolve(ended);
			});
		});
	});

	const pending: string[] = [];
	let holding = false;
	const send = (bytes: string): void => {
		if (holding) {
			pending.push(bytes);
			return;
		}
		if (ended) return;
		log.isSent(bytes);
		pty.write(bytes);
		if (bytes !== '\u001B') return;
		holding = true;
		setTimeout(() => {
			holding = false;
			while (!holding && pending.length > 0) send(pending.shift()!);
		}, AFTER_ESCAPE_MS);
	};
	const {replies} = options;
	if (replies) {
		const answer = answering(replies, send);
		listeners.add(answer);
		// The emulator still sends keys and cursor reports.
		emulator.onData(data => /^\u001B(?:\[[?>].*c|P>.*)$/s.test(data) || send(data));
	} else emulator.onData(send);

	const drawnRow = (index: number): string =>
		emulator.buffer.active
			.getLine(emulator.buffer.active.baseY + index)
			?.translateToString(true, 0, emulator.cols) ?? '';
	const drawnCursor = () => ({column: emulator.buffer.active.cursorX, row: emulator.buffer.active.cursorY});
	// Screen before the current synchronized frame, which a terminal shows until the frame is
	// complete. A piece of output with the awaited frame may also contain the start of the next
	// frame.
	let before: {readonly rows: readonly string[]; readonly cursor: Cursor} | undefined;
	const onSynchronized = (final: 'h' | 'l', act: () => void): void => {
		emulator.parser.registerCsiHandler({prefix: '?', final}, params => {
			if (params.includes(2026)) act();
			return false;
		});
	};
	onSynchronized('h', () => {
		before ??= {rows: Array.from({length: emulator.rows}, (_, at) => drawnRow(at)), cursor: drawnCursor()};
	});
	onSynchronized('l', () => {
		before = undefined;
	});
	const row = (index: number): string => (before && !ended ? (before.rows[index] ?? '') : drawnRow(index));
	const screen = (): string => {
		const now = Array.from({length: emulator.rows}, (_, index) => row(index)).join('\n');
		log.shows(now);
		// Removes the scroll mark of a pane, which is not part of the text.
		return now.replaceAll(/(?<! ) *┃$/gm, '');
	};
	const lastMode = (mode: string): boolean | undefined => {
		const found = events.modes.findLast(entry => entry === `?${mode}h` || entry === `?${mode}l`);
		return found?.endsWith('h');
	};
	const modes = (): Modes => ({
		alternateScreen: emulator.buffer.active.type === 'alternate',
		bracketedPaste: emulator.modes.bracketedPasteMode,
		cursorVisible: lastMode('25') ?? true,
		autoWrap: emulator.modes.wraparoundMode,
		mouse: emulator.modes.mouseTrackingMode !== 'none',
		focusReports: emulator.modes.sendFocusMode,
		keys: keyModes.now(),
		kittyKeyboard: events.modes.reduce(
			(depth, entry) =>
				entry.startsWith('>') ? depth + 1 : entry.startsWith('<') ? Math.max(0, depth - 1) : depth,
			0,
		),
	});

	const untilTrue = async (what: string, condition: () => boolean, timeoutMs = UNTIL_MS): Promise<string> => {
		// The error is created here, because a stack from the timer would not contain the line of
		// the test.
		const failure = new Error(what);
		// Conditions are not checked during a synchronized frame, because terminals show frames
		// only when complete.
		const holds = (): boolean =>
			(ended !== undefined || !emulator.modes.synchronizedOutputMode) && condition();
		return new Promise((resolve, reject) => {
			const settle = (): void => {
				waiters.delete(waiter);
				clearTimeout(timer);
				clearInterval(looks);
				if (holds()) {
					resolve(screen());
					return;
				}
				const why = ended
					? `the program ended (code ${ended.code}, signal ${ended.signal ?? 'none'})`
					: `${timeoutMs} ms passed`;
				failure.message = `waited for ${what}, but ${why}. The screen (${emulator.cols}x${emulator.rows}):\n${screen()
					.split('\n')
					.map(text => `│${text}`)
					.join('\n')}`;
				reject(failure);
			};
			const waiter: Waiter = {holds, settle};
			const timer = setTimeout(settle, timeoutMs);
			// Checks at intervals too, because a file or a request causes no event of the terminal.
			const looks = setInterval(() => {
				if (holds()) settle();
			}, 100);
			waiters.add(waiter);
			if (ended || holds()) settle();
		});
	};

	const pid = await Promise.race([
		reports.pid,
		exit.then(({code}) => {
			throw new Error(`the shell above the program ended with ${code} before it ran anything`);
		}),
	]);
	const signalProgram = (signal: NodeJS.Signals): void => {
		try {
			process.kill(pid, signal);
		} catch {
			// The program has ended, and its shell is about to end.
		}
	};

	return {
		pid,
		exit,
		events,
		screen,
		line: row,
		cell: (column, index) =>
			emulator.buffer.active
				.getLine(emulator.buffer.active.baseY + index)
				?.getCell(column)
				?.getChars() ?? '',
		colour(column, index) {
			const cell = emulator.buffer.active.getLine(emulator.buffer.active.baseY + index)?.getCell(column);
			return cell?.isFgRGB() ? cell.getFgColor() : null;
		},
		isDim: (text, index) => {
			const cell = emulator.buffer.active
				.getLine(emulator.buffer.active.baseY + index)
				?.getCell(row(index).indexOf(text));
			return Boolean(cell && (cell.isDim() || (cell.isFgPalette() && cell.getFgColor() >= FIRST_GREY)));
		},
		cursor: () => (before && !ended ? before.cursor : drawnCursor()),
		title: () => title,
		modes,
		type: send,
		press(...names) {
			for (const name of names)
				send(keyBytes(name, {applicationCursor: emulator.modes.applicationCursorKeysMode}));
		},
		paste(text) {
			const bytes = text.replaceAll(/\r?\n/g, '\r');
			send(emulator.modes.bracketedPasteMode ? `\u001B[200~${bytes}\u001B[201~` : bytes);
		},
		until: async (pattern, timeoutMs) =>
			untilTrue(`${pattern} on the screen`, () => matcher(pattern)(screen()), timeoutMs),
		gone: async (pattern, timeoutMs) =>
			untilTrue(`${pattern} to leave the screen`, () => !matcher(pattern)(screen()), timeoutMs),
		untilTrue,
		resize(newColumns, newRows) {
			// Resizes the emulator first, so that it never receives output for the new size while
			// it has the old one.
			emulator.resize(newColumns, newRows);
			pty.resize(newColumns, newRows);
		},
		kill(signal) {
			if (!ended) signalProgram(signal);
		},
		hangUp({signal} = {signal: true}) {
			pty.destroy();
			// The kernel only signals the leader of the session. Signalling its jobs is the task of
			// the shell.
			if (signal) signalProgram('SIGHUP');
		},
		stall() {
			pty.pause();
			return () => pty.resume();
		},
		async leftovers() {
			await exit;
			const state = modes();
			const problems: string[] = [];
			if (title !== '') problems.push(`the window is still called ${title}`);
			if (state.alternateScreen) problems.push('the alternate screen is still on');
			if (!state.cursorVisible) problems.push('the cursor is still hidden');
			if (state.bracketedPaste) problems.push('bracketed paste is still on');
			if (!state.autoWrap) problems.push('automatic wrapping is still off');
			if (state.mouse) problems.push('mouse reports are still on');
			if (state.focusReports) problems.push('focus reports are still on');
			if (state.keys.join(' ') !== keyModes.before.join(' '))
				problems.push(
					`keys are sent as by modes ${state.keys.join(' ') || 'none'}, not ${keyModes.before.join(' ') || 'none'}`,
				);
			if (state.kittyKeyboard > 0) problems.push('the kitty keyboard protocol is still on');
			if (reports.after() === undefined || reports.after() !== reports.before())
				problems.push('the line is not in the mode it was in (raw mode, echo)');
			return problems;
		},
		onOutput(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async [Symbol.asyncDispose]() {
			if (!ended) {
				// Output is read again, because the shell above a stalled program writes its last
				// reports too.
				pty.resume();
				signalProgram('SIGHUP');
				const last = setTimeout(() => {
					signalProgram('SIGKILL');
				}, HANG_UP_GRACE_MS);
				await exit;
				clearTimeout(last);
			}
			emulator.dispose();
			log.ends();
		},
	};
};
