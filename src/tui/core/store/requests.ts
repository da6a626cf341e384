import type {Failure} from '../../../api/failure.ts';
import type {CallEnd, CallWatch} from '../../../api/client-types.ts';
import {curlOf} from '../../../api/curl.ts';
import {withoutEnd} from '../../../text/ends.ts';
import {part, type App} from '../app.ts';
import {clipboard} from './clipboard.ts';

/** A request to the service. Times in ms; `took` is null until the request ends. */
export type RequestEntry = CallEnd & {
	readonly id: number;
	readonly method: string;
	readonly path: string;
	readonly startedAt: number;
	readonly took: number | null;
};

export type RequestsState = {
	/** The latest requests, oldest first. */
	readonly requests: readonly RequestEntry[];
};

export type RequestLog = {
	/** The current list; `requests` in the state is updated a little later. */
	requestsNow(): readonly RequestEntry[];
	/** Receives every request from the API module. */
	readonly watchCall: CallWatch;
	/** Returns a sentence if there is nothing to cancel. */
	cancelRequest(id: number): string | void;
	cancelRequests(): void;
	copyRequest(id: number): Promise<string | void>;
	/** Copies the failed request, with its body if that is still known. */
	copyFailure(failure: Failure): Promise<string | void>;
};

const KEPT = 300;
/** Delay of updates in ms. */
const TOLD_AFTER = 100;
/** Longest stored request body, in UTF-16 units. */
const LONGEST_BODY = 64 * 1024;

const firstRequests = (): RequestsState => ({requests: []});

export const requestLog = part(
	'requestLog',
	({get, set, deps: {client, now}}: App): RequestLog => {
		let last = 0;
		// Only text is stored of finished requests: a cancel function would retain every object
		// that it can reach.
		const cancels = new Map<number, () => void>();
		const bodies = new Map<number, string>();
		let latest: readonly RequestEntry[] = [];
		let timer: NodeJS.Timeout | undefined;
		/**
		 * Delayed, because a change of the store would draw a separate frame just before the frame
		 * for the response.
		 */
		const tell = (next: readonly RequestEntry[]): void => {
			latest = next;
			timer ??= setTimeout(() => {
				timer = undefined;
				set({requests: latest});
			}, TOLD_AFTER).unref();
		};
		return {
			requestsNow: () => latest,
			watchCall({method, path, body, cancel}) {
				const id = ++last;
				const startedAt = now();
				cancels.set(id, cancel);
				const json = body && JSON.stringify(body);
				if (json !== undefined && json.length <= LONGEST_BODY) bodies.set(id, json);
				bodies.delete(id - KEPT);
				tell([...latest.slice(1 - KEPT), {id, method, path, startedAt, took: null}]);
				return end => {
					cancels.delete(id);
					tell(latest.map(each => (each.id === id ? {...each, ...end, took: now() - startedAt} : each)));
				};
			},
			cancelRequest(id) {
				const entry = latest.find(each => each.id === id);
				if (entry?.took !== null) return 'This request has already finished';
				cancels.get(id)?.();
			},
			cancelRequests() {
				for (const cancel of [...cancels.values()]) cancel();
			},
			async copyRequest(id) {
				const entry = latest.find(each => each.id === id);
				if (entry === undefined) return 'This request is no longer in the list';
				const {baseUrl} = await client();
				const body = bodies.get(id);
				return clipboard(get).copy(
					curlOf({
						method: entry.method,
						url: withoutEnd(baseUrl, '/') + entry.path,
						...(body !== undefined && {body}),
					}),
					'The curl command',
				);
			},
			async copyFailure(failure) {
				const entry = latest.find(each => each.failure === failure);
				return entry === undefined
					? clipboard(get).copy(failure.curl ?? `${failure.method} ${failure.path}`, 'The curl command')
					: requestLog(get).copyRequest(entry.id);
			},
		};
	},
	firstRequests,
);
