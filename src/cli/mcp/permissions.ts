/** Permissions that the user can give a client, besides reading. */
export const PERMISSIONS = ['run', 'write', 'spend'] as const;
export type Permission = (typeof PERMISSIONS)[number];
