/** Scripts in `dist/`, `screens.cjs` and so on. */
export type ScriptName = 'screens' | 'commands' | 'service';

/**
 * Range of the hash, in a comment at the start of a script. V8 itself compares only the length of
 * the text.
 */
export const HASH = {from: 2, to: 18} as const;

/**
 * File in `dist/` with the code that V8 compiled in the build. V8 does not check which system and
 * processor its code is for.
 */
export const builtCode = (name: ScriptName): string => `${name}-${process.platform}-${process.arch}.code`;
