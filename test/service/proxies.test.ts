// @module-tag long
// Commands of the program, used with a service behind proxies. The proxies are configured as on the
// page about proxies.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serviceEnvironment} from '../../src/settings/service-environment.ts';
import {serve, type Served} from '../cli/support.ts';
import {freePort} from '../support/free-port.ts';
import {startModelServer} from '../support/model-server.ts';
import {newHome, openProgram, PROGRAM, type Home} from '../support/program.ts';
import {PROXIES, proxyMissing, startProxy, type ProxyName} from '../support/proxies.ts';
import {waitFor} from '../support/wait-for.ts';

const missing = PROXIES.map(name => proxyMissing(name)).filter(why => why !== null);
for (const why of missing) console.warn(`*** NOT TESTED: the service behind a real proxy, since ${why}. ***`);
const jupyterMissing = findJupyter(serviceEnvironment()) ? null : 'Jupyter Server is not installed';
if (jupyterMissing !== null)
	console.warn(`*** NOT TESTED: shells behind a proxy, since ${jupyterMissing}. ***`);

type Proxied = AsyncDisposable & {
	readonly home: Home;
	readonly publicUrl: string;
	/** Environment variables with the public address. */
	readonly env: Readonly<Record<string, string>>;
	readonly served: Served;
	/** Runs a command that must succeed. Resolves to its output. */
	run(...args: readonly string[]): Promise<string>;
};

const proxied = async (
	name: ProxyName,
	{strips = false, args = []}: {readonly strips?: boolean; readonly args?: readonly string[]} = {},
): Promise<Proxied> => {
	await using opened = new AsyncDisposableStack();
	const home = opened.use(await newHome());
	const port = await freePort();
	const publicUrl = `https://127.0.0.1:${port}/base`;
	const served = opened.use(
		await serve(home, ['--public-url', publicUrl, '--trusted-proxy', '127.0.0.1', ...args]),
	);
	const {certFile} = opened.use(
		await startProxy(name, {port, to: [Number(new URL(served.url).port)], strips}),
	);
	const env = {SVC_BASE_URL: publicUrl, SVC_API_KEY: served.key, NODE_EXTRA_CA_CERTS: certFile};
	const all = opened.move();
	return {
		home,
		publicUrl,
		env,
		served,
		async run(...command) {
			const {code, stdout, stderr} = await served.run(command, {env});
			expect([code, stderr], command.join(' ')).toEqual([0, stderr]);
			return stdout;
		},
		[Symbol.asyncDispose]: () => all.disposeAsync(),
	};
};

/** A command whose output is read as it arrives. */
const speaking = ({home, env}: Proxied, args: readonly string[]) => {
	const child = spawn(PROGRAM, [...args], {
		cwd: home.folder,
		env: {...home.env, ...env},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (part: string) => {
			text += part;
		});
	const closed = once(child, 'close');
	return {
		said: () => text,
		async ended(): Promise<unknown> {
			const [code] = (await closed) as [unknown];
			return code;
		},
	};
};

const rows = PROXIES.flatMap(name => [[name, 'keeps', false] as const, [name, 'takes away', true] as const]);

describe.skipIf(missing.length > 0)('behind a proxy that ends TLS', () => {
	test.each(rows)(
		'%s, which %s the base path: servers, files, live output, answers',
		async (name, _, strips) => {
			const rest = Promise.withResolvers<void>();
			await using model = await startModelServer(async stream => {
				await stream.text('the first words');
				await rest.promise;
				await stream.text(' and the last');
				await stream.finish();
				await stream.done();
			});
			await using models = await newHome();
			const modelsFile = join(models.folder, 'models.json');
			writeFileSync(modelsFile, JSON.stringify({model_1: {baseUrl: model.baseUrl, model: 'tiny'}}));
			await using here = await proxied(name, {strips, args: ['--models', modelsFile]});
			const {run, publicUrl, home} = here;

			await run('server', 'start', 'welcome', '--wait');
			const listed = await run('servers', '--json');
			expect(listed).toContain(`"${publicUrl}/user/local@localhost/welcome/?token=`);
			expect(listed).not.toContain(new URL(here.served.url).host);

			const bytes = Buffer.from(Array.from({length: 300_000}, (_each, index) => (index * 7919) % 251));
			writeFileSync(join(home.folder, 'all.bin'), bytes);
			await run('files', 'put', 'welcome', 'all.bin', 'ä b.bin');
			await run('files', 'get', 'welcome', 'ä b.bin', '-o', 'back.bin');
			expect(readFileSync(join(home.folder, 'back.bin')).equals(bytes)).toBe(true);

			// The cell ends once a file exists. The file is sent after the cell's first line has
			// arrived.
			const cell = speaking(here, [
				'run',
				'welcome',
				'-c',
				'import os\nprint("first", flush=True)\nwhile not os.path.exists("go.txt"): pass\nprint("last")',
			]);
			await waitFor(() => expect(cell.said()).toBe('first\n'));
			writeFileSync(join(home.folder, 'go.txt'), 'go');
			await run('files', 'put', 'welcome', 'go.txt');
			expect([await cell.ended(), cell.said()]).toEqual([0, 'first\nlast\n']);

			const answer = speaking(here, ['chat', 'welcome', '-m', 'model_1', 'why?']);
			await waitFor(() => expect(answer.said()).toContain('the first words'));
			rest.resolve();
			expect(await answer.ended()).toBe(0);
			expect(answer.said()).toContain('the first words and the last');
		},
	);

	test.skipIf(jupyterMissing !== null).each(PROXIES)(
		'%s: a shell on a Jupyter Server, whose pages are not passed on',
		async name => {
			await using here = await proxied(name, {args: ['--engine', 'jupyter']});
			await here.run('server', 'start', 'welcome', '--wait');
			await using terminal = await openProgram({
				home: here.home,
				args: ['shell', 'welcome'],
				env: here.env,
				columns: 90,
				rows: 24,
			});
			await terminal.until('Shell on welcome. Type exit to leave');
			await terminal.until(/[$#] $|[$#]$/m);
			terminal.type('echo sum-$((40+2))\r');
			await terminal.until('sum-42');
			terminal.type('exit\r');
			expect((await terminal.exit).code).toBe(0);
		},
	);
});
