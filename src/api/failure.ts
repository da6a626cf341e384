// This file is imported before the first frame, so it must import neither got nor zod.

/**
 * All kinds of failures, with advice. `refused`: any other 4xx. `off-contract`: a response that
 * violates the specification. `config`: an invalid setting or name. `read-only`: a write with a
 * read-only profile. For the last two, no request is sent. `assistant`: the assistant's own error
 * line. No failure contains an API key, a request body or an error of got.
 */
const NEXT = {
	config: 'Nothing was sent. Correct it and try again.',
	'read-only': 'Use another profile, or remove "readOnly" from this one in the settings.',
	unreachable: 'Check the address, your network and that the service is running, then try again.',
	tls: 'If the service uses a private CA, set caFile in the settings to its PEM file. Otherwise ask the operator.',
	timeout: 'The service may be busy: try again in a moment.',
	'connection-lost': 'Check your network, then try again.',
	'not-http': 'Check the address and port: another program is listening there.',
	redirect: 'If that is where the service has moved to, set it as the base URL.',
	auth: 'Check the API key (SVC_API_KEY or --api-key-file) and that it belongs to this service, or store another with svc-tui login.',
	'not-found': 'Refresh the list: it may have been removed or renamed.',
	conflict: 'Refresh to see the current state, then decide again.',
	'rate-limited': 'Wait a little, then try again.',
	'too-large': 'Request less at once, such as a part of the file.',
	'upload-too-large': 'Send something smaller, or in parts.',
	refused: 'Correct the request, then try again.',
	server: 'The service failed. Try again; if it persists, tell the operator.',
	'off-contract':
		'Check that the base URL is the service, not a proxy or login page. Otherwise report this with the response shown.',
	cancelled: 'You can retry at any time.',
	assistant: 'Ask again, or ask another model.',
};
export type FailureKind = keyof typeof NEXT;

export type Failure = {
	readonly kind: FailureKind;
	readonly method: string;
	/** Percent-encoded path below the base URL, as in `/api/servers/welcome/start`, or empty. */
	readonly path: string;
	/** HTTP status. Absent without a response. */
	readonly status?: number;
	/** A single sentence. Text quoted from the service is not escaped: the screens do that. */
	readonly message: string;
	/** The service's own reason, one line. Also at the end of `message`. */
	readonly reason?: string;
	/**
	 * First 2 KB of the response body. Keys, tokens and passwords are masked; the rest is not
	 * escaped.
	 */
	readonly body?: string;
	/** The call as a curl command, without the key. */
	readonly curl?: string;
	/** True if a non-GET may have taken effect although there was no response. */
	readonly ambiguous?: boolean;
	/** Advice that replaces the general advice of the kind. */
	readonly advice?: string;
	/** Delay that the service requested, in seconds. */
	readonly retryAfter?: number;
};

export type Reply<T> =
	{readonly ok: true; readonly value: T} | {readonly ok: false; readonly failure: Failure};

const wait = (seconds: number): string => {
	if (seconds < 120) return `${seconds} s`;
	return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

const sentence = (text: string): string => (/[.!?:…。！？]["')]*$/.test(text) ? text : `${text}.`);

/** Explanation and advice, each as sentences for the user. */
export const explainFailure = (failure: Failure): {readonly what: string; readonly next: string} => ({
	what: failure.ambiguous
		? `${sentence(failure.message)} It may have taken effect.`
		: sentence(failure.message),
	next: failure.ambiguous
		? 'Check whether it took effect before you send it again.'
		: failure.retryAfter === undefined
			? (failure.advice ?? NEXT[failure.kind])
			: `Try again in ${wait(failure.retryAfter)}, as the service asks.`,
});
