/** Names of the scripts in `dist/`, such as `screens.cjs`. */
export type ScriptName = 'screens' | 'commands' | 'service';

/**
 * Offsets of the hash in the comment at the start of a script. Needed because V8 compares only the
 * length of a script with its compiled code.
 */
export const HASH = {from: 2, to: 18} as const;

/**
 * File in `dist/` with the code that V8 compiled during the build. The name contains platform and
 * processor, because V8 does not check for which ones the code was compiled.
 */
export const builtCode = (name: ScriptName): string => `${name}-${process.platform}-${process.arch}.code`;
