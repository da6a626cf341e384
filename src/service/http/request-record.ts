import type {Socket} from 'node:net';
import {isLoopback} from '../../machine/loopback.ts';

/** Record of a request that has ended. It contains no headers, query, body or file path. */
export type RequestRecord = {
	readonly method: string;
	/**
	 * Path of the route, with the names of its parameters. `-` if the request was rejected before
	 * its route was known.
	 */
	readonly route: string;
	/** Status of the response. `gone` if the client disconnected before the response. */
	readonly status: number | 'gone';
	/**
	 * Empty if the request was rejected before its key was checked, and for pages that need no key.
	 */
	readonly user: string;
	readonly server: string | undefined;
	/** Address of the client. */
	readonly client: string;
	/** True for a request that became a WebSocket. */
	readonly isUpgrade: boolean;
	readonly ms: number;
	readonly bytes: number;
};

type RequestFacts = Pick<RequestRecord, 'route'> &
	Partial<Pick<RequestRecord, 'user' | 'server' | 'isUpgrade'>> & {
		readonly method: string | undefined;
		readonly status: number | undefined;
	};

/**
 * Starts measuring a request. Returns a function that creates the record, to be called at the end
 * of the request.
 */
export const beginRecord = (socket: Socket, client = ''): ((facts: RequestFacts) => RequestRecord) => {
	const began = performance.now();
	const written = socket.bytesWritten;
	return ({method = '-', route, status, user = '', server, isUpgrade = false}) => ({
		...{method, route, user, server, client, isUpgrade},
		status: status ?? 'gone',
		ms: Math.round(performance.now() - began),
		bytes: socket.bytesWritten - written,
	});
};

/** Line in the log. Contains the client's address only if the client is on another machine. */
export const recordLine = ({method, route, status, client, ms, bytes}: RequestRecord): string =>
	`${method} ${route} ${status} ${ms}ms ${bytes}b${client === '' || isLoopback(client) ? '' : ` from ${client}`}`;
