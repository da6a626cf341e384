// Where the parts of a JSON text stand. Only for texts that JSON.parse has taken: what is malformed is not noticed.

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
const pastString = (text: string, from: number): number => {
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

/** The values of the list that begins at `from`. */
export const itemsIn = (text: string, from: number): readonly Span[] => {
	const items: Span[] = [];
	let at = pastSpace(text, from + 1);
	while (at < text.length && text[at] !== ']') {
		const to = pastValue(text, at);
		items.push({from: at, to});
		at = pastSpace(text, to);
		if (text[at] === ',') at = pastSpace(text, at + 1);
	}
	return items;
};

/** The fields of the object that begins at `from`, or behind space there. */
export const fieldsIn = (text: string, from = 0): readonly FieldSpan[] => {
	const fields: FieldSpan[] = [];
	let at = pastSpace(text, pastSpace(text, from) + 1);
	while (at < text.length && text[at] !== '}') {
		const key = at;
		const end = pastString(text, at);
		const value = pastSpace(text, pastSpace(text, end) + 1);
		const to = pastValue(text, value);
		fields.push({name: JSON.parse(text.slice(key, end)) as string, key, value: {from: value, to}});
		at = pastSpace(text, to);
		if (text[at] === ',') at = pastSpace(text, at + 1);
	}
	return fields;
};
