// Cache of lines for Ink's frames. Ink inspects each line twice: as the new line and, in the next
// frame, as the previous one.
import {unitCells} from '../text/width/graphemes.ts';

type PlainLine = {
	/** Text without its SGR codes. */
	readonly text: string;
	/** True if every UTF-16 unit is one grapheme of one cell, and not a control. */
	readonly isSimple: boolean;
	/**
	 * True for a simple line that ends each style that it starts, so that any text may follow it.
	 */
	readonly isClosed: boolean;
	readonly codes: readonly RegExpExecArray[];
};

const MOST_KEPT = 800;
const sgr = /\u001B\[[\d;]*m/gu;
const FOREGROUND = 32;
const BACKGROUND = 64;
/** Bit that represents the style of each SGR code. */
const begins: Readonly<Record<string, number>> = {1: 1, 2: 1, 3: 2, 4: 4, 7: 8, 9: 16};
const ends: Readonly<Record<string, number>> = {
	22: 1,
	23: 2,
	24: 4,
	27: 8,
	29: 16,
	39: FOREGROUND,
	49: BACKGROUND,
};
const colour = /^(?:(?<layer>[34])(?:[0-7]|8;5;\d+|8;2;\d+;\d+;\d+)|(?<bright>9|10)[0-7])$/;

/** Bit of the style that a code starts, negative for the style that it ends, 0 if unknown. */
const meaning = (code: string): number => {
	const parameters = code.slice(2, -1);
	const plain = begins[parameters] ?? -(ends[parameters] ?? 0);
	if (plain !== 0) return plain;
	const {layer, bright} = colour.exec(parameters)?.groups ?? {};
	if (layer === undefined && bright === undefined) return 0;
	return layer === '3' || bright === '9' ? FOREGROUND : BACKGROUND;
};

let meanings = new Map<string, number>();
let kept = new Map<string, PlainLine>();

/** Returns the map, or a new one if it is full. */
const bounded = <Value>(map: Map<string, Value>): Map<string, Value> =>
	map.size < MOST_KEPT ? map : new Map();

const known = (code: string): number => {
	let bit = meanings.get(code);
	if (bit === undefined) {
		bit = meaning(code);
		meanings = bounded(meanings).set(code, bit);
	}
	return bit;
};

const isSimple = (text: string): boolean => {
	for (let index = 0; index < text.length; index++) if (unitCells(text.charCodeAt(index)) !== 1) return false;
	return true;
};

const isClosed = (codes: readonly RegExpExecArray[]): boolean => {
	let open = 0;
	let begunAt = -1;
	for (const {0: code, index} of codes) {
		const bit = known(code);
		// Ink would remove a code without effect or a style without characters, so a line with them
		// is not closed.
		const changes = bit > 0 ? (open & bit) === 0 : (open & -bit) !== 0 && index !== begunAt;
		if (bit === 0 || !changes) return false;
		open = bit > 0 ? open | bit : open & ~-bit;
		begunAt = bit > 0 ? index + code.length : -1;
	}
	return open === 0;
};

export const plainLine = (line: string): PlainLine => {
	const before = kept.get(line);
	if (before !== undefined) return before;
	const codes = line.includes('\u001B') ? [...line.matchAll(sgr)] : [];
	const text = codes.length === 0 ? line : line.replaceAll(sgr, '');
	const simple = isSimple(text);
	const made = {text, isSimple: simple, isClosed: simple && isClosed(codes), codes};
	kept = bounded(kept).set(line, made);
	return made;
};
