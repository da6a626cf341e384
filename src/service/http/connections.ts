import type {Server, Socket} from 'node:net';

/** Name by remote port, because a TLS socket and the connection below it are two objects. */
const nameOf = ({remoteAddress, remotePort}: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Above `most`, closes the connection with the longest silence. Refuses a new connection only if
 * all others are at work; `server.maxConnections` would refuse every new one.
 */
export const limitConnections = (server: Server, most: number, refuse: (socket: Socket) => void) => {
	const open = new Map<string, Socket>();
	// Sorted by last activity, oldest first.
	const silent = new Map<string, Socket>();
	// Counts, because a client may pipeline requests before the first response.
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
		// Removed here, not on `close`: more connections may arrive before that event.
		open.delete(first[0]);
		silent.delete(first[0]);
		if (first[1] === socket) refuse(socket);
		else first[1].destroy();
	});
	return {
		/** Marks the connection as at work until the returned function is called. */
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
