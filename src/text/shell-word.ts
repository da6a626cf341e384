/** A text as one word of a shell, whatever it holds. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isPlain = /^[\w.,:@%+/=-]+$/;

/** The same, without quotes where it needs none. A control character, which no one can type, is left to the edge that prints it. */
export const shellWord = (word: string): string => (isPlain.test(word) ? word : shellQuoted(word));
