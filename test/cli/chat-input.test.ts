// Text added to a question to the assistant: standard input, and files of the server that the
// question names with @.
import {once} from 'node:events';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

const FILES: Readonly<Record<string, string>> = {
	'train.py': 'epochs = 3\nlr = 1\n',
	'a b.md': '# Notes\n',
	'picture.raw': 'AAAA',
};

let home: Home;
let server: http.Server;
let env: Readonly<Record<string, string>>;
let asked: string[] = [];
beforeAll(async () => {
	home = await newHome();
	server = http.createServer((request, response) => {
		void (async () => {
			const body = (await buffer(request)).toString();
			const [, name] = /\/files\/(.+)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
			if (request.method === 'POST' && request.url?.includes('/assistant/')) {
				const {messages} = JSON.parse(body) as {messages: readonly {content: string}[]};
				asked.push(messages.at(-1)?.content ?? '');
				response.writeHead(200, {'content-type': 'text/plain'});
				return response.end('0:"yes"\nd:{"finishReason":"stop"}\n');
			}
			const content = name === undefined ? undefined : FILES[name];
			if (name?.startsWith('broken')) response.writeHead(503);
			else response.writeHead(content === undefined ? 404 : 200, {'content-type': 'application/json'});
			return response.end(
				JSON.stringify(
					content === undefined
						? {error: 'no'}
						: {
								status: 'success',
								content: {
									name,
									path: name,
									type: 'file',
									format: name === 'picture.raw' ? 'base64' : 'text',
									content,
									mimetype: 'text/plain',
								},
							},
				),
			);
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	env = {SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: 'a-key'};
});
beforeEach(() => {
	asked = [];
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await home[Symbol.asyncDispose]();
});
const chat = async (args: readonly string[], input = '') =>
	runHere(['chat', 's', ...args], {home, env, input});

test('standard input goes along with a question', async () => {
	expect(await chat(['what is this?'], 'a\nb\n')).toMatchObject({code: 0, stdout: 'yes', stderr: ''});
	expect(asked).toEqual(['what is this?\n\nStandard input:\n```\na\nb\n```']);
	await chat(['alone'], ' \n');
	expect(asked.at(-1)).toBe('alone');
	await chat(['-'], 'all of it\n');
	expect(asked.at(-1)).toBe('all of it\n');
	expect(await chat(['too much'], 'x'.repeat(600_000))).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('more than a question can include'),
	});
	expect(await chat(['not text'], '\u0000')).toMatchObject({code: 0});
	expect(asked).toHaveLength(4);
});

test('a file of the server that a question names goes along, whole or by lines', async () => {
	expect(await chat(['explain @train.py#L2 and @"a b.md".'])).toMatchObject({code: 0, stderr: ''});
	expect(asked).toEqual([
		'explain @train.py#L2 and @"a b.md".\n\nLine 2 of the file train.py:\n```python\nlr = 1\n```\n\nThe file a b.md:\n```markdown\n# Notes\n```',
	]);
	await chat([], 'piped: @train.py\n');
	expect(asked.at(-1)).toContain('The file train.py:\n```python\nepochs = 3\nlr = 1\n```');
});

test('a file that cannot be attached is named, and nothing is sent', async () => {
	for (const [question, why] of [
		['@nope.py', '@nope.py'],
		['@train.py#L9', 'the file has 2 lines'],
		['@data/x', '@data/x'],
		['@broken.py', ''],
		['@broken.route', ''],
		['@picture.raw', '@picture.raw is not text.\n'],
		['@nope.txt', 'no.\n'],
	] as const) {
		const {code, stderr} = await chat([question]);
		expect(code).toBeGreaterThan(0);
		expect(stderr).toContain(why);
	}
	expect(asked).toEqual([]);
});

test('a decorator or a cell is text, with a notice', async () => {
	expect(await chat(['what does @app.route do, and @cell:3?'])).toMatchObject({
		code: 0,
		stderr:
			'@app.route is sent as text: there is no such file.\n@cell:3 is sent as text: only the screens can attach cells.\n',
	});
	expect(asked).toEqual(['what does @app.route do, and @cell:3?']);
});
