// @module-tag long
// Background jobs, shells, ports, variables and the assistant, on a host and on a node of a
// cluster.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {freePort} from '../../support/free-port.ts';
import {labMissing, startLab} from '../../support/lab/lab.ts';
import {labHome, startCommand, startPlainAndJob, type LabHome} from '../../support/lab-home.ts';
import {PROGRAM} from '../../support/program.ts';
import {openTerminal} from '../../support/terminal.ts';
import {waitFor} from '../../support/wait-for.ts';
import {startWorkModel, step, steps} from '../../support/work-model.ts';

const SERVE = `import http.server, threading
open("report.txt", "w").close()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port)`;

/** Starts a file server on a port of the server's machine, and forwards the port. */
const openForward = async (home: LabHome, name: string) => {
	const port = Number(await home.checked('run', name, '-c', SERVE));
	const local = await freePort();
	const {child, output, ended} = startCommand(home, 'forward', name, `${port}:${local}`);
	await waitFor(() =>
		expect(output()).toContain(
			`http://127.0.0.1:${local} forwards to port ${port} of "${name}", until Ctrl-C.`,
		),
	);
	return {
		text: async () => (await fetch(`http://127.0.0.1:${local}/`)).text(),
		async [Symbol.asyncDispose]() {
			child.kill('SIGINT');
			expect(await ended).toBe(130);
		},
	};
};

test.skipIf(labMissing !== null)(
	'jobs, a shell and the assistant run on a host and on a node, whatever engine this machine has',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab, {SVC_ENGINE: 'embedded'});
		await using model = await startWorkModel();
		const {checked} = home;
		await startPlainAndJob(home);
		const models = {model_2: {baseUrl: model.baseUrl, model: 'tiny'}};
		writeFileSync(join(home.folder, '.config/svc-tui/models.json'), JSON.stringify(models));
		await checked('local', 'stop');
		for (const [name, machine] of [
			['plain', /login1/],
			['job', /n[12]/],
		] as const) {
			await using forwarded = await openForward(home, name);
			expect(await forwarded.text()).toContain('report.txt');
			if (name === 'plain') {
				// The next connection opens the route again.
				await lab.cutLogin();
				await lab.restoreLogin();
				await waitFor(async () => expect(await forwarded.text()).toContain('report.txt'));
			}

			await checked('run', name, '-c', 'rows = list(range(50_000))');
			expect(await checked('variables', name)).toMatch(/^rows +list +50,000 +/m);

			await checked('job', 'run', name, '--name', 'count', '--', 'sh', '-c', 'hostname; echo done');
			await checked('job', 'wait', name, 'count');
			expect(await checked('job', 'logs', name, 'count')).toMatch(new RegExp(`^${machine.source}\ndone\n$`));
			expect(await checked('job', 'list', name)).toContain('count');
			await checked('job', 'rm', name, 'count');

			await using terminal = await openTerminal({
				command: [PROGRAM, 'shell', name],
				env: home.env,
				cwd: home.folder,
			});
			await terminal.until(/[$#] *$/m);
			terminal.type('echo "$((6*7)) $(hostname)"\r');
			await terminal.until(new RegExp(`^42 ${machine.source}`, 'm'));
			terminal.type('exit\r');
			expect(await terminal.exit).toMatchObject({code: 0});

			model.play([() => 'It has a GPU.']);
			expect(await checked('chat', name, 'What is there?')).toContain('It has a GPU.');
			model.play([
				steps(step('run', '', 'import socket\nprint("on", socket.gethostname())\n')),
				steps(step('write', `report-${name}.md`, 'seen\n')),
				steps(step('done', '', 'It is written.\n')),
			]);
			await checked('work', name, 'write a report', '--allow', 'run,write');
			expect(model.heard()).toMatch(new RegExp(`on ${machine.source}`));
			expect(await checked('files', 'get', name, `report-${name}.md`)).toBe('seen\n');
			await checked('server', 'stop', name);
		}
	},
);
