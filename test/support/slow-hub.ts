import {setTimeout as delay} from 'node:timers/promises';
import {httpPeer, type Peer} from './peer.ts';

/** Forwards requests without a body to a hub, and delays its responses by `pause` milliseconds. */
export const slowHub = (hub: string, pause: number): Promise<Peer> =>
	httpPeer((response, {url = '', headers: {authorization = ''}}) => {
		void (async () => {
			const answer = await fetch(new URL(url, hub), {headers: {authorization}});
			const text = await answer.text();
			await delay(pause);
			response.writeHead(answer.status, {'content-type': 'application/json'}).end(text);
		})();
	});
