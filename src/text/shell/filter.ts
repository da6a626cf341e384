import {createModeTracker} from './sequences.ts';

/** Passes on the harmless parts of a shell's output and drops the rest. */
export type ShellFilter = {
	/**
	 * Returns the part of `text` that may be written to the terminal. Sequences may be split
	 * between calls.
	 */
	pass(text: string): string;
	/** Returns the sequences that restore the terminal, and resets the filter. */
	restore(): string;
};

const ESC = 0x1b;
/** Maximum length of a sequence in UTF-16 units. Longer sequences are dropped. */
const LONGEST = 128;
const CONTROL = /[\0-\u001F\u007F-\u009F]/g;
/** BEL, BS, HT, LF, VT, FF, CR, SO, SI. */
const isPassed = (code: number): boolean => code >= 0x07 && code <= 0x0f;

type State = 'text' | 'escape' | 'csi' | 'osc' | 'string';

const AFTER_ESCAPE: Readonly<Record<string, State>> = {
	'[': 'csi',
	']': 'osc',
	P: 'string',
	X: 'string',
	'^': 'string',
	_: 'string',
	// Window title in screen and tmux.
	k: 'string',
};
/** Introducers as a single character, which some terminals accept. */
const EIGHT_BIT: Readonly<Record<number, State>> = {
	0x90: 'string',
	0x98: 'string',
	0x9b: 'csi',
	0x9d: 'osc',
	0x9e: 'string',
	0x9f: 'string',
};

export const createShellFilter = (): ShellFilter => {
	const switched = createModeTracker();
	let state: State = 'text';
	/** Text between the introducer and the final character. */
	let body = '';
	/** First half of a surrogate pair, kept until the second half arrives. */
	let half = '';

	const begin = (next: State): void => {
		state = next;
		body = '';
	};
	const control = (code: number): string => {
		if (code === ESC) begin('escape');
		// CAN and SUB cancel a sequence. Not passed on, because a terminal may print a character
		// for them.
		else if (code === 0x18 || code === 0x1a) begin('text');
		else if (code >= 0x80) begin(EIGHT_BIT[code] ?? 'text');
		else if (state === 'osc' && code === 0x07) begin('text');
		else if (state !== 'osc' && state !== 'string' && isPassed(code)) {
			// A control character inside a sequence takes effect immediately, before the sequence.
			if (code === 0x0e) switched.shifted();
			return String.fromCharCode(code);
		}
		return '';
	};
	const sequence = (unit: string, code: number): string => {
		if (state === 'osc' || state === 'string') return '';
		const isBetween = state === 'csi' ? code >= 0x20 && code <= 0x3f : code >= 0x20 && code <= 0x2f;
		if (isBetween) {
			if (body.length <= LONGEST) body += unit;
			return '';
		}
		const was = state;
		const next = was === 'escape' && body === '' ? AFTER_ESCAPE[unit] : undefined;
		const held = body;
		begin(next ?? 'text');
		if (code > 0x7e) return unit;
		if (next !== undefined || held.length > LONGEST) return '';
		return was === 'csi' ? switched.csi(held, unit) : switched.escape(held, unit);
	};

	return {
		pass(text) {
			const joined = half + text;
			half = /[\uD800-\uDBFF]$/.test(joined) ? joined.slice(-1) : '';
			const whole = joined.slice(0, joined.length - half.length).toWellFormed();
			let passed = '';
			for (let at = 0; at < whole.length; at++) {
				if (state === 'text') {
					CONTROL.lastIndex = at;
					const next = CONTROL.exec(whole)?.index ?? whole.length;
					passed += whole.slice(at, next);
					at = next;
					if (at === whole.length) break;
				}
				const code = whole.charCodeAt(at);
				const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
				if (isControl) passed += control(code);
				else passed += sequence(whole[at] ?? '', code);
			}
			return passed;
		},
		restore() {
			begin('text');
			half = '';
			return switched.restore();
		},
	};
};
