import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import net from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test, vi} from 'vitest';
import {firstOutput} from '../support/first-output.ts';
import {answering, rawPeer, tlsPeer} from '../support/peer.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {selfSigned} from '../support/self-signed.ts';
import {json, serverItem, startHostileService, success, type Answer} from './hostile-service.ts';
import {waitFor} from '../support/wait-for.ts';

vi.setConfig({testTimeout: 240_000});

const env = (
	baseUrl: string,
	more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
	SVC_BASE_URL: baseUrl,
	SVC_API_KEY: 'key-of-a-service-far-away',
	...more,
});

/**
 * A port that accepts no connections and whose queue is full, so the next connection gets no
 * response at all.
 */
const blackHole = async () => {
	const listener = spawn(
		process.execPath,
		[
			'-e',
			'const server = require("node:net").createServer(); server.listen({port: 0, host: "127.0.0.1", backlog: 0}, () => console.log(server.address().port))',
		],
		{stdio: ['ignore', 'pipe', 'inherit']},
	);
	const port = Number(await firstOutput(listener));
	listener.kill('SIGSTOP');
	const waiting: net.Socket[] = [];
	// If a connection is not established within this time, the queue is full.
	for (let connected = true; connected;) {
		const socket = net.connect(port, '127.0.0.1').on('error', () => {});
		waiting.push(socket);
		await once(socket, 'connect', {signal: AbortSignal.timeout(500)}).catch(() => {});
		// The test process may have been delayed by a busy machine. Pending events are delivered
		// first.
		await new Promise(setImmediate);
		connected = !socket.connecting && !socket.destroyed;
	}
	return {
		url: `http://127.0.0.1:${port}`,
		async [Symbol.asyncDispose]() {
			for (const socket of waiting) socket.destroy();
			listener.kill('SIGKILL');
			await once(listener, 'exit');
		},
	};
};

test(
	'for a service that does not accept the connection, the screen says so after five seconds, and keys always work',
	{tags: 'long'},
	async () => {
		await using hole = await blackHole();
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 110, rows: 30, env: env(hole.url)});
		await terminal.until('◌ Loading servers');
		for (const [screen, title] of [
			['compute', /^─ Compute ─+$/m],
			['environments', /^─ Environments ─+$/m],
			['servers', /^─ Servers ─+$/m],
		] as const) {
			pressAction(terminal, 'global', screen);
			await terminal.until(title);
		}
		await terminal.until(
			/Cannot reach 127\.0\.0\.1:\d+: no response while connecting for 5 s[^]*Next try in \d+ s   R now/,
		);
		pressAction(terminal, 'global', 'help');
		await terminal.until('Type to search all');
		pressAction(terminal, 'chooser', 'close');
		await terminal.gone('Type to search all');
		pressAction(terminal, 'anywhere', 'servers');
		pressAction(terminal, 'global', 'quit');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
	},
);

test.each([
	['its own', {}, 'its certificate is self-signed', false],
	['one that has expired', {until: new Date(Date.now() - 60_000)}, 'its certificate has expired', true],
	['one for another name', {name: 'other.example'}, 'its certificate is for another name', true],
] as const)(
	'for a service whose certificate is %s, screen and command give the reason and the way to add a CA, and no request is sent',
	{tags: 'long'},
	async (_, options, reason, isKnown) => {
		const identity = selfSigned(options);
		await using peer = await tlsPeer(identity);
		await using home = await newHome();
		const folder = join(home.folder, '.config/svc-tui');
		await mkdir(join(folder, 'keys'), {recursive: true});
		await writeFile(join(folder, 'keys/one'), 'key-of-one', {mode: 0o600});
		await writeFile(join(folder, 'ca.pem'), identity.cert);
		await writeFile(
			join(folder, 'settings.json'),
			JSON.stringify({
				profile: 'one',
				profiles: {one: {baseUrl: peer.url, ...(isKnown && {caFile: join(folder, 'ca.pem')})}},
			}),
		);
		await using terminal = await openProgram({home, columns: 110, rows: 30});
		const screen = await terminal.until(reason);
		expect(screen.replaceAll(/\s+/g, ' ')).toContain(
			`Cannot connect securely to ${new URL(peer.url).host}: ${reason}.`,
		);
		expect(screen.replaceAll(/\s+/g, ' ')).toContain('set caFile in the settings to its PEM file');
		expect(screen).not.toMatch(/ignore|anyway|insecure/i);
		const {code, stderr} = await runCommand(['servers'], {home});
		expect({code, stderr}).toEqual({code: 5, stderr: expect.stringContaining(reason)});
		expect(peer.asked).toEqual([]);
	},
);

test('a service with a private certificate is used if its CA is in the settings', async () => {
	const identity = selfSigned();
	await using peer = await tlsPeer(identity);
	await using home = await newHome();
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(join(folder, 'keys'), {recursive: true});
	await writeFile(join(folder, 'keys/one'), 'key-of-one', {mode: 0o600});
	await writeFile(join(folder, 'ca.pem'), identity.cert);
	await writeFile(
		join(folder, 'settings.json'),
		JSON.stringify({profile: 'one', profiles: {one: {baseUrl: peer.url, caFile: join(folder, 'ca.pem')}}}),
	);
	await using terminal = await openProgram({home, columns: 110, rows: 30});
	await terminal.until(/ one ●[^]*No servers yet|There is no server yet/);
});

test(
	'screen and command blame a missing proxy or one that requires a password, not the service',
	{tags: 'long'},
	async () => {
		let dead = '';
		{
			await using peer = await answering(200);
			dead = peer.url;
		}
		await using refusing = await rawPeer(socket =>
			socket.once('data', () =>
				socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
			),
		);
		for (const [proxy, said] of [
			[dead, `its proxy ${new URL(dead).host} cannot be reached`],
			[refusing.url, `the proxy ${new URL(refusing.url).host} asks for a user name and a password (407)`],
		] as const) {
			await using home = await newHome();
			const at = env('https://service.invalid', {HTTPS_PROXY: proxy});
			await using terminal = await openProgram({home, columns: 130, rows: 30, env: at});
			await terminal.until(`Cannot reach service.invalid: ${said}`);
			expect(await runCommand(['servers'], {home, env: at})).toMatchObject({
				code: 5,
				stderr: expect.stringContaining(said) as string,
			});
		}
	},
);

test(
	'a proxy is used neither for a service on this machine nor for a host in NO_PROXY',
	{tags: 'long'},
	async () => {
		await using proxy = await rawPeer(socket => socket.destroy());
		await using service = await startHostileService();
		const proxies = {
			HTTP_PROXY: proxy.url,
			HTTPS_PROXY: proxy.url,
			http_proxy: proxy.url,
			https_proxy: proxy.url,
		};
		await using home = await newHome();
		{
			await using terminal = await openProgram({
				home,
				columns: 110,
				rows: 30,
				env: {...service.env, ...proxies},
			});
			await terminal.until(/calm +\S ready/);
		}
		await using terminal = await openProgram({
			home,
			columns: 110,
			rows: 30,
			env: env('https://service.invalid', {
				...proxies,
				NO_PROXY: 'service.invalid',
				no_proxy: 'service.invalid',
			}),
		});
		await terminal.until(/Host service\.invalid not found|Cannot reach service\.invalid/);
		expect(terminal.screen()).not.toContain('proxy');
		expect(proxy.accepted()).toBe(0);
	},
);

const CLOCK = fileURLToPath(new URL('../support/move-clock.ts', import.meta.url));
const HOUR = 3_600_000;

test(
	'after the machine slept for an hour the list shows its age, and one request is sent',
	{tags: 'long'},
	async () => {
		const held: (() => void)[] = [];
		const list = (name: string): Answer => success({servers: [serverItem(name)]});
		await using service = await startHostileService({servers: () => list('before')});
		await using home = await newHome();
		await using terminal = await openProgram({
			home,
			columns: 110,
			rows: 30,
			env: {...service.env, NODE_OPTIONS: `--import=${CLOCK}`, MOVE: String(HOUR)},
		});
		await terminal.until(/before +\S ready/);
		const looks = (): number => service.asked.filter(line => line === 'GET /api/servers').length;
		const before = looks();
		service.answer({servers: () => new Promise<Answer>(resolve => held.push(() => resolve(list('after'))))});
		// The program is suspended, and its clock is far ahead when it continues.
		terminal.kill('SIGSTOP');
		terminal.kill('SIGUSR2');
		terminal.kill('SIGCONT');
		await terminal.until(/1 h ago[^]*before +\S ready/);
		await waitFor(() => expect(held).toHaveLength(1));
		pressAction(terminal, 'global', 'compute');
		await terminal.until(' Compute ');
		pressAction(terminal, 'global', 'servers');
		for (const release of held) release();
		await terminal.until(/just now[^]*after +\S ready/);
		expect(looks()).toBe(before + 1);
	},
);

test.each([
	[24 * HOUR, 'on'],
	[-24 * HOUR, 'back'],
] as const)(
	'a clock set by %i ms (a day %s): no age is negative, the list is reloaded, and a draft is found',
	{tags: 'long'},
	async (move, _) => {
		let name = 'before';
		await using service = await startHostileService({
			servers: () => success({servers: [serverItem(name)]}),
			compute: () => json({}, 500),
		});
		await using home = await newHome();
		{
			await using terminal = await openProgram({
				home,
				columns: 110,
				rows: 30,
				env: {...service.env, NODE_OPTIONS: `--import=${CLOCK}`, MOVE: String(move)},
			});
			await terminal.until(/before +\S ready/);
			terminal.kill('SIGUSR2');
			pressAction(terminal, 'anywhere', 'repl');
			await terminal.until('>>>');
			terminal.type('kept = 1');
			await terminal.until('kept = 1');
			pressAction(terminal, 'anywhere', 'servers');
			name = 'after';
			pressAction(terminal, 'global', 'refresh');
			const screen = await terminal.until(/just now[^]*after +\S ready/);
			expect(screen).not.toMatch(/-\d+ (?:s|min|h)|NaN/);
			terminal.kill('SIGTERM');
			await terminal.exit;
		}
		name = 'before';
		await using terminal = await openProgram({
			home,
			args: ['--fresh'],
			columns: 110,
			rows: 30,
			env: service.env,
		});
		await terminal.until(/before +\S ready/);
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('>>> kept = 1');
	},
);
