/** Whether a host, as a URL or a socket has it, is this machine: what is sent there never leaves it. */
export const isLoopback = (hostname: string): boolean =>
	/^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/.test(hostname);
