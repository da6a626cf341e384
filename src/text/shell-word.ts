/** Any text as one quoted shell word. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isPlain = /^[\w.,:@%+/=-]+$/;

/** Any text as one shell word, quoted only if needed. Control characters are left to the caller. */
export const shellWord = (word: string): string => (isPlain.test(word) ? word : shellQuoted(word));
