// Operations of the API for the OpenAPI document: endpoints of the contract, with responses as our
// service sends them.
import * as z from 'zod';
import {chat} from './assistant.ts';
import {attachServer, detachServer} from './attach.ts';
import {runCode} from './cells.ts';
import {computeStrict, listCompute} from './compute.ts';
import {environmentStrict, listEnvironments} from './environments.ts';
import {getFile, putFile} from './files.ts';
import {getKeyPage} from './key-page.ts';
import {getLimits, setLimits} from './limits.ts';
import {listModelNames} from './model-names.ts';
import {createServer, listServers, serverStrict, startServer} from './servers.ts';
import {THINKING_HEADER} from './stream.ts';

const text = z.string();
const optional = z.string().nullable();
const success = {status: z.literal('success')};

const order = {
	server_name: text,
	environment: text,
	port: z.int(),
	server_request: text,
	hourly_rate: z.number(),
	url: text,
	assistant_editor_url: text,
	port_forward_url: text,
};

const file = z.looseObject({
	name: text,
	path: text,
	serverPath: text,
	type: z.enum(['file', 'directory', 'notebook']),
	format: optional,
	content: z.union([z.string(), z.null(), z.array(z.looseObject({})), z.looseObject({})]),
	mimetype: optional,
	size: z.int().nullable(),
	created: text,
	last_modified: text,
	writable: z.boolean(),
});

const cell = z.looseObject({
	cell_type: z.literal('code'),
	execution_count: z.int().nullable(),
	metadata: z.looseObject({}),
	source: text,
	outputs: z.array(z.looseObject({output_type: text})),
});

const limits = z.looseObject({
	...success,
	servers: z.array(z.looseObject({name: text, idle_stop: optional, max_run: optional, stops_at: optional})),
	daily_budget: z.number().nullable(),
	spent_today: z.number(),
});

const error = z.looseObject({
	status: z.literal('error'),
	error: z.looseObject({code: z.int(), message: text}),
});

/**
 * Named schemas. They are stricter than those of the endpoints, which also accept responses of
 * other services.
 */
export const SCHEMAS = {
	Server: serverStrict,
	ComputeOption: computeStrict,
	Environment: environmentStrict,
	File: file,
	Cell: cell,
	Error: error,
} as const;

export type Operation = {
	readonly id: string;
	readonly does: string;
	readonly more?: string;
	readonly tag: 'servers' | 'catalogue' | 'files' | 'code' | 'assistant' | 'extensions';
	readonly row: {
		readonly method: string;
		readonly path: string;
		readonly status?: number;
		readonly body: z.ZodType | undefined;
	};
	/** Schema of the response. Null for a text stream. */
	readonly answers: z.ZodType | null;
	readonly isOpen?: true;
	/** Header parameters, with their descriptions. */
	readonly headers?: Readonly<Record<string, string>>;
	/** True if the response has the ETag of a file's content. */
	readonly isTagged?: true;
};

const NOT_SPECIFIED = 'Extension of the API: other services may not have it.';

export const OPERATIONS: readonly Operation[] = [
	{
		id: 'listServers',
		does: "Lists the servers of the key's user",
		tag: 'servers',
		row: listServers,
		answers: z.looseObject({...success, servers: z.array(serverStrict)}),
	},
	{
		id: 'createServer',
		does: 'Creates and starts a server',
		more: 'Poll listServers until its `status` is `ready`.',
		tag: 'servers',
		row: createServer,
		answers: z.looseObject({...success, ...order}),
	},
	{
		id: 'startServer',
		does: 'Starts a server that is offline',
		more: 'Poll listServers until its `status` is `ready`.',
		tag: 'servers',
		row: startServer,
		answers: z.looseObject({...success, ...order, message: text, token: optional}),
	},
	{
		id: 'listCompute',
		does: 'Lists compute options with prices and availability',
		tag: 'catalogue',
		row: listCompute,
		answers: z.looseObject({...success, compute: z.array(computeStrict)}),
	},
	{
		id: 'listEnvironments',
		does: 'Lists the software environments of servers',
		tag: 'catalogue',
		row: listEnvironments,
		answers: z.looseObject({...success, environments: z.array(environmentStrict)}),
	},
	{
		id: 'getFile',
		does: 'Reads a file, or lists a folder',
		tag: 'files',
		row: getFile,
		answers: z.looseObject({...success, content: file}),
		isTagged: true,
	},
	{
		id: 'putFile',
		does: 'Writes a file, or creates a folder',
		tag: 'files',
		row: putFile,
		answers: z.looseObject({...success, content: file}),
		headers: {'If-Match': 'ETag of the content to replace; other content gets status 412.'},
		isTagged: true,
	},
	{
		id: 'runCode',
		does: 'Runs code in a kernel, and returns the cell with its outputs',
		more: 'The response arrives when the cell has ended. Closing the connection interrupts the cell.',
		tag: 'code',
		row: runCode,
		answers: z.looseObject({...success, content: cell}),
	},
	{
		id: 'chat',
		does: 'Asks the assistant of a server',
		more: `The response is a stream of lines: a code, a colon and JSON. \`0\` is a piece of the answer, \`f\` is its start, \`e\` and \`d\` are its end, \`3\` is an error. Empty lines keep the connection alive.`,
		tag: 'assistant',
		row: chat,
		answers: null,
		headers: {[THINKING_HEADER]: "With any value: the model's reasoning is sent too, as `g` lines."},
	},
	{
		id: 'listModelNames',
		does: 'Lists the assistant models that a language model answers for',
		more: NOT_SPECIFIED,
		tag: 'extensions',
		row: listModelNames,
		answers: listModelNames.response.extend(success),
	},
	{
		id: 'getKeyPage',
		does: 'Returns the page where users create API keys',
		more: NOT_SPECIFIED,
		tag: 'extensions',
		row: getKeyPage,
		answers: z.looseObject({...success, key_page: optional, browser_sign_in: z.boolean()}),
		isOpen: true,
	},
	{
		id: 'getLimits',
		does: 'Returns the limits after which the service stops servers, and the cost of today',
		more: NOT_SPECIFIED,
		tag: 'extensions',
		row: getLimits,
		answers: limits,
	},
	{
		id: 'setLimits',
		does: 'Changes the limits of a server',
		more: NOT_SPECIFIED,
		tag: 'extensions',
		row: setLimits,
		answers: limits,
	},
	{
		id: 'attachServer',
		does: 'Adds a running Jupyter Server to the list of servers',
		more: NOT_SPECIFIED,
		tag: 'extensions',
		row: attachServer,
		answers: attachServer.response.extend(success),
	},
	{
		id: 'detachServer',
		does: 'Removes an attached server from the list; it keeps running',
		more: NOT_SPECIFIED,
		tag: 'extensions',
		row: detachServer,
		answers: z.looseObject(success),
	},
];
