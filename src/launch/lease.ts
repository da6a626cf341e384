import http from 'node:http';

/** A held lease: the service lives at least as long as this process holds it, `kill -9` included. */
export type Lease = {
	release(): void;
	/** Resolves when the service went away, or after `release`. */
	readonly ended: Promise<void>;
};

/** `refused`: the key is not this service's. `gone`: nobody answers, or the service is just shutting down. */
export type LeaseAnswer =
	{readonly status: 'held'; readonly lease: Lease} | {readonly status: 'refused' | 'gone'};

/** Asks for a lease. The connection does not keep this process running. */
export const takeLease = ({
	url,
	apiKey,
	keep = 0,
	timeout,
}: {
	readonly url: string;
	readonly apiKey: string;
	/** Milliseconds for which what code made is to be kept after it. */
	readonly keep?: number | undefined;
	/** Milliseconds. */ readonly timeout: number;
}): Promise<LeaseAnswer> =>
	new Promise(resolve => {
		// An agent of its own: Node's default one may send even loopback requests, key included, to a proxy of the environment.
		const request = http.get(`${url}/local/lease${keep > 0 ? `?keep=${keep}` : ''}`, {
			agent: new http.Agent(),
			headers: {apiKey},
		});
		const timer = setTimeout(() => request.destroy(), timeout);
		const answer = (value: LeaseAnswer): void => {
			clearTimeout(timer);
			resolve(value);
		};
		request.on('error', () => answer({status: 'gone'}));
		request.on('response', response => {
			// Anything but our service's own refusal is treated as absence: the lock decides who owns the folder.
			if (response.statusCode !== 200) {
				request.destroy();
				answer({status: response.statusCode === 401 ? 'refused' : 'gone'});
				return;
			}
			const {promise: ended, resolve: end} = Promise.withResolvers<void>();
			response
				.on('error', () => {})
				.on('close', end)
				.resume();
			response.socket.unref();
			answer({status: 'held', lease: {ended, release: () => request.destroy()}});
		});
	});
