/** Any text as one quoted shell word. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isPlain = /^[\w.,:@%+/=-]+$/;

/** Same, without quotes if it needs none. Control characters are left to the caller. */
export const shellWord = (word: string): string => (isPlain.test(word) ? word : shellQuoted(word));
