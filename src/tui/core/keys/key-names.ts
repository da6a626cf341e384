import type {Key} from 'ink';

/** Name of a key in the key table, and the text that the key types; empty for none. */
export type KeyPress = {
	readonly name: string;
	readonly text: string;
	/** Number of times Esc was already applied for this key, see `apart` in `dispatch.ts`. */
	readonly steps?: number;
};

const NAMED = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pageup'],
	['pageDown', 'pagedown'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'esc'],
	['tab', 'tab'],
	['backspace', 'backspace'],
	['delete', 'delete'],
] as const;

/** Names of all keys that type no character, and `space`. */
export const KEY_NAMES: readonly string[] = [...NAMED.map(([, name]) => name), 'space'];

// Bytes of keys inside a burst of text, for which Ink sets no flag.
const CONTROL: Readonly<Record<string, string>> = {
	'\r': 'enter',
	'\n': 'ctrl+j',
	'\t': 'tab',
	'\u007F': 'backspace',
	'\b': 'backspace',
	'\u001F': 'ctrl+_',
	'\u001B': 'esc',
};

const withModifiers = (name: string, key: Key, shift: boolean): string =>
	`${key.ctrl ? 'ctrl+' : ''}${key.meta ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}`;

/**
 * Key presses in one input event of Ink. A burst such as `hello` and Enter arrives as one event:
 * each run of plain text becomes one press, and each control character becomes a press of its own.
 */
export const pressesOf = (input: string, key: Key): KeyPress[] => {
	if (key.eventType === 'release') return [];
	for (const [flag, name] of NAMED) {
		if (!key[flag]) continue;
		// Ink distinguishes Backspace, for which terminals send DEL, from Delete (`ESC [ 3 ~`).
		return [{name: withModifiers(name, key, key.shift && name !== 'esc'), text: ''}];
	}
	if (key.ctrl || key.meta) {
		if (input === '') return [];
		const name = input === ' ' ? 'space' : input;
		return [{name: withModifiers(CONTROL[name] ?? name, key, false), text: ''}];
	}
	const presses: KeyPress[] = [];
	for (const part of input.split(/([\u0000-\u001F\u007F])/)) {
		if (part === '') continue;
		if (/^[\u0000-\u001F\u007F]$/.test(part))
			presses.push({
				name: CONTROL[part] ?? `ctrl+${String.fromCharCode(part.charCodeAt(0) + 0x40).toLowerCase()}`,
				text: '',
			});
		else presses.push({name: part === ' ' ? 'space' : part, text: part});
	}
	return presses;
};
