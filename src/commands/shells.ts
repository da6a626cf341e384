/** Shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts ask for live names. */
export const CANDIDATES = 'candidates';
