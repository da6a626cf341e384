/** The server does not take the token. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403;

/** The server behind an address may answer later: a proxy in front of servers says 424 of one that does not run. */
export const isUnavailable = (status: number): boolean => status === 424 || status >= 500;
