import {httpPeer, type Peer} from '../../support/peer.ts';

/**
 * Starts a service with these files on each of its servers. Its assistant answers with `say`, which
 * receives the last message.
 */
export const serviceWith = async (
	files: ReadonlyMap<string, string>,
	say: (asked: string) => string = () => 'Yes.',
): Promise<{
	readonly peer: Peer;
	/** The last message of each question, and the number of its messages. */
	readonly messages: string[];
	readonly counts: number[];
}> => {
	const messages: string[] = [];
	const counts: number[] = [];
	const folder = (path: string) => ({
		type: 'directory',
		name: path,
		path,
		content: [
			...new Set(
				[...files.keys()]
					.filter(name => path === '' || name.startsWith(`${path}/`))
					.map(name => name.slice(path === '' ? 0 : path.length + 1).split('/', 1)[0]),
			),
		].map(name => ({name, path: name, type: 'file'})),
	});
	const peer = await httpPeer((response, request, body) => {
		const path = decodeURIComponent(/\/files\/(.*)$/.exec(request.url ?? '')?.[1] ?? '');
		if (request.method === 'POST') {
			const {messages: sent} = JSON.parse(body) as {messages: {content: string}[]};
			const asked = sent.at(-1)?.content ?? '';
			messages.push(asked);
			counts.push(sent.length);
			response
				.writeHead(200, {'content-type': 'text/plain'})
				.end(
					`0:${JSON.stringify(say(asked))}\nd:{"finishReason":"stop","usage":{"promptTokens":3000,"completionTokens":21}}\n`,
				);
			return;
		}
		const text = files.get(path);
		const content =
			text !== undefined ? {name: path, path, type: 'file', format: 'text', content: text} : folder(path);
		const isThere = path === '' || text !== undefined;
		response
			.writeHead(isThere ? 200 : 404, {'content-type': 'application/json'})
			.end(JSON.stringify(isThere ? {status: 'success', content} : {status: 'error', message: 'none'}));
	});
	return {peer, messages, counts};
};
