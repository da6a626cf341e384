const cursorKeys: Readonly<Record<string, string>> = {
	up: 'A',
	down: 'B',
	right: 'C',
	left: 'D',
	home: 'H',
	end: 'F',
};
const tildeKeys: Readonly<Record<string, number>> = {
	insert: 2,
	delete: 3,
	pageup: 5,
	pagedown: 6,
	f5: 15,
	f6: 17,
	f7: 18,
	f8: 19,
	f9: 20,
	f10: 21,
	f11: 23,
	f12: 24,
};
const functionKeys: Readonly<Record<string, string>> = {f1: 'P', f2: 'Q', f3: 'R', f4: 'S'};
const plainKeys: Readonly<Record<string, string>> = {
	enter: '\r',
	return: '\r',
	esc: '\u001B',
	escape: '\u001B',
	tab: '\t',
	backspace: '\u007F',
	space: ' ',
};
const modifierBits: Readonly<Record<string, number>> = {shift: 1, alt: 2, ctrl: 4};

const control = (name: string): string => {
	if (/^[a-z@[\\\]^_]$/.test(name)) return String.fromCodePoint(name.toUpperCase().codePointAt(0)! & 0x1f);
	if (name === 'space') return '\0';
	throw new RangeError(`a terminal sends no byte for ctrl+${name}`);
};

/**
 * The bytes that xterm sends for a key: `enter`, `pagedown`, `ctrl+c`, `alt+1`, `shift+tab`,
 * `ctrl+left`, or one character. Names of keys are case-insensitive, single characters are not.
 * @throws {RangeError} if no terminal has bytes for the name.
 */
export const keyBytes = (name: string, {applicationCursor = false} = {}): string => {
	if ([...name].length === 1) return name;
	const parts = name.endsWith('++') ? [...name.slice(0, -2).split('+'), '+'] : name.split('+');
	const last = parts.pop()!;
	const key = [...last].length === 1 ? last : last.toLowerCase();
	const modifiers = new Set(parts.map(part => part.toLowerCase()));
	for (const modifier of modifiers)
		if (!(modifier in modifierBits)) throw new RangeError(`unknown modifier in key ${JSON.stringify(name)}`);
	const sum = 1 + [...modifiers].reduce((bits, modifier) => bits + modifierBits[modifier]!, 0);

	if (key in cursorKeys) {
		if (sum > 1) return `\u001B[1;${sum}${cursorKeys[key]}`;
		return `\u001B${applicationCursor ? 'O' : '['}${cursorKeys[key]}`;
	}
	if (key in tildeKeys) return `\u001B[${tildeKeys[key]}${sum > 1 ? `;${sum}` : ''}~`;
	if (key in functionKeys)
		return sum > 1 ? `\u001B[1;${sum}${functionKeys[key]}` : `\u001BO${functionKeys[key]}`;
	if (key === 'tab' && modifiers.has('shift')) return '\u001B[Z';
	if (modifiers.has('shift') && [...key].length > 1)
		throw new RangeError(`a plain terminal sends no byte of its own for ${name}`);

	const prefix = modifiers.has('alt') ? '\u001B' : '';
	if (modifiers.has('ctrl')) return prefix + control(key);
	if (key in plainKeys) return prefix + plainKeys[key]!;
	if ([...key].length === 1) return prefix + (modifiers.has('shift') ? key.toUpperCase() : key);
	throw new RangeError(`unknown key ${JSON.stringify(name)}`);
};
