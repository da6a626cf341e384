/** Shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Hidden command that the scripts call with the shell and its line. */
export const COMPLETE = '__complete';

/**
 * Prefix of a row that requests the shell's own file completion. The typed part of the path
 * follows.
 */
export const FILES = ':files:';
