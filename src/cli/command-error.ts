import {explainFailure, type Failure, type FailureKind, type Reply} from '../api/failure.ts';

/** Exit codes of commands. A command that signal n ended has 128 + n. */
export const EXIT = {
	ok: 0,
	service: 1,
	usage: 2,
	notFound: 3,
	keyRefused: 4,
	unreachable: 5,
	codeRaised: 6,
} as const;

/**
 * Stable error codes for `--json`: the failure kinds of the API, and kinds that only commands have.
 */
export type ErrorCode =
	| FailureKind
	| 'usage'
	| 'server-offline'
	| 'server-failed'
	| 'unsupported'
	| 'local-file'
	| 'price'
	| 'unknown'
	| 'internal';

/** Exit codes other than `EXIT.service`. After `cancelled`, the signal's code is used instead. */
const EXIT_CODES: {readonly [code in ErrorCode]?: number} = {
	usage: EXIT.usage,
	config: EXIT.usage,
	'read-only': EXIT.usage,
	'local-file': EXIT.usage,
	'not-found': EXIT.notFound,
	auth: EXIT.keyRefused,
	unreachable: EXIT.unreachable,
	timeout: EXIT.unreachable,
	'connection-lost': EXIT.unreachable,
	tls: EXIT.unreachable,
};

/** Failure of a command. `message`: what happened. `next`: advice. Both are sentences. */
export class CommandError extends Error {
	readonly code: ErrorCode;
	readonly next: string;
	/** Part of a response that was not understood, unchanged. */
	readonly detail: string | undefined;
	/** Failed API call, for `--json`. */
	readonly failure: Failure | undefined;
	constructor(code: ErrorCode, message: string, next: string, detail?: string, failure?: Failure) {
		super(message);
		this.code = code;
		this.next = next;
		this.detail = detail;
		this.failure = failure;
	}

	get exitCode(): number {
		return EXIT_CODES[this.code] ?? EXIT.service;
	}
}

export const usageError = (
	message: string,
	next = 'svc-tui --help shows the commands and options.',
): CommandError => new CommandError('usage', message, next);

// Kinds for which the raw response is printed, unless the service gave a reason.
const withAnswer: ReadonlySet<FailureKind> = new Set(['off-contract', 'not-http', 'server']);

// Advice that names commands. Replaces the API's advice, which is written for the screens.
const ADVICE: {readonly [kind in FailureKind]?: string} = {
	tls: "If the service uses its own certificate authority, pass that authority's PEM file with --ca-file. Otherwise ask the operator of the service.",
	'not-found': 'It may have been removed or renamed. svc-tui servers lists your servers.',
	conflict: 'svc-tui servers shows the current state.',
	redirect: 'If the service has moved there, use --base-url with that address.',
};

/** Error for a failed call. `next`: replaces the general advice. */
export const failed = (failure: Failure, next?: string): CommandError => {
	const {what, next: general} = explainFailure(failure);
	const isPlain = !failure.ambiguous && failure.retryAfter === undefined;
	const advice = (isPlain ? (failure.advice ?? next ?? ADVICE[failure.kind]) : undefined) ?? general;
	const detail =
		withAnswer.has(failure.kind) && failure.body && failure.reason === undefined
			? `${failure.method} ${failure.path} returned: ${failure.body.trim()}`
			: undefined;
	return new CommandError(failure.kind, what, advice, detail, failure);
};

/** Value of a successful reply. @throws {CommandError} if the call failed. */
export const valueOf = <T>(reply: Reply<T>): T => {
	if (reply.ok) return reply.value;
	throw failed(reply.failure);
};
