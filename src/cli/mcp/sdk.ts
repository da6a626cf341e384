// The SDK, and the parts of zod that the tools need, by name: a separate bundle, which no other
// command loads.
export {
	array,
	boolean,
	enum,
	int,
	number,
	object,
	strictObject,
	string,
	toJSONSchema,
	union,
	ZodError,
	type infer,
	type output,
	type ZodObject,
} from 'zod';
export {Server} from '@modelcontextprotocol/sdk/server/index.js';
export {
	CallToolRequestSchema,
	JSONRPCMessageSchema,
	ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
export type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
export type {CallToolResult, ContentBlock, JSONRPCMessage} from '@modelcontextprotocol/sdk/types.js';
