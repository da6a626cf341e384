// Queue of a kernel's requests, which are served in order of arrival.
import {setImmediate as nextTurn} from 'node:timers/promises';

/** Limits of the waiting requests of all clients together: number, and size in bytes. */
export const MOST_WAITING = 1000;
export const WAITING_BYTES = 32 << 20;

export type RequestQueue<Request extends {readonly size: number}> = {
	/** Adds a request to the queue. Returns false if too many requests are waiting. */
	add(request: Request): boolean;
	/**
	 * Serves a request immediately. Returns false if too many requests are waiting and it is not
	 * urgent.
	 */
	addAside(request: Request, isUrgent: boolean): boolean;
	/** True while any request is waiting in the queue. */
	isWaiting(): boolean;
	/** Removes all waiting requests. */
	clear(): void;
};

/** Creates a queue. `serve` must not reject. */
export const createRequestQueue = <Request extends {readonly size: number}>(
	serve: (request: Request) => Promise<void>,
): RequestQueue<Request> => {
	const waiting: Request[] = [];
	/**
	 * Number and size of requests without a reply, not counting the request that is being served
	 * from the queue.
	 */
	const held = {count: 0, bytes: 0};
	let isServing = false;

	const hold = (request: Request, isUrgent: boolean): boolean => {
		if (!isUrgent && (held.count >= MOST_WAITING || held.bytes + request.size > WAITING_BYTES)) return false;
		held.count++;
		held.bytes += request.size;
		return true;
	};
	const release = ({size}: Request): void => {
		held.count--;
		held.bytes -= size;
	};
	const serveAll = async (): Promise<void> => {
		if (isServing) return;
		isServing = true;
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			release(next);
			await serve(next);
			// Lets other work run between requests, because many fast requests in a row would block
			// it.
			if (waiting.length > 0) await nextTurn();
		}
		isServing = false;
	};
	return {
		add(request) {
			if (!hold(request, false)) return false;
			waiting.push(request);
			void serveAll();
			return true;
		},
		addAside(request, isUrgent) {
			if (!hold(request, isUrgent)) return false;
			void serve(request).finally(() => release(request));
			return true;
		},
		isWaiting: () => waiting.length > 0,
		clear() {
			for (const request of waiting.splice(0)) release(request);
		},
	};
};
