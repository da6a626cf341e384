// Offsets of the parts of a JSON text. Malformed text goes unnoticed, because callers read single
// parts of texts that JSON.parse has not seen.

import {jsonIn} from './record.ts';

/** Offsets of a value; `to` is exclusive. */
export type Span = {readonly from: number; readonly to: number};
/** Field of an object. `key`: offset of its quoted name. */
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
			// Brackets nest. A comma, a space or an enclosing bracket ends a plain value.
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

/** Values of the list that starts at `from`, scanned on demand. */
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

/** Fields of the object that starts at `from`, or after the space at `from`. */
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

/** Field whose name starts at `key`. `value`: offset of its value. */
const fieldAt = (text: string, key: number) => {
	const end = pastString(text, key);
	const value = pastSpace(text, pastSpace(text, end) + 1);
	return {name: jsonIn(text.slice(key, end)) as string, key, value};
};

/** Offset of the first field's value if it has this name, else null. Skips other fields. */
export const firstValueIn = (text: string, name: string): number | null => {
	const open = pastSpace(text, 0);
	const key = pastSpace(text, open + 1);
	if (text[open] !== '{' || text[key] !== '"') return null;
	const field = fieldAt(text, key);
	return field.name === name ? field.value : null;
};
