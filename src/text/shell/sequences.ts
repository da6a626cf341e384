// Control sequences that may reach the user's terminal: movement, drawing, colours, and modes that
// can be reset. All others are dropped, such as sequences that make a terminal reply, set the title
// or the clipboard, print, resize the window or name a file.

/** Modes of `CSI ? n h` that are passed on, with their initial state. */
const MODES: ReadonlyMap<number, 'on' | 'off'> = new Map([
	...[7, 25].map(mode => [mode, 'on'] as const),
	// Cursor keys, reverse video, origin, mouse and its encodings, keypad, alternate screens,
	// focus, bracketed paste, synchronized frames.
	...[1, 5, 6, 9, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004, 2026].map(
		mode => [mode, 'off'] as const,
	),
	// Saves and restores the cursor. Nothing needs to be reset.
	[1048, 'off'],
]);
const ALTERNATE = [47, 1047, 1049] as const;
const BLINK = 12;
const ORIGIN = 6;
const INSERT = '4';
/**
 * Maximum number in a parameter. No terminal has more columns, so sequences with larger numbers are
 * dropped.
 */
const LARGEST = 99_999;

const numbersOf = (parameters: string): readonly number[] => parameters.split(/[;:]/).map(Number);

/** Allowed parameters by final character, for sequences without a prefix. */
const PLAIN: ReadonlyMap<string, RegExp> = new Map([
	...[...'ABCDEFGHILMPSTXZ@`adefb'].map(final => [final, /^[\d;]*$/] as const),
	['J', /^[012]?$/],
	['K', /^[012]?$/],
	['m', /^[\d;:]*$/],
	// No parameters allowed: with parameters these would set margins or report the mouse.
	['s', /^$/],
	['u', /^$/],
	['T', /^\d*$/],
]);

/** Tracks the modes that were set in the user's terminal, so that they can be reset. */
export type ModeTracker = {
	/** Part of `CSI body final` that may be passed on. Empty if none. */
	csi(body: string, final: string): string;
	/** Part of `ESC body final` that may be passed on. Empty if none. */
	escape(body: string, final: string): string;
	shifted(): void;
	/** Returns the sequences that reset all changed modes, and clears the record of changes. */
	restore(): string;
};

export const createModeTracker = (): ModeTracker => {
	/** Modes that differ from their initial state, in the order in which they were changed. */
	const changed = new Set<number>();
	let hasMargins = false;
	let inserts = false;
	let hasStyle = false;
	let hasSets = false;
	let hasKeypad = false;

	const switchMode = (mode: number, isOn: boolean): boolean => {
		if (mode === BLINK) return (hasStyle = true);
		const before = MODES.get(mode);
		if (before === undefined) return false;
		if (!isOn && ALTERNATE.some(each => each === mode)) for (const each of ALTERNATE) changed.delete(each);
		changed.delete(mode);
		if (mode !== 1048 && isOn !== (before === 'on')) changed.add(mode);
		return true;
	};
	const privateModes = (parameters: string, final: string): string => {
		const passed = parameters
			.split(';')
			.filter(mode => /^\d{1,4}$/.test(mode) && switchMode(Number(mode), final === 'h'));
		return passed.length === 0 ? '' : `\u001B[?${passed.join(';')}${final}`;
	};

	const restore = (): string => {
		const isElsewhere = ALTERNATE.some(mode => changed.has(mode));
		// Resetting margins or origin mode moves the cursor home, onto existing text. Leaving the
		// alternate screen restores the cursor.
		const goesHome = hasMargins || changed.has(ORIGIN);
		const undone = [...changed]
			.reverse()
			.map(mode => `\u001B[?${mode}${MODES.get(mode) === 'on' ? 'h' : 'l'}`)
			.join('');
		const text = [
			inserts ? '\u001B[4l' : '',
			goesHome ? '\u001B[?6l\u001B[r' : '',
			undone,
			// Some terminals have separate margins for each screen.
			hasMargins && isElsewhere ? '\u001B7\u001B[r\u001B8' : '',
			goesHome && !isElsewhere ? '\u001B[999H' : '',
			hasSets ? '\u000F\u001B(B\u001B)B' : '',
			hasKeypad ? '\u001B>' : '',
			hasStyle ? '\u001B[0 q' : '',
			'\u001B[m',
		].join('');
		changed.clear();
		hasMargins = inserts = hasStyle = hasSets = hasKeypad = false;
		return text;
	};

	return {
		csi(body, final) {
			const [, prefix = '', parameters = '', between = ''] = /^([<=>?]?)([\d;:]*)([ -/]*)$/.exec(body) ?? [
				'',
				'no',
			];
			if (numbersOf(parameters).some(number => !(number <= LARGEST))) return '';
			const whole = `\u001B[${body}${final}`;
			if (between === '' && prefix === '') {
				if (final === 'h' || final === 'l') {
					if (parameters !== INSERT) return '';
					inserts = final === 'h';
					return whole;
				}
				if (final === 'r' && /^\d*(?:;\d*)?$/.test(parameters)) {
					hasMargins = true;
					return whole;
				}
				return PLAIN.get(final)?.test(parameters) ? whole : '';
			}
			if (between === '' && prefix === '?') {
				if (final === 'h' || final === 'l') return privateModes(parameters, final);
				return (final === 'J' || final === 'K') && /^[012]?$/.test(parameters) ? whole : '';
			}
			if (prefix !== '') return '';
			if (between === ' ' && final === 'q' && /^[0-6]?$/.test(parameters)) {
				hasStyle = true;
				return whole;
			}
			return between === '!' && final === 'p' && parameters === '' ? whole : '';
		},
		escape(body, final) {
			const whole = `\u001B${body}${final}`;
			if (body === '(' || body === ')') {
				hasSets = true;
				return '0AB'.includes(final) ? whole : '';
			}
			if (body !== '') return '';
			if (final === '=' || final === '>') hasKeypad = final === '=';
			// Replaces a full reset, which would also reset modes that the shell did not set.
			if (final === 'c') return `${restore()}\u001B[H\u001B[2J`;
			return '78DEM=>'.includes(final) ? whole : '';
		},
		shifted() {
			hasSets = true;
		},
		restore,
	};
};
