import type {Server, Socket} from 'node:net';

/**
 * Identifies a connection by its remote address and port, because a TLS socket and its underlying
 * socket are different objects.
 */
const nameOf = ({remoteAddress, remotePort}: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Limits the number of connections. Above `most`, closes the connection that has been idle longest.
 * Rejects a new connection only if all others have running requests; `server.maxConnections` would
 * reject every new one.
 */
export const limitConnections = (server: Server, most: number, refuse: (socket: Socket) => void) => {
	const open = new Map<string, Socket>();
	// Idle connections in order of last activity, oldest first.
	const silent = new Map<string, Socket>();
	// Number of running requests by connection, since a client may send several before the first
	// response.
	const working = new Map<string, number>();
	server.on('connection', (socket: Socket) => {
		const name = nameOf(socket);
		open.set(name, socket);
		silent.set(name, socket);
		socket.once('close', () => {
			if (open.get(name) !== socket) return;
			open.delete(name);
			silent.delete(name);
			working.delete(name);
		});
		if (open.size <= most) return;
		const [first = [name, socket] as const] = silent;
		// Removed immediately instead of on `close`, because more connections may arrive before
		// that event.
		open.delete(first[0]);
		silent.delete(first[0]);
		if (first[1] === socket) refuse(socket);
		else first[1].destroy();
	});
	return {
		/** Marks a connection as busy until the returned function is called. */
		work(socket: Socket): () => void {
			const name = nameOf(socket);
			silent.delete(name);
			working.set(name, (working.get(name) ?? 0) + 1);
			return () => {
				const left = (working.get(name) ?? 1) - 1;
				if (left > 0) working.set(name, left);
				else {
					working.delete(name);
					const socketBelow = open.get(name);
					if (socketBelow?.destroyed === false) silent.set(name, socketBelow);
				}
			};
		},
	};
};
