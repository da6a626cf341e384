import {Readable} from 'node:stream';
import type {ReadStream} from 'node:tty';
import {plainKey} from './modified-keys.ts';

// The filter decides where one key ends and the next one starts. Ink alone treats a terminal's
// reply as typed text, waits forever for the end of an incomplete paste, and loses one of two Escs
// in the same read. Esc is sent to Ink as `ESC [ 27 u`, which cannot merge with the bytes that
// follow.

const PASTE_START = '\u001B[200~';
const PASTE_END = '\u001B[201~';
const INTERRUPT = '\u0003';

/** The Esc key. */
const ESC_KEY = '\u001B[27u';

/** Time for which ESC is held until the rest of a sequence arrives, in ms. */
const ESCAPE_HOLD = 30;
/**
 * Time for which the start of a sequence is held, in ms. The bytes may also be Alt with a letter.
 */
const SEQUENCE_HOLD = 50;
/**
 * Time for which a longer start of a sequence is held, in ms. It is longer because no user types
 * such bytes.
 */
const LONG_SEQUENCE_HOLD = 500;
/**
 * Time for which the start of a mouse report or of a terminal's reply is held, in ms. If the rest
 * does not arrive, the bytes are dropped, because the user did not type them.
 */
const REPORT_HOLD = 10_000;
/** Time without input after which a paste is complete even without its end marker, in ms. */
const PASTE_HOLD = 2000;
/**
 * Time without input after which Ctrl-C at the end of a paste is a key press, in ms. A paste may
 * contain Ctrl-C, but then the rest of the paste follows at once.
 */
const INTERRUPT_HOLD = 100;
/**
 * Maximum number of UTF-16 units of a paste that are stored, which is more than any field accepts.
 * The rest is dropped, because the end of the paste may never arrive.
 */
const PASTE_MOST = 2 ** 20;

/**
 * Start of a terminal's reply with a string: colours (OSC), names and settings (DCS), graphics
 * (APC). Alt with `]`, `P` or `_` starts with the same bytes.
 */
const STRING_START = /\u001B(?:\][\dlL]|P[\d>!+$|]|_G)/y;
const STRING = /\u001B[\]P_][^\u0000-\u001F\u007F]*(?:\u0007|\u001B\\)/y;
const STRING_SO_FAR = /\u001B[\]P_][^\u0000-\u001F\u007F]*\u001B?$/y;
/** Start of a report that cannot be anything else: of the mouse, a cursor, a device or a colour. */
const REPORT_SO_FAR = /^\u001B(?:\[<[\d;]*|\[\?\d[\d;]*\$?|\[1;\d*|\]1\d(?:;(?:r[gba:/\da-f]*)?)?\u001B?)$/i;
/** Reply about a colour that was cut off, followed by typed text. */
const HALF_COLOUR = /\u001B\]1\d;r[gba:/\da-f]*(?=[^gba:/\da-f\u0007\u001B]|\u001B[^\\])/iy;
/**
 * A control sequence. Two special forms: `ESC [ [ A` is F1 of the Linux console, and `ESC [ 3 $` is
 * Shift-Delete of rxvt.
 */
const CONTROL = /\u001B\[(?:\[.|[235678]\$|[0-?]*[ -/]*[@-~])/sy;
const CONTROL_SO_FAR = /\u001B(?!\[[235678]\$)(?:\[(?:\[|[0-?]*[ -/]*))?$|\u001BO[\d;]*$|\u001B[\]P_]$/y;
/**
 * ESC followed by the sequence of a key. Some terminals send this for Alt with an arrow, Home or
 * Delete.
 */
const ALT_KEY = /\u001B\u001B(?:\[[\d;]*[A-Za-z~^$@]|O[\d;]*[A-Za-z])/y;
const ALT_SO_FAR = /\u001B\u001B(?:\[[\d;]*|O[\d;]*)?$/y;
/** A mouse report in the old form. Three more characters follow. */
const OLD_MOUSE = /\u001B\[M/y;
/**
 * Reports of mouse, focus, cursor, size, device and mode. The reply to `ESC [ ? u` is excluded: Ink
 * needs it.
 */
const REPORT =
	/^\u001B\[(?:<[\d;]*[Mm]|\d+;\d+;\d+M|[IO]|\d+;\d+R|[?>=][\d;]*[cn]|\d+n|[\d;]+t|\??[\d;]*\$y|[\d;]+x|\?[\d;]+S)$/;

/** True for a sequence that Ink interprets as Alt with a key if ESC precedes it. */
const isKey = (sequence: string): boolean =>
	![PASTE_START, PASTE_END, '\u001B[M'].includes(sequence) &&
	!sequence.endsWith('u') &&
	!REPORT.test(sequence) &&
	!sequence.startsWith('\u001B[27;');

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0];
};

/** Interprets an incomplete sequence as the keys that the user must have pressed. */
const asKeys = (text: string): string => {
	if (/^\u001B+$/.test(text)) return ESC_KEY.repeat(text.length);
	const [, escs = '', letter = '', rest = ''] = /^(\u001B*)\u001B(.)([^]*)$/u.exec(text) ?? [];
	// Ink would hold an unchanged `ESC [` or `ESC O` and wait for more bytes.
	return letter === '' ? text : `${ESC_KEY.repeat(escs.length)}\u001B[${letter.codePointAt(0)};3u${rest}`;
};

export type InputFilter = {push(chunk: string): void};

/**
 * Sends typed text and complete pastes to `emit`, in order, and reports of the terminal to `told`.
 */
export const createInputFilter = (
	emit: (text: string) => void,
	told: (report: string) => void = () => {},
): InputFilter => {
	let held = '';
	let inPaste = false;
	let timer: NodeJS.Timeout | undefined;
	let afterRead: NodeJS.Immediate | undefined;

	const giveUp = (): void => {
		if (!inPaste && REPORT_SO_FAR.test(held)) {
			held = '';
			return;
		}
		const text = inPaste ? PASTE_START + held + PASTE_END : asKeys(held);
		held = '';
		inPaste = false;
		emit(text);
	};

	/** Ends an incomplete paste and emits Ctrl-C: the user wants to leave it. */
	const interrupt = (): void => {
		held = held.slice(0, -1);
		giveUp();
		emit(INTERRUPT);
	};

	/** Removes the current paste from `held` and returns it. Empty if its end has not arrived. */
	const takePaste = (searchFrom: number): string => {
		const end = held.indexOf(PASTE_END, searchFrom);
		if (end >= 0) {
			const pasted = held.slice(0, end);
			held = held.slice(end + PASTE_END.length);
			inPaste = false;
			return PASTE_START + pasted + PASTE_END;
		}
		if (held.length > PASTE_MOST + PASTE_END.length)
			held = held.slice(0, PASTE_MOST) + held.slice(1 - PASTE_END.length);
		return '';
	};

	/** Removes and returns the text of `held` before the next paste or incomplete sequence. */
	const takeTyped = (): string => {
		let typed = '';
		let at = 0;
		for (;;) {
			const escape = held.indexOf('\u001B', at);
			typed += held.slice(at, escape < 0 ? undefined : escape);
			if (escape < 0) {
				held = '';
				return typed;
			}
			at = escape;
			if (matchAt(OLD_MOUSE, held, at) !== undefined) {
				if (held.length < at + 6) break;
				at += 6;
				continue;
			}
			const half = matchAt(HALF_COLOUR, held, at);
			if (half !== undefined) {
				at += half.length;
				continue;
			}
			if (matchAt(STRING_START, held, at) !== undefined) {
				const reply = matchAt(STRING, held, at);
				if (reply !== undefined) {
					told(reply);
					at += reply.length;
					continue;
				}
				if (matchAt(STRING_SO_FAR, held, at) !== undefined) break;
			} else if (
				matchAt(CONTROL_SO_FAR, held, at) !== undefined ||
				matchAt(ALT_SO_FAR, held, at) !== undefined
			) {
				break;
			}
			const alt = held[at + 1] === '\u001B' ? matchAt(ALT_KEY, held, at) : undefined;
			if (alt !== undefined && isKey(alt.slice(1))) {
				typed += alt;
				at += alt.length;
				continue;
			}
			if (held[at + 1] === '\u001B') {
				typed += ESC_KEY;
				at++;
				continue;
			}
			const sequence = matchAt(CONTROL, held, at) ?? '\u001B';
			at += sequence.length;
			if (sequence === PASTE_START) {
				inPaste = true;
				break;
			}
			if (REPORT.test(sequence)) told(sequence);
			else if (sequence !== PASTE_END) typed += plainKey(sequence);
		}
		held = held.slice(at);
		return typed;
	};

	return {
		push(chunk) {
			clearTimeout(timer);
			clearImmediate(afterRead);
			const searched = Math.max(0, held.length - PASTE_END.length);
			held += chunk;
			let ready = inPaste ? takePaste(searched) : '';
			while (!inPaste && held !== '') {
				ready += takeTyped();
				if (!inPaste) break;
				ready += takePaste(0);
			}
			if (ready !== '') emit(ready);
			if (!inPaste && held === '') return;
			const interrupted = inPaste && held.endsWith(INTERRUPT);
			const hold = interrupted
				? INTERRUPT_HOLD
				: inPaste
					? PASTE_HOLD
					: /^\u001B+$/.test(held)
						? ESCAPE_HOLD
						: REPORT_SO_FAR.test(held)
							? REPORT_HOLD
							: held.length > 2
								? LONG_SEQUENCE_HOLD
								: SEQUENCE_HOLD;
			// Pending input is read first: the rest of a sequence may have arrived while the
			// program was busy.
			timer = setTimeout(() => (afterRead = setImmediate(interrupted ? interrupt : giveUp)), hold);
		},
	};
};

/**
 * The terminal's input, filtered for Ink. `told` receives the terminal's reports. Input is read
 * only while Ink has raw mode on, so that a program started from here, such as an editor, receives
 * its own keys.
 */
export const filteredStdin = (
	terminal: ReadStream,
	told?: (report: string) => void,
): NodeJS.ReadableStream => {
	const stream = new Readable({objectMode: true, read() {}});
	const filter = createInputFilter(text => stream.push(text), told);
	terminal.setEncoding('utf8');
	terminal.pause();
	terminal.on('data', (chunk: string) => filter.push(chunk));
	return Object.assign(stream, {
		isTTY: true,
		setEncoding: () => stream,
		setRawMode(on: boolean) {
			terminal.setRawMode(on);
			if (on) terminal.resume();
			else terminal.pause();
			return stream;
		},
		ref: () => terminal.ref(),
		unref: () => terminal.unref(),
	});
};
