/** Values of `--existing`, for files that already exist. */
export const EXISTING = ['overwrite', 'skip'] as const;
export type ExistingOption = {readonly existing?: (typeof EXISTING)[number]};
