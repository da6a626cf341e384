import {parseToPrint, writtenNumbers} from '../text/exact-json.ts';

// DEL, C1, what changes the direction of text or is invisible, and tags: a terminal acts on some of them, and a reader is misled by the others.
// The joiners (U+200C, U+200D) and style selectors stay: words and emoji need them.
const unsafe =
	/[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]--[\u200c\u200d\ufe00-\ufe0f]]/gv;

const escaped = (character: string): string =>
	Array.from(
		{length: character.length},
		(_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
	).join('');

/** JSON in ASCII-safe form as far as terminals are concerned: the same value, and nothing in it acts on one. */
export const safeJson = (value: unknown, indent?: number): string =>
	JSON.stringify(value, writtenNumbers(), indent).replaceAll(unsafe, escaped);

/** What a text is as JSON for `safeJson`, its numbers as they stand there, also those that no double holds; undefined where it is none. */
export const exactJson = (text: string): unknown => {
	try {
		return parseToPrint(text);
	} catch {
		return undefined;
	}
};
