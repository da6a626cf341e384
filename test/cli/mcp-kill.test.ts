// @module-tag long
import net from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openMcp} from '../support/mcp-client.ts';
import {newHome, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {serve, type Served} from './support.ts';

/** Length of a text that a socket does not accept in one write. */
const LONG = 4_000_000;
const OLD = 'old\n'.repeat(LONG / 4);
const NEW = 'new\n'.repeat(LONG / 4);

let home: Home;
let served: Served;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
});
afterAll(async () => {
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

type Gate = AsyncDisposable & {readonly url: string; readonly uploads: () => number};

/**
 * Proxy in front of the service. It forwards at most `most` bytes of an upload and then calls
 * `reached`. For a complete upload it does so before it forwards the response.
 */
const gate = async (most: number, reached: () => void): Promise<Gate> => {
	let uploads = 0;
	const sockets = new Set<net.Socket>();
	const server = net.createServer(near => {
		const far = net.connect({port: Number(new URL(served.url).port), host: '127.0.0.1'});
		for (const socket of [near, far]) {
			sockets.add(socket);
			socket.on('error', () => {});
		}
		let isUpload = false;
		let passed = 0;
		near.on('data', come => {
			// The service checks the Host header, so the proxy sends the service's own.
			const {host} = new URL(served.url);
			const chunk = Buffer.from(
				come.toString('latin1').replace(`127.0.0.1:${near.localPort}`, host),
				'latin1',
			);
			if (chunk.subarray(0, 4).toString() === 'PUT ') {
				isUpload = true;
				uploads += 1;
			}
			if (!isUpload) return void far.write(chunk);
			const part = chunk.subarray(0, most - passed);
			passed += part.length;
			far.write(part);
			if (passed < most) return;
			reached();
			near.destroy();
			far.end();
		});
		far.on('data', chunk => {
			if (!isUpload) return void near.write(chunk);
			reached();
			near.destroy();
		});
		near.on('close', () => far.end());
		far.on('close', () => near.end());
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as net.AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		uploads: () => uploads,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
};

const names = async (): Promise<unknown> => {
	await using mcp = await openMcp({home, env: served.env});
	const {value} = await mcp.call('list_files', {server: 'welcome'});
	return (value?.['entries'] as readonly {readonly name: string}[]).map(({name}) => name).sort();
};

test.each([
	['with its first bytes', 1000, OLD],
	['in its middle', LONG / 2, OLD],
	['when all of it but the answer has come', Infinity, NEW],
])(
	'kill -9 while a file is uploaded, %s: it is the old or the new one, and is sent once',
	async (_, most, then) => {
		expect(await served.run(['files', 'put', 'welcome', '-', 'a.txt'], {input: OLD})).toMatchObject({
			code: 0,
		});
		const before = await names();
		let pid = 0;
		await using between = await gate(most, () => process.kill(pid, 'SIGKILL'));
		const env = {...served.env, SVC_BASE_URL: between.url};
		{
			await using mcp = await openMcp({home, env, args: ['--allow', 'write']});
			({pid} = mcp);
			await expect(
				mcp.call('write_file', {server: 'welcome', path: 'a.txt', content: NEW, overwrite: true}),
			).rejects.toThrow(/closed/i);
			await waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
		}
		// A new process sends nothing before a client asks it to.
		await using next = await openMcp({home, env, args: ['--allow', 'write']});
		expect(await next.call('read_file', {server: 'welcome', path: 'a.txt', lines: 1})).toMatchObject({
			text: expect.stringMatching(new RegExp(`\n${then.slice(0, 3)}$`)),
		});
		expect(between.uploads()).toBe(1);
		const got = await served.run(['files', 'get', 'welcome', 'a.txt']);
		expect(got.stdout === then).toBe(true);
		expect(await names()).toEqual(before);
	},
);

test('kill -9 while code runs: it is not run again, and the kernel keeps its variables', async () => {
	const {pid, over} = await (async () => {
		const mcp = await openMcp({home, env: served.env, args: ['--allow', 'run']});
		const runs = Promise.withResolvers<void>();
		const code = [
			'import os',
			'n = 42',
			'_ = open("runs.txt", "a").write("x")',
			'print("begun")',
			'while not os.path.exists("go.txt"): pass',
		].join('\n');
		const ended = mcp
			.call(
				'run_code',
				{server: 'welcome', code},
				{
					onprogress({message}) {
						if (/^the code is running, \d+ characters printed/.test(message ?? '')) runs.resolve();
					},
				},
			)
			.catch((error: unknown) => error);
		await runs.promise;
		return {pid: mcp.pid, over: ended};
	})();
	process.kill(pid, 'SIGKILL');
	expect(await over).toBeInstanceOf(Error);
	expect(await served.run(['files', 'put', 'welcome', '-', 'go.txt'], {input: '1'})).toMatchObject({code: 0});
	await using next = await openMcp({home, env: served.env, args: ['--allow', 'run']});
	expect(
		await next.call('run_code', {server: 'welcome', code: 'print(open("runs.txt").read(), n)'}),
	).toMatchObject({text: 'The code has run.\nx 42\n'});
});
