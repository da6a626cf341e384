// Keys that a terminal tells with their modifiers: those of modifyOtherKeys, which Ink does not know, and those of the kitty protocol, which
// names a key by what it types without Shift.

const MODIFY_OTHER_KEYS = /^\u001B\[27;(\d+);(\d+)~$/;
/** The key, what it types with Shift, the modifiers and the rest. */
const KITTY = /^\u001B\[(\d+)(?::(\d*)(?::\d*)?)?;(\d+)((?::\d+)?(?:;[\d:]*)?)u$/;

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const UNDERSCORE = 0x5f;
/** With Ctrl these are one byte for a terminal of the old kind: `/`, `-`, `7` and `_`. */
const LIKE_UNDERSCORE: ReadonlySet<number> = new Set([0x2f, 0x2d, 0x37]);

/** The sequence of a key in the form that Ink reads and the key table names: Alt and `?`, not Alt, Shift and `/`. Others stay as they are. */
export const plainKey = (sequence: string): string => {
	const match = KITTY.exec(sequence.replace(MODIFY_OTHER_KEYS, '\u001B[$2;$1u'));
	if (match === null) return sequence;
	const [, key = '', shifted = '', modifiers = '', rest = ''] = match;
	const code = Number(key);
	const bits = Math.max(0, Number(modifiers) - 1);
	if ((bits & CTRL) !== 0)
		return `\u001B[${LIKE_UNDERSCORE.has(code) ? UNDERSCORE : code};${modifiers}${rest}u`;
	if (shifted === '' || (bits & ALT) === 0 || (bits & SHIFT) === 0)
		return `\u001B[${code};${modifiers}${rest}u`;
	return `\u001B[${Number(shifted)};${1 + (bits & ~SHIFT)}${rest}u`;
};
