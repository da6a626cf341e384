import {parseToPrint, writtenNumbers} from '../text/exact-json.ts';

// DEL, C1, direction controls, invisible characters and tags. Some control the terminal, others
// mislead the reader. Joiners (U+200C, U+200D) and variation selectors are allowed, because words
// and emoji need them.
const unsafe =
	/[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]--[\u200c\u200d\ufe00-\ufe0f]]/gv;

const escaped = (character: string): string =>
	Array.from(
		{length: character.length},
		(_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
	).join('');

/** JSON text. Characters that could control a terminal are escaped. */
export const safeJson = (value: unknown, indent?: number): string =>
	JSON.stringify(value, writtenNumbers(), indent).replaceAll(unsafe, escaped);

/**
 * Parsed JSON for `safeJson`. Keeps numbers as written, even if no double can hold them.
 * Undefined if the text is not JSON.
 */
export const exactJson = (text: string): unknown => {
	try {
		return parseToPrint(text);
	} catch {
		return undefined;
	}
};
