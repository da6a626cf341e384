// Requests of one kernel, served in order of arrival.
import {setImmediate as nextTurn} from 'node:timers/promises';

/** Limits of waiting requests of all clients together: number, and size in bytes. */
export const MOST_WAITING = 1000;
export const WAITING_BYTES = 32 << 20;

export type RequestQueue<Request extends {readonly size: number}> = {
	/** Serves the request after the earlier ones. False if too many wait. */
	add(request: Request): boolean;
	/** Serves the request at once. False if too many wait and it is not urgent. */
	addAside(request: Request, isUrgent: boolean): boolean;
	/** True while a request waits for its turn. */
	isWaiting(): boolean;
	/** Drops the requests that wait. */
	clear(): void;
};

/** `serve` must not reject. */
export const createRequestQueue = <Request extends {readonly size: number}>(
	serve: (request: Request) => Promise<void>,
): RequestQueue<Request> => {
	const waiting: Request[] = [];
	/** Number and size of the requests without a reply, except the one being served in order. */
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
			// Many quick requests in a row would block other work.
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
