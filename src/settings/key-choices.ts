/** Keys that start the chords of the leader: Space, or only Ctrl-X and Ctrl-Space. */
export const LEADER_CHOICES = ['space', 'ctrl+x'] as const;
export type LeaderChoice = (typeof LEADER_CHOICES)[number];
