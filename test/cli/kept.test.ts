// @module-tag long
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {CLOCK} from '../support/clock.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';

const run = async (home: Home, code: string) => runCommand(['run', 'welcome', '-c', code], {home});
const settings = (home: Home, text: string): void => {
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'settings.json'), text);
};

test(
	'by default, the variables of one run are there for the next, are listed, and end on request',
	{tags: 'short'},
	async () => {
		await using home = await newHome({keeps: true});
		const first = await run(home, 'x=41');
		expect(first).toMatchObject({code: 0, stdout: ''});
		expect(first.stderr).toBe(
			`welcome stays up for 30 minutes after this command, with its variables. Stop it with: ${PROGRAM} local stop. Files are kept.\n`,
		);
		expect(await run(home, 'print(x)')).toEqual({code: 0, signal: null, stdout: '41\n', stderr: ''});
		const {stdout} = await runCommand(['info', '--json'], {home});
		const {local} = JSON.parse(stdout) as {local: {kept: readonly {until: string}[]}};
		expect(local).toMatchObject({
			engine: 'embedded',
			programs: 0,
			kept: [{name: 'welcome', engine: 'embedded'}],
		});
		const left = Date.parse(local.kept[0]?.until ?? '') - Date.now();
		expect(left).toBeGreaterThan(25 * 60_000);
		expect(left).toBeLessThanOrEqual(30 * 60_000);
		expect((await runCommand(['info'], {home})).stdout).toMatch(
			new RegExp(
				`^local service +running +process \\d+\n +welcome +embedded, has run code; kept until ${CLOCK}$`,
				'm',
			),
		);
		expect(await runCommand(['local', 'stop'], {home})).toEqual({
			code: 0,
			signal: null,
			stdout: 'The local service has stopped, and welcome with their kernel variables. Files are kept.\n',
			stderr: '',
		});
		// The lock of the folder is released a moment before the process ends.
		await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 100});
		expect(await runCommand(['local', 'stop', '--json'], {home})).toMatchObject({
			code: 0,
			stdout: '{\n  "stopped": false,\n  "servers": []\n}\n',
		});
	},
);

test('a command that runs no code leaves nothing behind', async () => {
	await using home = await newHome({keeps: true});
	const {stderr} = await runCommand(['files', 'list', 'welcome'], {home});
	expect(stderr).toMatch(/^welcome stops with this command/);
	await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 100});
});

test('"keepKernels" of the settings: never, a duration, or an error that lists the valid values', async () => {
	await using home = await newHome({keeps: true});
	settings(home, '{"keepKernels": "never"}');
	expect((await run(home, 'x=41')).stderr).toMatch(/^welcome stops with this command/);
	await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 100});
	settings(home, '{"keepKernels": "2h"}');
	expect((await run(home, 'x=41')).stderr).toMatch(/^welcome stays up for 2 hours after this command/);
	expect((await run(home, 'print(x)')).stdout).toBe('41\n');
	settings(home, '{\n"keepKernels": "for ever"}');
	expect(await run(home, 'print(x)')).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(
			/settings\.json:2: keepKernels must be a duration of at most 24 hours, as in "30m" or "2h", or "never", or "ask"\./,
		),
	});
	expect(
		await runCommand(['servers'], {home: {...home, env: {...home.env, SVC_KEEP_KERNELS: '25h'}}}),
	).toMatchObject({code: 2});
});

test('a service that was started by hand is not ended by a command', async () => {
	await using home = await newHome();
	const {serveProcess} = await import('../support/serve-process.ts');
	await using served = serveProcess(join(home.folder, '.local/share/svc-tui/service'), {env: home.env});
	await served.url();
	expect(await runCommand(['local', 'stop'], {home})).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^The local service was started with svc-tui serve \(process \d+\)/),
	});
	expect(await runCommand(['servers'], {home})).toMatchObject({code: 0});
});
