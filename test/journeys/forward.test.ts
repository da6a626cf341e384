// @module-tag long
// Forwards a port of a server to a port of this machine.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {startHostileService} from '../faults/hostile-service.ts';
import {freePort} from '../support/free-port.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';

const missing = findJupyter(process.env) === null;
if (missing) console.warn('\n*** SKIPPED: no ports of a server: jupyter-server is not installed ***\n');

const SERVE =
	'import http.server, threading\nserver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)\nthreading.Thread(target=server.serve_forever, daemon=True).start()\nprint(server.server_port)';

test.skipIf(missing)(
	"a server's port is reachable here until Ctrl-C, and a local server's port is reported as already local",
	{tags: 'short'},
	async () => {
		await using home = await newHome({keeps: true});
		const jupyter = {SVC_ENGINE: 'jupyter'};
		const local = await freePort();
		const {stdout} = await runCommand(['run', 'welcome', '-c', SERVE], {home, env: jupyter});
		const port = Number(stdout);
		await using terminal = await openProgram({
			home,
			args: ['forward', 'welcome', `${port}:${local}`],
			env: jupyter,
		});
		await terminal.until(`http://127.0.0.1:${local} forwards to port ${port} of "welcome", until Ctrl-C.`);
		const answer = await fetch(`http://127.0.0.1:${local}/`);
		expect(await answer.text()).toContain('Directory listing');
		expect(await runCommand(['forward', 'welcome', `${port}:${local}`], {home})).toMatchObject({
			code: 2,
			stderr: expect.stringContaining(`Port ${local} of this machine is taken.`),
		});
		expect(await runCommand(['forward', 'welcome', String(port)], {home})).toMatchObject({
			code: 0,
			stdout: `http://127.0.0.1:${port} already reaches it: "welcome" runs on this machine.\n`,
		});
		terminal.press('ctrl+c');
		expect(await terminal.exit).toMatchObject({code: 130});
		await expect(fetch(`http://127.0.0.1:${local}/`)).rejects.toThrow();
	},
);

test('without a way to the port, the command reports that', async () => {
	await using home = await newHome();
	expect(await runCommand(['forward', 'welcome', '6006:6007'], {home})).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('Code on "welcome" cannot listen on ports.'),
	});
	expect(await runCommand(['forward', 'welcome', 'tensorboard'], {home})).toMatchObject({code: 2});
	await using service = await startHostileService();
	expect(await runCommand(['forward', 'calm', '6006'], {home, env: service.env})).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(
			/^"calm" may run on another machine; its ports cannot be forwarded from here\.\n/,
		),
	});
});

test.skipIf(missing)(
	'a service on this machine that is named by its address has its ports here, too',
	async () => {
		await using home = await newHome({keeps: true});
		const jupyter = {SVC_ENGINE: 'jupyter'};
		await runCommand(['run', 'welcome', '-c', '1'], {home, env: jupyter});
		const data = join(home.env['XDG_DATA_HOME'] ?? '', 'svc-tui/service');
		const {url} = JSON.parse(readFileSync(join(data, 'instance.json'), 'utf8')) as {readonly url: string};
		const key = readFileSync(join(data, 'key'), 'utf8').trim();
		for (const address of [url, url.replace('127.0.0.1', 'localhost')])
			expect(
				await runCommand(['forward', 'welcome', '6006'], {
					home,
					env: {SVC_BASE_URL: address, SVC_API_KEY: key},
				}),
			).toMatchObject({
				code: 0,
				stdout: 'http://127.0.0.1:6006 already reaches it: "welcome" runs on this machine.\n',
			});
	},
);
