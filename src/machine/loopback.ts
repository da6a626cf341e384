/** True for a host, in URL or socket notation, that never leaves this machine. */
export const isLoopback = (hostname: string): boolean =>
	/^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/.test(hostname);
