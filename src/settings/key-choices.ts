/** Keys that start the chords of the leader: Space, or only Ctrl-X and Ctrl-Space. */
export const LEADER_CHOICES = ['space', 'ctrl+x'] as const;
export type LeaderChoice = (typeof LEADER_CHOICES)[number];

/** Meaning of digits where no text is typed: they open screens, or repeat the move after them. */
export const DIGIT_CHOICES = ['screens', 'counts'] as const;
export type DigitChoice = (typeof DIGIT_CHOICES)[number];
