// @module-tag long
// Shuts down a server from the screens and from a script, on both engines of the local service.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {jupyterMissing, jupyterServer} from '../support/jupyter-server.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;

const command = async (terminal: Terminal, line: string): Promise<void> => {
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type(line);
	await terminal.until(`: ${line}`);
	terminal.press('\r');
};
const listed = async (home: Home): Promise<Readonly<Record<string, unknown>>> => {
	const {stdout} = await runCommand(['servers', '--json'], {home});
	return (JSON.parse(stdout) as [Readonly<Record<string, unknown>>])[0];
};

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test(
			':shutdown asks, ends running code, and the list shows the server offline; cells and typed text stay',
			engine === 'embedded' ? {tags: 'short'} : {},
			async () => {
				await using home = await newHome();
				await using terminal = await openProgram({home, columns: 90, rows: 40, env: {SVC_ENGINE: engine}});
				await startWelcome(terminal);
				await openRepl(terminal);
				await terminal.until(/REPL · welcome · Python · live/);
				const held = await defineHeld(terminal, home);
				await terminal.gone('[*]');
				runCode(terminal, 'x = 41; print("be" + "fore"); held()');
				await held.begun();
				await terminal.until(/^ +before$/m);
				terminal.type('x + 1');
				await command(terminal, 'shutdown');
				const asked = await terminal.until('Shut down welcome?');
				expect(asked).toMatch(
					/The running cell ends and keeps[^]*The server costs 0\.00\/h, about 0\.00 today/,
				);
				pressAction(terminal, 'confirm', 'no');
				await terminal.gone('Shut down welcome?');
				expect((await listed(home))['status']).toBe('ready');
				await command(terminal, 'shutdown');
				await terminal.until('Shut down welcome?');
				pressAction(terminal, 'confirm', 'yes');
				await terminal.until(/welcome is offline: you no longer pay 0\.00\/h/);
				await terminal.until(/welcome \S offline/);
				await terminal.until(/Shut down\. Files are kept/);
				expect(await listed(home)).toMatchObject({
					status: 'offline',
					status_reason: expect.stringMatching(/^Shut down\./),
				});
				pressAction(terminal, 'offline', 'start');
				await terminal.until('Start welcome?');
				pressAction(terminal, 'confirm', 'yes');
				await terminal.until(/welcome \S ready/);
				const back = await terminal.until(/>>> x \+ 1/);
				expect(back).toMatch(/ before\n[^]*The kernel was shut down/);
				pressAction(terminal, 'repl', 'run');
				expect(await terminal.until(/NameError/)).toMatch(/new kernel: variables above are gone/);
			},
		);
	});

test('a script shuts a server down and knows when it is offline; a second time there is nothing to do', async () => {
	await using home = await newHome({keeps: true});
	expect((await runCommand(['run', 'welcome', '-c', 'x = 41'], {home})).code).toBe(0);
	expect((await listed(home))['status']).toBe('ready');
	const {code, stdout} = await runCommand(['server', 'stop', 'welcome'], {home});
	expect({code, stdout}).toEqual({
		code: 0,
		stdout: 'welcome is offline: you no longer pay 0.00/h, its files are kept.\n',
	});
	expect((await listed(home))['status']).toBe('offline');
	const again = await runCommand(['server', 'stop', 'welcome', '--json'], {home});
	expect(again.code).toBe(0);
	expect(JSON.parse(again.stdout)).toEqual({server_name: 'welcome', status: 'offline'});
});

test.skipIf(jupyterMissing)(
	'for an attached server the question names the owner of the process, and a script has to allow it',
	async () => {
		await using home = await newHome();
		await using jupyter = await jupyterServer();
		await using terminal = await openProgram({home, columns: 90, rows: 30});
		await terminal.until(/welcome\s.*offline/);
		const attached = await runCommand(['attach', '--name', 'node17'], {
			home,
			input: `${jupyter.url}?token=${jupyter.token}`,
		});
		expect(attached.code).toBe(0);
		const refused = await runCommand(['server', 'stop', 'node17'], {home});
		expect([refused.code, refused.stderr]).toEqual([
			2,
			expect.stringMatching(
				/^node17 is an attached server at 127\.0\.0\.1:\d+, started by someone else.*\n--yes shuts it down/,
			),
		]);
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(/node17 +● ready/);
		await command(terminal, 'shutdown node17');
		const asked = (await terminal.until('Shut down node17?')).replaceAll(/[│\s]+/g, ' ');
		expect(asked).toMatch(/is an attached server at 127\.0\.0\.1:\d+, started by someone else/);
		expect(await jupyter.status('api/status')).toBe(200);
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/node17 +○ offline/);
		await terminal.until('node17 is offline: its cost is unknown');
		await expect(jupyter.status('api/status')).rejects.toThrow();
	},
);
