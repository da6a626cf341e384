/** Keys that start the chords of the leader: Space, or only Ctrl-X and Ctrl-Space. */
export const LEADER_CHOICES = ['space', 'ctrl+x'] as const;
export type LeaderChoice = (typeof LEADER_CHOICES)[number];

/**
 * Meaning of digits where no text is typed. `screens`: they open screens. `counts`: they repeat the
 * move that follows.
 */
export const DIGIT_CHOICES = ['screens', 'counts'] as const;
export type DigitChoice = (typeof DIGIT_CHOICES)[number];
