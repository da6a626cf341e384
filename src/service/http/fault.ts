export type FaultStatus =
	400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 414 | 415 | 417 | 429 | 431 | 500 | 503 | 505 | 507;

/** Error response. The message is a sentence that contains no keys and no paths of this machine. */
export class ServiceFault extends Error {
	readonly status: FaultStatus;
	readonly headers: Readonly<Record<string, string>>;
	constructor(status: FaultStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

export const faultBody = (status: number, message: string): string =>
	JSON.stringify({status: 'error', error: {code: status, message}});

/**
 * Headers of all responses. They prevent browsers from caching, sniffing, framing or sharing a
 * response.
 */
export const answerHeaders: Readonly<Record<string, string>> = {
	'cache-control': 'no-store',
	'x-content-type-options': 'nosniff',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
};

export const jsonType = 'application/json; charset=utf-8';
