// Thread of the service in which the MCP tools run.
import {parentPort, workerData} from 'node:worker_threads';
import {lowerPriority} from '../machine/lower-priority.ts';
import {messageOf} from '../text/errors.ts';
import {loadCommands} from './load-main.ts';
import type {McpOptions} from './main-command.ts';
import type {McpMessage, McpReply, McpRequest} from './mcp-thread.ts';

lowerPriority();
const {url, options} = workerData as {readonly url: string; readonly options: McpOptions};
const handler = loadCommands().then(async ({openMcp}) => openMcp(url, options));
const running = new Map<number, AbortController>();

const answer = async (id: number, message: McpMessage): Promise<McpReply> => {
	const gone = new AbortController();
	running.set(id, gone);
	try {
		return {id, answer: await (await handler)({...message, signal: gone.signal})};
	} catch (error) {
		return {id, error: error instanceof Error ? (error.stack ?? error.message) : messageOf(error)};
	} finally {
		running.delete(id);
	}
};

parentPort?.on('message', ({id, message}: McpRequest) => {
	if (message === null) running.get(id)?.abort();
	else void answer(id, message).then(reply => parentPort?.postMessage(reply));
});
