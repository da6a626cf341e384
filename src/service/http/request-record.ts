import type {Socket} from 'node:net';
import {isLoopback} from '../../machine/loopback.ts';

/** A request that has ended. Never holds a header, a query, a body or the path of a file. */
export type RequestRecord = {
	readonly method: string;
	/** Path of the route with its parameters' names, or `-` if the request was refused before. */
	readonly route: string;
	/** `gone` if the client disconnected first. */
	readonly status: number | 'gone';
	/** Empty if the request was refused before its key was known, and on open pages. */
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

/** Returns the function that makes the record, to call at the end of the request. */
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

/** Line of the log. The client's address is only logged if it is another machine's. */
export const recordLine = ({method, route, status, client, ms, bytes}: RequestRecord): string =>
	`${method} ${route} ${status} ${ms}ms ${bytes}b${client === '' || isLoopback(client) ? '' : ` from ${client}`}`;
