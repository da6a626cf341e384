/** What the user lets a client do besides reading. */
export const PERMISSIONS = ['run', 'write', 'spend'] as const;
export type Permission = (typeof PERMISSIONS)[number];
