// Finds the offsets of the parts of a JSON text. Does not detect malformed text, because callers
// read single parts of texts that have not been parsed.

import {jsonIn} from './record.ts';

/** Offsets of a value; `to` is exclusive. */
export type Span = {readonly from: number; readonly to: number};
/** Field of an object. `key`: offset of the opening quote of its name. */
export type FieldSpan = {readonly name: string; readonly key: number; readonly value: Span};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const pastSpace = (text: string, from: number): number => {
	let at = from;
	// `\s` includes a byte order mark.
	while (/\s/.test(text[at] ?? '')) at++;
	return at;
};

/** Offset after the string that starts at `from`. */
export const pastString = (text: string, from: number): number => {
	let at = from;
	for (;;) {
		at = text.indexOf('"', at + 1);
		if (at === -1) return text.length;
		let slashes = 0;
		while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
		if (slashes % 2 === 0) return at + 1;
	}
};

const pastValue = (text: string, from: number): number => {
	let depth = 0;
	let at = from;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = pastString(text, at);
		else {
			// Nested brackets are part of the value. A comma, white space or an enclosing bracket
			// ends a number, `true`, `false` or `null`.
			if (code === 0x5b || code === 0x7b) depth++;
			else if (code === 0x5d || code === 0x7d) {
				if (depth === 0) return at;
				depth--;
			} else if (depth === 0 && (code === 0x2c || code <= 0x20)) return at;
			at++;
			if (depth > 0 || (code !== 0x5d && code !== 0x7d)) continue;
		}
		if (depth === 0) return at;
	}
	return at;
};

/** Yields the offsets of the values in the list that starts at `from`. Scans the text on demand. */
export function* eachItem(text: string, from: number): Generator<Span> {
	let at = pastSpace(text, from + 1);
	while (at < text.length && text[at] !== ']') {
		const to = pastValue(text, at);
		yield {from: at, to};
		at = pastSpace(text, to);
		if (text[at] === ',') at = pastSpace(text, at + 1);
	}
}

export const itemsIn = (text: string, from: number): readonly Span[] => [...eachItem(text, from)];

/** Fields of the object that starts at `from` or after white space there. */
export const fieldsIn = (text: string, from = 0): readonly FieldSpan[] => {
	const fields: FieldSpan[] = [];
	let at = pastSpace(text, pastSpace(text, from) + 1);
	while (at < text.length && text[at] !== '}') {
		const {name, key, value} = fieldAt(text, at);
		const to = pastValue(text, value);
		fields.push({name, key, value: {from: value, to}});
		at = pastSpace(text, to);
		if (text[at] === ',') at = pastSpace(text, at + 1);
	}
	return fields;
};

/** Field whose name starts at offset `key`. `value`: offset of its value. */
const fieldAt = (text: string, key: number) => {
	const end = pastString(text, key);
	const value = pastSpace(text, pastSpace(text, end) + 1);
	return {name: jsonIn(text.slice(key, end)) as string, key, value};
};

/** Offset of the value of the first field if that field has this name, else null. */
export const firstValueIn = (text: string, name: string): number | null => {
	const open = pastSpace(text, 0);
	const key = pastSpace(text, open + 1);
	if (text[open] !== '{' || text[key] !== '"') return null;
	const field = fieldAt(text, key);
	return field.name === name ? field.value : null;
};
