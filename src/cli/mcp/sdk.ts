// The MCP SDK and zod, in a separate bundle that only the command `mcp` loads. Only what is used is
// exported, by name.
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
