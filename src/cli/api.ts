import type {Method} from '../api/methods.ts';
import {isRecord, jsonIn} from '../text/record.ts';
import {usageError, valueOf} from './command-error.ts';
import type {Context} from './context.ts';
import {exactJson} from './json.ts';
import {readInput, readText} from './input.ts';
import {printBytes} from './print-bytes.ts';
import {printJson} from './print.ts';

/** Body given by -d. @throws {CommandError} if it is neither a JSON object nor a list. */
const bodyOf = async (context: Context, data: string): Promise<object> => {
	const text =
		data === '-'
			? await readInput(context, true, '')
			: data.startsWith('@')
				? await readText(data.slice(1))
				: data;
	const value = jsonIn(text);
	if (isRecord(value) || Array.isArray(value)) return value;
	throw usageError(
		'-d takes a JSON object or list, as in -d \'{"server_name": "lab"}\'.',
		'Nothing was sent.',
	);
};

/** Runs `api`. Prints the response unchanged to a pipe, and formats JSON for a terminal. */
export const callService = async (
	context: Context,
	method: Method,
	path: string,
	{data}: {readonly data?: string},
): Promise<void> => {
	if (method === 'GET' && data !== undefined)
		throw usageError('GET takes no body: drop -d, or use POST, PUT, PATCH or DELETE.');
	const body = data === undefined ? undefined : await bodyOf(context, data);
	const {client} = await context.connect();
	const answer = valueOf(
		await client.call({method, path, ...(body && {body})}, {signal: context.signal}),
	).body;
	const text = answer.toString('utf8');
	const value = exactJson(text);
	if (context.json) return printJson(context, value === undefined ? text : value);
	if (context.stdout.isTTY && value !== undefined) return printJson({...context, jsonl: false}, value);
	await printBytes(context, answer, 'The response', 'Redirect the output to a file.');
};
