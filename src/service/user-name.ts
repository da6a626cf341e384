/** Names of users, such as `ann` and `ann@example.com`. They are part of addresses. */
export const userPattern = /^[\w.+@-]{1,254}$/;
