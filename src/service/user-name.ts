/**
 * Pattern of user names, such as `ann` and `ann@example.com`. They are part of addresses, so only
 * these characters are allowed.
 */
export const userPattern = /^[\w.+@-]{1,254}$/;
