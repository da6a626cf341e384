import http from 'node:http';

/** Lease on the service, which runs at least while this process holds it. Ends with the process. */
export type Lease = {
	release(): void;
	/** Resolves when the service has ended, or after `release`. */
	readonly ended: Promise<void>;
};

/** `refused`: the service has another key. `gone`: no response, or the service is shutting down. */
export type LeaseResult =
	{readonly status: 'held'; readonly lease: Lease} | {readonly status: 'refused' | 'gone'};

/** Requests a lease. Its connection does not keep this process running. */
export const takeLease = ({
	url,
	apiKey,
	keep = 0,
	timeout,
	onChange,
}: {
	readonly url: string;
	readonly apiKey: string;
	/** Time for which kernel variables outlive the lease, in ms. */
	readonly keep?: number | undefined;
	/** Limit for the first response, in ms. */
	readonly timeout: number;
	/** Called after servers on hosts have changed. */
	readonly onChange?: (() => void) | undefined;
}): Promise<LeaseResult> =>
	new Promise(resolve => {
		// Own agent: Node's default one may send even loopback requests, with the key, to a proxy.
		const request = http.get(`${url}/local/lease${keep > 0 ? `?keep=${keep}` : ''}`, {
			agent: new http.Agent(),
			headers: {apiKey},
		});
		const timer = setTimeout(() => request.destroy(), timeout);
		const answer = (value: LeaseResult): void => {
			clearTimeout(timer);
			resolve(value);
		};
		request.on('error', () => answer({status: 'gone'}));
		request.on('response', response => {
			// Any other status counts as no service. The lock decides who owns the folder.
			if (response.statusCode !== 200) {
				request.destroy();
				answer({status: response.statusCode === 401 ? 'refused' : 'gone'});
				return;
			}
			const {promise: ended, resolve: end} = Promise.withResolvers<void>();
			response
				.on('error', () => {})
				.on('close', end)
				.on('data', () => onChange?.());
			response.socket.unref();
			answer({status: 'held', lease: {ended, release: () => request.destroy()}});
		});
	});
