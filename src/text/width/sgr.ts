/** Active colours and emphasis. Each entry is the SGR code that switches it on, or empty. */
export type Style = readonly [
	bold: string,
	dim: string,
	italic: string,
	underline: string,
	inverse: string,
	strike: string,
	foreground: string,
	background: string,
];

export const NO_STYLE: Style = ['', '', '', '', '', '', '', ''];

const RESET = '\u001b[0m';
const SLOT_OF_ON: Readonly<Record<number, number>> = {1: 0, 2: 1, 3: 2, 4: 3, 7: 4, 9: 5};
const SLOTS_OF_OFF: Readonly<Record<number, readonly number[]>> = {
	22: [0, 1],
	23: [2],
	24: [3],
	27: [4],
	29: [5],
	39: [6],
	49: [7],
};
const FOREGROUND = 6;
const BACKGROUND = 7;
const MAX_VALUES = 16;

type Slots = [string, string, string, string, string, string, string, string];

const isByte = (value: number | undefined): value is number =>
	value !== undefined && value >= 0 && value <= 255;

/**
 * Code of the extended colour at index `at`, and the number of its values. Undefined if it is
 * malformed.
 */
const extendedColour = (
	values: readonly number[],
	at: number,
): {readonly code: string; readonly length: number} | undefined => {
	const [kind, first, second, third] = values.slice(at, at + 4);
	if (kind === 5 && isByte(first)) return {code: `5;${first}`, length: 2};
	if (kind === 2 && isByte(first) && isByte(second) && isByte(third))
		return {code: `2;${first};${second};${third}`, length: 4};
	return undefined;
};

const setOne = (slots: Slots, value: number): boolean => {
	if (value === 0) slots.fill('');
	else if (SLOT_OF_ON[value] !== undefined) slots[SLOT_OF_ON[value]] = String(value);
	else if (SLOTS_OF_OFF[value] !== undefined) for (const slot of SLOTS_OF_OFF[value]) slots[slot] = '';
	else if ((value >= 30 && value <= 37) || (value >= 90 && value <= 97)) slots[FOREGROUND] = String(value);
	else if ((value >= 40 && value <= 47) || (value >= 100 && value <= 107)) slots[BACKGROUND] = String(value);
	else return false;
	return true;
};

/**
 * Applies a parameter with colons (ITU T.416): `4:0` to `4:5`, `38:5:n`, `38:2:r:g:b`,
 * `38:2::r:g:b`.
 */
const setColon = (slots: Slots, parameter: string): boolean => {
	const parts = parameter.split(':', 8);
	const [code, kind] = parts.map(Number);
	if (code === 4 && parts.length === 2 && kind !== undefined && kind >= 0 && kind <= 5)
		return setOne(slots, kind === 0 ? 24 : 4);
	if (code !== 38 && code !== 48) return false;
	const channels = kind === 2 ? parts.slice(-3) : parts.slice(2, 3);
	const colour = channels.includes('') ? undefined : extendedColour([kind ?? 0, ...channels.map(Number)], 0);
	if (colour === undefined) return false;
	slots[code === 38 ? FOREGROUND : BACKGROUND] = `${code};${colour.code}`;
	return true;
};

/**
 * Applies the first 16 values of an `ESC [ … m` sequence. Ignores blinking, concealed and unknown
 * values. `complete`: false if any value was ignored.
 */
export const applySgr = (
	style: Style,
	parameters: string,
): {readonly style: Style; readonly complete: boolean} => {
	// Cuts the parameters of a malicious sequence before splitting them. 16 values are never
	// longer.
	const list = parameters.slice(0, 256).split(';', MAX_VALUES + 1);
	let complete = list.length <= MAX_VALUES;
	const values = list.map(Number);
	const slots: Slots = [...style];
	for (let at = 0; at < Math.min(values.length, MAX_VALUES); at++) {
		const value = values[at] ?? 0;
		if (list[at]?.includes(':')) {
			complete = setColon(slots, list[at] ?? '') && complete;
		} else if (value === 38 || value === 48) {
			const colour = extendedColour(values, at + 1);
			// Stops here, because the values after a malformed colour may still be its channels.
			if (colour === undefined) {
				complete = false;
				break;
			}

			slots[value === 38 ? FOREGROUND : BACKGROUND] = `${value};${colour.code}`;
			at += colour.length;
		} else {
			complete = setOne(slots, value) && complete;
		}
	}

	return {style: slots.every(code => code === '') ? NO_STYLE : slots, complete};
};

/** Sequence that switches on a style, starting from no style. */
export const openStyle = (style: Style): string => {
	const codes = style.filter(code => code !== '');
	return codes.length === 0 ? '' : `\u001b[${codes.join(';')}m`;
};

/** Sequence that changes one style into another. */
export const changeStyle = (from: Style, to: Style): string => {
	if (from.every((code, slot) => code === to[slot])) return '';
	const added = to.filter((code, slot) => code !== '' && code !== from[slot]);
	const isOnlyAdded = from.every((code, slot) => code === '' || to[slot] !== '');
	return isOnlyAdded ? `\u001b[${added.join(';')}m` : RESET + openStyle(to);
};

/** Adds a reset to the end of a line with colour sequences, unless it already ends with one. */
export const closeStyle = (line: string): string => (line.endsWith(RESET) ? line : line + RESET);
