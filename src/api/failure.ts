// The screens import this before their first frame: neither got nor zod may come in here.

/**
 * All that can go wrong with a call, and what to do next. `refused` is any other 4xx; `off-contract` an answer that is not what the interface states;
 * `config` a setting or a name that cannot be used, and `read-only` what a read-only profile does not send: nothing was sent; `assistant` the assistant's own error line.
 * No key, no request body and no got error is ever in one.
 */
const NEXT = {
	config: 'Nothing was sent. Correct it and try again.',
	'read-only': 'Use another profile, or take "readOnly" out of this one in the settings.',
	unreachable:
		'Check that the service is running and that its address and your network are right, then try again.',
	tls: "If the service has a certificate of its own authority, name that authority's PEM file (caFile) in the settings; otherwise ask whoever runs the service.",
	timeout: 'The service may be busy: try again in a moment.',
	'connection-lost': 'Check your network, then try again.',
	'not-http': 'Check the address and the port: something else answers there.',
	redirect: 'If that is where the service has moved to, set it as the base URL.',
	auth: 'Check the API key (SVC_API_KEY or --api-key-file) and that it belongs to this service, or store another with svc-tui login.',
	'not-found': 'Refresh the list: it may have been removed or renamed.',
	conflict: 'Refresh to see the present state, then decide again.',
	'rate-limited': 'Wait a little, then try again.',
	'too-large': 'Ask for less at once, or read it another way.',
	'upload-too-large': 'Send something smaller, or in parts.',
	refused: 'Change what the service objects to, then try again.',
	server: 'The service itself failed: try again, and tell whoever runs it if it keeps failing.',
	'off-contract':
		'Check that the base URL is that of the service and not of a proxy or a login page; otherwise report it with the answer shown.',
	cancelled: 'Start it again whenever you like.',
	assistant: 'Ask again, or ask another model.',
};
export type FailureKind = keyof typeof NEXT;

export type Failure = {
	readonly kind: FailureKind;
	readonly method: string;
	/** Path below the base URL, with its parameters, percent-encoded: `/api/servers/welcome/start`. Empty when none could be made. */
	readonly path: string;
	/** HTTP status, when an answer came. */
	readonly status?: number;
	/** One sentence: what happened. Text of the service in it is raw: it is made safe at the edge of the screen. */
	readonly message: string;
	/** The service's own words, one line: also at the end of `message`. */
	readonly reason?: string;
	/** Up to 2 KB of the answer's body, raw except for keys, tokens and passwords. */
	readonly body?: string;
	/** The call as a curl command for a shell, without the key. */
	readonly curl?: string;
	/** A non-GET that may have been carried out although no answer came. */
	readonly ambiguous?: boolean;
	/** What to do next, where more is known than the kind says. */
	readonly advice?: string;
	/** Seconds that the service asked to wait. */
	readonly retryAfter?: number;
};

export type Reply<T> =
	{readonly ok: true; readonly value: T} | {readonly ok: false; readonly failure: Failure};

const wait = (seconds: number): string => {
	if (seconds < 120) return `${seconds} s`;
	return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

const sentence = (text: string): string => (/[.!?:…。！？]["')]*$/.test(text) ? text : `${text}.`);

/** What happened and what to do next, each as sentences for the user. */
export const explainFailure = (failure: Failure): {readonly what: string; readonly next: string} => ({
	what: failure.ambiguous
		? `${sentence(failure.message)} It may have been carried out anyway.`
		: sentence(failure.message),
	next: failure.ambiguous
		? 'Check whether it took effect before you send it again.'
		: failure.retryAfter === undefined
			? (failure.advice ?? NEXT[failure.kind])
			: `The service asks you to wait ${wait(failure.retryAfter)} before you try again.`,
});
