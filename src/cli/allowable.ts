/** Permissions that `work --allow` accepts. `write` also allows editing. */
export const ALLOWABLE = ['run', 'write', 'shell'] as const;
