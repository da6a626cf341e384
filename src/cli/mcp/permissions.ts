/** Permissions that the user can give to a client. Reading needs none. */
export const PERMISSIONS = ['run', 'write', 'spend'] as const;
export type Permission = (typeof PERMISSIONS)[number];
