// Process of a hostile user, who attacks the service until this process's input ends. Usage: `node
// hostile-process.ts WAY URL KEY SERVER`. Prints a line once it has started.
import {connect, type Socket} from 'node:net';
import {request} from 'node:http';

const [way = '', address = '', key = '', server = ''] = process.argv.slice(2);
const url = new URL(address);

/** Sends a request. Resolves when the response has ended or the connection is broken. */
const call = (method: string, path: string, body?: string | Buffer): Promise<void> =>
	new Promise(resolve => {
		const headers = {
			apikey: key,
			...(body !== undefined && {
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(body),
			}),
		};
		const sent = request(new URL(path, url), {method, headers});
		sent.once('response', response => response.resume().once('close', resolve));
		sent.once('error', () => resolve());
		sent.end(body);
	});

/** Repeats a request endlessly on several connections. */
const repeat = (count: number, next: () => Promise<void>): void => {
	const one = async (): Promise<never> => {
		for (;;) await next();
	};
	for (let left = count; left > 0; left--) void one();
};

const post = (path: string, body: object): Promise<void> => call('POST', path, JSON.stringify(body));
const put = (path: string, body: Buffer): Promise<void> =>
	call('PUT', `/api/servers/${server}/files/${path}`, body);
const fileOf = (content: string): Buffer =>
	Buffer.from(JSON.stringify({type: 'file', format: 'text', content}));
const tool = (name: string, given: object): Promise<void> =>
	post('/mcp', {jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name, arguments: given}});

/**
 * Sends bytes on a connection and reads nothing. When the connection is closed, opens the next one.
 */
const open = (bytes: string): void => {
	const socket: Socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
	socket.pause();
	socket.on('error', () => {}).once('close', () => setImmediate(open, bytes));
};
const head = (line: string, more = ''): string =>
	`${line} HTTP/1.1\r\nHost: ${url.host}\r\napiKey: ${key}\r\n${more}`;

const LINE = `${'a'.repeat(5000)}!`;
const WORDS = ['('.repeat(50_000), `\`${' '.repeat(100_000)}`, 'a.'.repeat(50_000), LINE];
const anyWord = (): string => WORDS[Math.floor(Math.random() * WORDS.length)] ?? '';

const WAYS: Readonly<Record<string, () => void>> = {
	cell() {
		const code = "import time\nend = time.time() + 5\nwhile time.time() < end: print('x' * 100)";
		repeat(20, () => post(`/api/servers/${server}/run-code`, {code, kernel_name: 'python3'}));
	},
	socket() {
		const upload = 'Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{';
		for (let left = 100; left > 0; left--) {
			open('');
			open(head('GET /api/servers'));
			open(`${head('GET /api/compute')}\r\n`.repeat(20));
			open(`${head('GET /local/lease')}\r\n`);
			open(head(`PUT /api/servers/${server}/files/a`, upload));
		}
	},
	expression() {
		void put('long.txt', fileOf(`${LINE}\n`.repeat(100)));
		repeat(2, () => tool('search_files', {server, pattern: '(a|aa)+$|(a*)*b', path: ''}));
		repeat(2, () => tool('list_compute', {query: anyWord()}));
		repeat(2, () =>
			post(`/api/assistant/${server}/model_1`, {messages: [{role: 'user', content: anyWord()}]}),
		);
	},
	disk: () => repeat(16, () => put(`${Math.floor(Math.random() * 16)}.txt`, fileOf('x'.repeat(1000)))),
	bodies() {
		const large = fileOf('x'.repeat(100 * 2 ** 20));
		const deep = Buffer.from(`{"content":${'['.repeat(20_000_000)}${']'.repeat(20_000_000)}}`);
		repeat(2, () => put('large.txt', large));
		repeat(1, () => put('deep.txt', deep));
		repeat(2, () => post('/mcp', {text: 'x'.repeat(2 ** 20 - 20)}));
		repeat(2, () => call('GET', `/api/servers/${server}/files/large.txt`));
	},
};

WAYS[way]?.();
console.log('started');
process.stdin.resume().once('end', () => process.exit());
