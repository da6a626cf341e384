import type {Backend} from '../backend.ts';
import {ServiceFault} from './fault.ts';
import type {Route} from './route.ts';

/** Answers messages of MCP clients. The caller supplies it: the service does not know the tools. */
export type McpHandler = (message: {
	/** API key of the caller, with which the tools call this service. */
	readonly key: string;
	/** Permissions of the key, such as `run,write`. Undefined: those of the service. */
	readonly allow: string | undefined;
	readonly body: unknown;
	readonly signal: AbortSignal;
}) => Promise<{readonly status: number; readonly body: string}>;

/** `open`: makes the handler for this service's own address, at the first message. */
export type McpEndpoint = {readonly open: (url: string) => McpHandler};

/**
 * Streamable HTTP of MCP without sessions. The guard has checked key, Host and Origin; other
 * methods get 405, which tells a client that there are neither streams nor sessions.
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
		/** Key of a user whom a proxy has signed in. */
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
