/** What the script of the screens begins with, within a comment: the hash of its text. V8 itself looks at the length only. */
export const HASH = {from: 2, to: 18} as const;

/** In `dist/`: what V8 compiled of the script in the build. A package may hold that of several processors. */
export const BUILT_CODE = `screens-${process.arch}.code`;
