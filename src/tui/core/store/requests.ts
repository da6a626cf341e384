import type {Failure} from '../../../api/failure.ts';
import type {CallEnd, CallWatch} from '../../../api/client-types.ts';
import {curlOf} from '../../../api/curl.ts';
import {withoutEnd} from '../../../text/ends.ts';
import {part, type App} from '../app.ts';
import {clipboard} from './clipboard.ts';

/** A call to the service. Times in ms; `took` is null while it runs. */
export type RequestEntry = CallEnd & {
	readonly id: number;
	readonly method: string;
	readonly path: string;
	readonly startedAt: number;
	readonly took: number | null;
};

export type RequestsState = {
	/** The last calls, oldest first. */
	readonly requests: readonly RequestEntry[];
};

export type RequestLog = {
	/** The same, up to this moment: the list above learns of it a little later. */
	requestsNow(): readonly RequestEntry[];
	/** The API module tells every call to it. */
	readonly watchCall: CallWatch;
	/** A sentence when there is nothing to cancel. */
	cancelRequest(id: number): string | void;
	/** Cancels every call that runs. */
	cancelRequests(): void;
	copyRequest(id: number): Promise<string | void>;
	/** The call that failed, with what it carried where that is still known. */
	copyFailure(failure: Failure): Promise<string | void>;
};

const KEPT = 300;
/** Milliseconds. */
const TOLD_AFTER = 100;
/** UTF-16 units of a body that is kept for the copy. */
const LONGEST_BODY = 64 * 1024;

const firstRequests = (): RequestsState => ({requests: []});

export const requestLog = part(
	'requestLog',
	({get, set, deps: {client, now}}: App): RequestLog => {
		let last = 0;
		// Of a call that has ended nothing is kept but its text: what cancels it holds on to all that it was aborted in.
		const cancels = new Map<number, () => void>();
		const bodies = new Map<number, string>();
		let latest: readonly RequestEntry[] = [];
		let timer: NodeJS.Timeout | undefined;
		/** A change of the store would be a frame of its own, before the one that the answer makes. */
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
				if (entry?.took !== null) return 'That call has ended';
				cancels.get(id)?.();
			},
			cancelRequests() {
				for (const cancel of [...cancels.values()]) cancel();
			},
			async copyRequest(id) {
				const entry = latest.find(each => each.id === id);
				if (entry === undefined) return 'That call is too long ago';
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
