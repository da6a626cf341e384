/** What `work --allow` may name; to write is to edit, too. */
export const ALLOWABLE = ['run', 'write', 'shell'] as const;
