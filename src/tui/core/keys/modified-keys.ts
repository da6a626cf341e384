// Keys that a terminal reports with their modifiers. Ink does not parse the sequences of
// modifyOtherKeys. The kitty protocol names a key by its character without Shift.

const MODIFY_OTHER_KEYS = /^\u001B\[27;(\d+);(\d+)~$/;
/** Groups: key, its character with Shift, the US key in its position, modifiers, event, text. */
const KITTY = /^\u001B\[(\d+)(?::(\d*)(?::(\d*))?)?(?:;(\d*)((?::\d+)?)((?:;[\d:]*)?))?u$/;

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const UNDERSCORE = 0x5f;
/**
 * Keys for which older terminals send the byte of Ctrl-_ when pressed with Ctrl: `/`, `-`, `7` and
 * `_`.
 */
const LIKE_UNDERSCORE: ReadonlySet<number> = new Set([0x2f, 0x2d, 0x37]);

/**
 * Code of the first key of the numeric keypad, and the characters of its keys in the order of their
 * codes.
 */
const PAD = 57_399;
const PAD_CHARACTERS = '0123456789./*-+\r=,';

/** Characters of the US layout without and with Shift, except letters. */
const US = "`1234567890-=[]\\;',./";
const US_SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

const shiftedUs = (code: number): number => {
	const character = String.fromCodePoint(code);
	const at = US.indexOf(character);
	return (at < 0 ? character.toUpperCase() : US_SHIFTED.charAt(at)).codePointAt(0) ?? code;
};

const isAscii = (code: number): boolean => code > 0x20 && code < 0x7f;

/**
 * The sequence of a key in the form that Ink parses and the key table uses: Alt and `?` instead of
 * Alt, Shift and `/`.
 * Ctrl or Alt with a key of a Cyrillic or Greek layout becomes the US key in the same position, as
 * on older terminals. A key of the numeric keypad becomes its character. Other sequences are
 * unchanged.
 */
export const plainKey = (sequence: string): string => {
	const asKitty = sequence.replace(MODIFY_OTHER_KEYS, '\u001B[$2;$1u');
	const match = KITTY.exec(asKitty);
	if (match === null) return sequence;
	const [, key = '', shifted = '', us = '', modifiers = '', event = '', text = ''] = match;
	const pad = PAD_CHARACTERS.codePointAt(Number(key) - PAD);
	const code = pad ?? Number(key);
	const bits = Math.max(0, Number(modifiers) - 1);
	const written = (of: number, rest: string, as = bits): string =>
		modifiers === '' ? `\u001B[${of}u` : `\u001B[${of};${1 + as}${rest}u`;

	if ((bits & (CTRL | ALT)) === 0) return pad === undefined ? asKitty : written(pad, event + text);
	const isOtherLayout = code > 0x7f && isAscii(Number(us));
	const named = isOtherLayout ? Number(us) : code;
	const rest = isOtherLayout ? event : event + text;
	if ((bits & CTRL) !== 0) return written(LIKE_UNDERSCORE.has(named) ? UNDERSCORE : named, rest);
	if ((bits & SHIFT) === 0 || (shifted === '' && !isOtherLayout)) return written(named, rest);
	return written(isOtherLayout ? shiftedUs(named) : Number(shifted), rest, bits & ~SHIFT);
};
