/** True if the server rejects the token. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403;

/** True if the server may respond later. Proxies report a stopped server with 424. */
export const isUnavailable = (status: number): boolean => status === 424 || status >= 500;
