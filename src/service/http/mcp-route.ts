import type {Backend} from '../backend.ts';
import {ServiceFault} from './fault.ts';
import type {Route} from './route.ts';

/**
 * Handles messages of MCP clients. The caller of `startService` provides it, because the service
 * does not contain the tools.
 */
export type McpHandler = (message: {
	/** The caller's API key, which the tools use for requests to this service. */
	readonly key: string;
	/** Permissions of the key, such as `run,write`. Undefined if those of the service apply. */
	readonly allow: string | undefined;
	readonly body: unknown;
	readonly signal: AbortSignal;
}) => Promise<{readonly status: number; readonly body: string}>;

/** `open`: creates the handler for this service's own address. Called at the first message. */
export type McpEndpoint = {readonly open: (url: string) => McpHandler};

/**
 * MCP's Streamable HTTP transport without sessions. The guard has already checked key, Host and
 * Origin. Other methods get 405, so that clients know that there are neither streams nor sessions.
 */
export const mcpRoute = (
	{open}: McpEndpoint,
	{
		url,
		mcpOf,
		keyOf,
	}: {
		readonly url: () => string;
		readonly mcpOf: Backend['mcpOf'];
		/** Returns a key for a user whom a proxy has signed in. */
		readonly keyOf: (user: string) => string;
	},
): Route => {
	let handler: McpHandler | undefined;
	return {
		method: 'POST',
		path: '/mcp',
		async answer({caller, body, signal}) {
			const key = caller.key === '' ? keyOf(caller.user) : caller.key;
			handler ??= open(url());
			const {status, body: text} = await handler({key, allow: mcpOf?.(key), body, signal});
			if (signal.aborted) throw new ServiceFault(503, 'The client has gone.');
			return {status, headers: text === '' ? {} : {'content-type': 'application/json'}, body: text};
		},
	};
};
