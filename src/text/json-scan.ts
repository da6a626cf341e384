// Where the parts of a JSON text stand. What is malformed is not noticed: texts that JSON.parse has not taken are only looked at piece by piece.

import {jsonIn} from './record.ts';

/** Offsets of a value; `to` is behind it. */
export type Span = {readonly from: number; readonly to: number};
/** A field of an object: its name, where it begins, and its value. */
export type FieldSpan = {readonly name: string; readonly key: number; readonly value: Span};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const pastSpace = (text: string, from: number): number => {
	let at = from;
	// A byte order mark counts as space here.
	while (/\s/.test(text[at] ?? '')) at++;
	return at;
};

/** Behind the string that begins at `from`. */
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

/** Behind the value that begins at `from`. */
const pastValue = (text: string, from: number): number => {
	let depth = 0;
	let at = from;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = pastString(text, at);
		else {
			// [ and { open, ] and } close; a comma or a close of what is around it ends a plain value.
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

/** The values of the list that begins at `from`; what is not asked for is not looked at. */
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

/** The fields of the object that begins at `from`, or behind space there. */
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

/** The field that begins at `key`, and where its value begins. */
const fieldAt = (text: string, key: number) => {
	const end = pastString(text, key);
	const value = pastSpace(text, pastSpace(text, end) + 1);
	return {name: jsonIn(text.slice(key, end)) as string, key, value};
};

/** Where the value of an object's first field begins, if that has this name; of the others nothing is looked at. */
export const firstValueIn = (text: string, name: string): number | null => {
	const open = pastSpace(text, 0);
	const key = pastSpace(text, open + 1);
	if (text[open] !== '{' || text[key] !== '"') return null;
	const field = fieldAt(text, key);
	return field.name === name ? field.value : null;
};
