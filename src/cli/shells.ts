/** Shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts call with the shell and its line. */
export const COMPLETE = '__complete';

/** A row that begins so asks for the shell's own completion of files; what was typed of the path follows. */
export const FILES = ':files:';
