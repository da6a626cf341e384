/** What to do with a file that is there already. */
export const EXISTING = ['overwrite', 'skip'] as const;
export type ExistingOption = {readonly existing?: (typeof EXISTING)[number]};
