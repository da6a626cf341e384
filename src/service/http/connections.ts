import type {Server, Socket} from 'node:net';

/** Known by its port: a TLS socket is another object than the connection below it. */
const nameOf = ({remoteAddress, remotePort}: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Keeps room for whoever asks: beyond `most` connections the one that has been silent longest is closed, be it new or kept alive.
 * Only when all of them are at work is a new one refused. (`server.maxConnections` would refuse every new one.)
 */
export const limitConnections = (server: Server, most: number, refuse: (socket: Socket) => void) => {
	const open = new Map<string, Socket>();
	// In the order in which they fell silent.
	const silent = new Map<string, Socket>();
	// A client may send its next requests before it has the first answer.
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
		// At once, not when it has closed: more may come before that.
		open.delete(first[0]);
		silent.delete(first[0]);
		if (first[1] === socket) refuse(socket);
		else first[1].destroy();
	});
	return {
		/** From here to the call of the answer a request is under way on this connection. */
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
