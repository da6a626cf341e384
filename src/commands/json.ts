// DEL, C1, what turns the direction of text or is not seen, and tags: a terminal acts on some of them, and a reader is misled by the others.
// The joiners (U+200C, U+200D) stay: words and emoji need them.
const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

const escaped = (character: string): string =>
	Array.from({length: character.length}, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** JSON in ASCII-safe form as far as terminals are concerned: the same value, and nothing in it acts on one. */
export const safeJson = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent).replaceAll(unsafe, escaped);
