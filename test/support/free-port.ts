import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import net from 'node:net';

// First port of the range. It is below the ports that systems use for outgoing connections.
const FIRST = 15_000;
const LAST = 32_000;

/**
 * A port of this machine on which nothing listens, and which systems do not use for outgoing
 * connections.
 */
export const freePort = async (): Promise<number> => {
	for (;;) {
		const port = randomInt(FIRST, LAST);
		const probe = net.createServer();
		const isFree = await new Promise<boolean>(resolve => {
			probe.once('error', () => resolve(false));
			probe.listen(port, '127.0.0.1', () => resolve(true));
		});
		if (!isFree) continue;
		probe.close();
		await once(probe, 'close');
		return port;
	}
};
