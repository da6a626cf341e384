/** Text as one quoted shell word. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isPlain = /^[\w.,:@%+/=-]+$/;

/** Text as one shell word, quoted only if needed. Does not escape control characters. */
export const shellWord = (word: string): string => (isPlain.test(word) ? word : shellQuoted(word));
