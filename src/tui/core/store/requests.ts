import type {Failure} from '../../../api/failure.ts';
import type {CallEnd, CallWatch} from '../../../api/client-types.ts';
import {curlOf} from '../../../api/curl.ts';
import {withoutEnd} from '../../../text/ends.ts';
import {part, type App} from '../app.ts';
import {clipboard} from './clipboard.ts';

/** A request to the service. Times are in ms; `took` is null while the request runs. */
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
	/** The list as it is now. `requests` in the state is updated with a short delay. */
	requestsNow(): readonly RequestEntry[];
	/** Called by the API module for every request. */
	readonly watchCall: CallWatch;
	/** Returns a sentence if there is nothing to cancel. */
	cancelRequest(id: number): string | void;
	cancelRequests(): void;
	copyRequest(id: number): Promise<string | void>;
	/** Copies the failed request, with its body if that is still stored. */
	copyFailure(failure: Failure): Promise<string | void>;
};

const KEPT = 300;
/** Delay before `requests` in the state is updated, in ms. */
const TOLD_AFTER = 100;
/** Longest request body that is stored, in UTF-16 units. */
const LONGEST_BODY = 64 * 1024;

const firstRequests = (): RequestsState => ({requests: []});

export const requestLog = part(
	'requestLog',
	({get, set, deps: {client, now}}: App): RequestLog => {
		let last = 0;
		// Finished requests are stored as text only: a stored cancel function would keep every
		// object that it references in memory.
		const cancels = new Map<number, () => void>();
		const bodies = new Map<number, string>();
		let latest: readonly RequestEntry[] = [];
		let timer: NodeJS.Timeout | undefined;
		/**
		 * Delayed, because each change of the store draws a frame, and the response is about to
		 * draw one anyway.
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
