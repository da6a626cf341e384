import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import type {ProgressCallback} from '@modelcontextprotocol/sdk/shared/protocol.js';
import {ElicitRequestSchema, type ElicitResult} from '@modelcontextprotocol/sdk/types.js';
import {PROGRAM, type Home} from './program.ts';

export type Answered = {
	/** Texts of the result, joined by newlines. */
	readonly text: string;
	readonly value: Readonly<Record<string, unknown>> | undefined;
	readonly isError: boolean;
	/** The complete result as received. */
	readonly whole: string;
	readonly pictures: readonly {readonly mimeType: string; readonly data: string}[];
};

export type McpClient = AsyncDisposable & {
	readonly client: Client;
	/** Process id of our program. */
	readonly pid: number;
	stderr(): string;
	call(
		name: string,
		given?: Readonly<Record<string, unknown>>,
		how?: {readonly signal?: AbortSignal; readonly onprogress?: ProgressCallback},
	): Promise<Answered>;
	/** Names of the listed tools. */
	tools(): Promise<readonly string[]>;
};

export type McpOptions = {
	readonly home: Home;
	readonly env?: Readonly<Record<string, string>>;
	readonly args?: readonly string[];
	/**
	 * Answers questions of our program. Without this function, the client declares no support for
	 * questions.
	 */
	readonly answer?: (question: string) => ElicitResult | Promise<ElicitResult>;
};

/** Starts the built program as an MCP server, and connects the SDK's own client to it. */
export const openMcp = async ({home, env = {}, args = [], answer}: McpOptions): Promise<McpClient> => {
	const transport = new StdioClientTransport({
		command: PROGRAM,
		args: ['mcp', ...args],
		cwd: home.folder,
		env: {...home.env, ...env},
		stderr: 'pipe',
	});
	let stderr = '';
	transport.stderr?.on('data', (part: Buffer) => {
		stderr += part.toString();
	});
	const client = new Client(
		{name: 'a client', version: '1'},
		{capabilities: answer === undefined ? {} : {elicitation: {}}},
	);
	if (answer !== undefined)
		client.setRequestHandler(ElicitRequestSchema, async ({params}) => answer(params.message));
	await client.connect(transport);
	return {
		client,
		pid: transport.pid ?? 0,
		stderr: () => stderr,
		async call(name, given = {}, how = {}) {
			const result = await client.callTool({name, arguments: given}, undefined, {timeout: 120_000, ...how});
			const blocks = result.content as readonly {
				readonly type: string;
				readonly text?: string;
				readonly mimeType?: string;
				readonly data?: string;
			}[];
			return {
				text: blocks.flatMap(({text}) => text ?? []).join('\n'),
				value: result.structuredContent as Answered['value'],
				isError: result.isError === true,
				whole: JSON.stringify(result),
				pictures: blocks.flatMap(({type, mimeType = '', data = ''}) =>
					type === 'image' ? [{mimeType, data}] : [],
				),
			};
		},
		tools: async () => (await client.listTools()).tools.map(({name}) => name),
		[Symbol.asyncDispose]: async () => client.close(),
	};
};
