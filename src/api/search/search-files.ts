// Search in the files of a server, in a separate kernel or through the service.
import {randomBytes} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {joinMultiline} from '../../text/output/multiline.ts';
import type {CallOptions, Client, Live, LiveSession} from '../client-types.ts';
import type {Failure} from '../failure.ts';
import {searchPageIn, type SearchCursor, type SearchPage, type SearchRequest} from './search-page.ts';

/** Time in seconds that a page may take. A search stops after this time at the latest. */
const PAGE_SECONDS = 1;
const PAGE_MATCHES = 100;
const PAGE_NAMES = 5000;

/**
 * Reply to a request for a page. `left`: the caller stopped the search. `says`: reason, as a
 * sentence.
 */
export type SearchReply =
	| {readonly kind: 'page'; readonly page: SearchPage}
	| {readonly kind: 'failed'; readonly failure: Failure}
	| {readonly kind: 'raised'; readonly says: string}
	| {readonly kind: 'left' | 'lost'};

/** Requests the page after a position. */
export type AskPage = (
	request: SearchRequest,
	after: SearchCursor,
	signal: AbortSignal,
) => Promise<SearchReply>;

let source: Promise<string> | null = null;
const readSource = (): Promise<string> =>
	(source ??= readFile(new URL('./search_files.py', import.meta.url), 'utf8'));

/**
 * Python expression that returns a page as JSON. It contains the user's input only as a JSON
 * string, never as code.
 */
const expressionFor = async (request: SearchRequest, after: SearchCursor): Promise<string> => {
	const text = JSON.stringify(await readSource());
	const count = request.names ? PAGE_NAMES : PAGE_MATCHES;
	const given = JSON.stringify({...request, after, seconds: PAGE_SECONDS, count});
	const call = `m.update(text=m["search"](${JSON.stringify(given)}, ${text}, main))`;
	return `(lambda b, m, main: (b.exec(b.compile(${text}, "<svc-tui>", "exec"), m), ${call}, m)[2])(__import__("builtins"), {"__name__": "svc_tui_search"}, __import__("__main__").__dict__)`;
};

/** `end`: ends the kernel of the searches, and any search that still runs. */
export type LiveSearch = {readonly ask: AskPage; readonly end: () => Promise<void>};

/**
 * Searches over the live link. Uses a separate kernel, so that a search does not wait for running
 * cells.
 */
export const createLiveSearch = (live: Pick<Live, 'evaluate' | 'kernels'>): LiveSearch => {
	// A random path, so that concurrent programs do not end each other's kernels.
	const path = `svc-tui-search-${randomBytes(4).toString('hex')}`;
	const session: LiveSession = {path, type: 'console', name: 'svc-tui search', kernel: 'python3'};
	return {
		async ask(request, after, signal) {
			const opened = await live.kernels.idOf(session);
			if (!opened.ok) return {kind: 'failed', failure: opened.failure};
			const expression = `(lambda m: m["Reply"](m["text"]))(${await expressionFor(request, after)})`;
			let found = await live.evaluate(expression, session, {signal});
			// The evaluation reopens a broken connection. Repeating a request is safe, because it
			// has no effect.
			if (found.end.kind === 'lost') found = await live.evaluate(expression, session, {signal});
			const {end} = found;
			if (end.kind === 'left' || end.kind === 'lost') return {kind: end.kind};
			const page = end.kind === 'value' ? searchPageIn(end.text, request.path) : null;
			return page === null ? {kind: 'raised', says: 'The kernel sent no reply.'} : {kind: 'page', page};
		},
		end: () => live.kernels.end(session),
	};
};

/** Requests a page through the service, in the user's kernel, after the cells that run there. */
export const askService =
	(client: Pick<Client, 'runCode'>, server: string, options: CallOptions = {}): AskPage =>
	async (request, after, signal) => {
		const mark = `<${randomBytes(12).toString('hex')}>`;
		const printed = JSON.stringify(mark);
		const code = `print(${printed} + ${await expressionFor(request, after)}["text"] + ${printed})`;
		const reply = await client.runCode(server, {code, kernel_name: 'python3'}, {...options, signal});
		if (!reply.ok) {
			if (signal.aborted) return {kind: 'left'};
			return {kind: 'failed', failure: reply.failure};
		}
		const {outputs} = reply.value;
		const [, json = ''] = outputs
			.map(output => (output['name'] === 'stdout' ? joinMultiline(output['text']) : ''))
			.join('')
			.split(mark);
		const page = searchPageIn(json, request.path);
		if (page !== null) return {kind: 'page', page};
		const error = outputs.find(output => output.output_type === 'error');
		return {
			kind: 'raised',
			says: error
				? `${joinMultiline(error['ename'])}: ${joinMultiline(error['evalue'])}`
				: 'The kernel sent no reply.',
		};
	};

/**
 * Yields pages until the end of the files, `limit` matches, or a failure, which is the last reply.
 */
export const searchFiles = async function* (
	ask: AskPage,
	request: SearchRequest,
	{limit, signal}: {readonly limit: number; readonly signal: AbortSignal},
): AsyncGenerator<SearchReply> {
	let after: SearchCursor = null;
	let left = limit;
	do {
		const reply = await ask(request, after, signal);
		if (reply.kind !== 'page') {
			yield reply;
			return;
		}
		const matches = reply.page.matches.slice(0, left);
		left -= matches.length;
		yield {kind: 'page', page: {...reply.page, matches}};
		after = reply.page.trouble === undefined ? reply.page.next : null;
	} while (after !== null && left > 0 && !signal.aborted);
};
