// No zod: the screens need this module.
const ALIAS = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}$/;

/** True for a host name or alias that is safe as an argument of `ssh`. */
export const isHostAlias = (text: string): boolean => ALIAS.test(text);
