// @module-tag long
// Background programs on a server of Debian's Jupyter Server. The test looks for leftover processes
// on the machine.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {onTerminal, serve, shell} from './support.ts';

const missing = findJupyter(process.env) === null;
if (missing) console.warn('\n*** SKIPPED: no jobs are started: jupyter-server is not installed ***\n');

const env = {SVC_ENGINE: 'jupyter'};
const job = async (home: Home, ...words: readonly string[]) => runCommand(['job', ...words], {home, env});
const folderOf = (home: Home): string => serverFolder(serviceFolder(home));
const jobFile = (home: Home, name: string): string => join(folderOf(home), 'svc-jobs', name, 'job.json');
type Kept = Record<string, unknown> & {readonly pid: number; readonly keeper: number};
const kept = (home: Home, name: string): Kept =>
	JSON.parse(readFileSync(jobFile(home, name), 'utf8')) as Kept;

/**
 * Program that prints a line, waits for a file in the server's folder, prints another line and
 * ends.
 */
const untilThere = (name: string, code = 0): readonly string[] => [
	'python',
	'-c',
	`import os, sys, time\nprint("first")\nwhile not os.path.exists(${JSON.stringify(name)}): time.sleep(0.02)\nprint("last")\nsys.exit(${code})`,
];
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe.skipIf(missing)('jobs', () => {
	test(
		'a job has its arguments as they were typed, its output byte for byte, and its exit code',
		{tags: 'short'},
		async () => {
			await using home = await newHome({keeps: true});
			const hostile = [
				'"; import os; os._exit(1)',
				"'\\''",
				'$(touch pwned)',
				'{given}\\n',
				'\u{1f680} é\n\u001b[31m',
				'',
			];
			const code =
				'import sys\nsys.stdout.buffer.write(repr(sys.argv[1:]).encode() + b"\\n\\xff\\x00\\x1b]0;owned\\x07end")\nsys.exit(7)';
			const run = await job(home, 'run', 'welcome', '--json', '--', 'python', '-c', code, ...hostile);
			expect(run).toMatchObject({code: 0});
			expect(JSON.parse(run.stdout)).toMatchObject({
				name: 'python-1',
				command: ['python', '-c', code, ...hostile],
				pid: expect.any(Number),
			});
			expect(await job(home, 'wait', 'welcome', 'python-1')).toMatchObject({
				code: 7,
				stdout: 'python-1 exited with code 7\n',
				stderr: '',
			});
			const raw = await shell('svc-tui job logs -f welcome python-1', {home, env});
			const text = readFileSync(join(folderOf(home), 'svc-jobs/python-1/output.log'));
			expect(raw.stdout).toEqual(text);
			expect(text.subarray(-16)).toEqual(Buffer.from('\n\xff\x00\x1b]0;owned\x07end', 'latin1'));
			expect(text.toString()).toContain('\u{1f680}');
			const shown = await onTerminal(['job', 'logs', 'welcome', 'python-1'], {home, env});
			expect(shown).toMatchObject({code: 0, text: expect.stringMatching(/\n\ufffd.*end$/)});
			expect(shown.text).not.toMatch(/[\u0000\u0007]|\u001b\]/);
			expect((await job(home, 'list', 'welcome')).stdout).toMatch(
				/^NAME +STATE +STARTED +TOOK +COMMAND\npython-1 +exited with code 7 +\d\d:\d\d +\d+ s +python -c /,
			);
			expect(existsSync(join(folderOf(home), 'pwned'))).toBe(false);
		},
	);

	test('a job outlives kill -9 of every program of ours, and its end is known afterwards', async () => {
		await using home = await newHome({keeps: true});
		expect(await job(home, 'run', 'welcome', '--name', 'train', '--', ...untilThere('go', 9))).toMatchObject({
			code: 0,
		});
		const {pid, keeper} = kept(home, 'train');
		const ours = (await processesUsing(home.folder)).filter(each => each.pid !== pid && each.pid !== keeper);
		// The service, the server and its kernel are running, at least.
		expect(ours.length).toBeGreaterThanOrEqual(3);
		for (const each of ours) process.kill(each.pid, 'SIGKILL');
		await waitFor(async () =>
			expect((await processesUsing(home.folder)).map(each => each.pid).toSorted()).toEqual(
				[pid, keeper].toSorted(),
			),
		);
		const list = JSON.parse((await job(home, 'list', 'welcome', '--json')).stdout) as unknown;
		expect(list).toMatchObject([{name: 'train', state: 'running', pid}]);
		const follow = shell('svc-tui job logs -f welcome train', {home, env});
		const wait = job(home, 'wait', 'welcome', 'train');
		writeFileSync(join(folderOf(home), 'go'), '');
		expect(await wait).toMatchObject({code: 9, stdout: 'train exited with code 9\n'});
		expect((await follow).stdout.toString()).toBe('first\nlast\n');
	});

	test('a job outlives the restart of the kernel and of the service, and is waited for while a cell runs', async () => {
		await using home = await newHome({keeps: true});
		const run = async (code: string) => runCommand(['run', 'welcome', '-c', code], {home, env});
		await job(home, 'run', 'welcome', '--name', 'long', '--', ...untilThere('go', 4));
		const {pid} = kept(home, 'long');
		expect(await run('import os; os.chdir("/"); os._exit(1)')).toMatchObject({code: 6});
		expect(await run('import os; os.chdir("/")')).toMatchObject({code: 0});
		// A cell has changed the kernel's working directory. The list of jobs does not depend on
		// it.
		expect((await job(home, 'list', 'welcome')).stdout).toMatch(/^long +running/m);
		expect(await runCommand(['local', 'stop'], {home, env})).toMatchObject({code: 0});
		expect(isAlive(pid)).toBe(true);
		expect((await job(home, 'list', 'welcome')).stdout).toMatch(/^long +running/m);
		const cell = run(
			'import os, time\nopen("busy", "w")\nwhile not os.path.exists("free"): time.sleep(0.02)',
		);
		await waitFor(() => expect(readdirSync(folderOf(home))).toContain('busy'));
		writeFileSync(join(folderOf(home), 'go'), '');
		expect(await job(home, 'wait', 'welcome', 'long')).toMatchObject({code: 4});
		expect((await job(home, 'logs', 'welcome', 'long')).stdout).toBe('first\nlast\n');
		writeFileSync(join(folderOf(home), 'free'), '');
		expect(await cell).toMatchObject({code: 0});
	});

	test('cancel ends the whole group, even if SIGTERM is ignored, and reports when a job has already ended', async () => {
		await using home = await newHome({keeps: true});
		const stubborn = 'trap "" TERM; echo $$; sleep 600 & echo $!; while :; do sleep 0.1; done';
		await job(home, 'run', 'welcome', '--name', 'a', '--', 'sh', '-c', stubborn);
		const log = join(folderOf(home), 'svc-jobs/a/output.log');
		const pids = await waitFor(() => {
			const found = readFileSync(log, 'utf8').trim().split('\n').map(Number);
			expect(found).toHaveLength(2);
			return found;
		});
		expect(await job(home, 'cancel', 'welcome', 'a')).toMatchObject({
			code: 0,
			stdout: 'a was cancelled: ended by signal 9\n',
		});
		await waitFor(() => expect(pids.filter(isAlive)).toEqual([]));
		expect(await job(home, 'wait', 'welcome', 'a')).toMatchObject({code: 137});
		expect(await job(home, 'cancel', 'welcome', 'a')).toMatchObject({
			code: 0,
			stdout: 'a was not running: ended by signal 9\n',
		});
		await job(home, 'run', 'welcome', '--name', 'b', '--', 'sleep', '600');
		expect(await job(home, 'rm', 'welcome', 'b')).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^b is running, so nothing was deleted\.\n/),
		});
		expect(await job(home, 'cancel', 'welcome', 'b')).toMatchObject({
			stdout: 'b was cancelled: ended by signal 15\n',
		});
		expect(await job(home, 'rm', 'welcome', 'a', 'b')).toMatchObject({code: 0});
		expect(readdirSync(join(folderOf(home), 'svc-jobs'))).toEqual(['.gitignore']);
	});

	test('a process that reuses the PID of a job is left alone, and the end of the job is unknown', async () => {
		await using home = await newHome({keeps: true});
		await job(home, 'run', 'welcome', '--name', 'lost', '--', 'sleep', '600');
		const before = kept(home, 'lost');
		for (const pid of [before.keeper, before.pid]) process.kill(pid, 'SIGKILL');
		const stranger = spawn('sleep', ['600'], {stdio: 'ignore', detached: true});
		const change = (more: object): void =>
			writeFileSync(
				jobFile(home, 'lost'),
				JSON.stringify({...before, pid: stranger.pid, keeper: stranger.pid, ...more}),
			);
		change({});
		const unseen = {
			code: 1,
			stderr: expect.stringMatching(/^lost is gone, and its exit status is unknown\.\n/),
		};
		expect(await job(home, 'wait', 'welcome', 'lost')).toMatchObject(unseen);
		expect(await job(home, 'cancel', 'welcome', 'lost')).toMatchObject(unseen);
		expect((await job(home, 'list', 'welcome')).stdout).toMatch(/^lost +unknown +\d\d:\d\d +- +sleep 600\n/m);
		change({boot: 'an earlier one', host: 'node\u001b[31m7'});
		expect(await job(home, 'logs', '-f', 'welcome', 'lost')).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/the machine was restarted or replaced \(node\^\[\[31m7\)/),
		});
		writeFileSync(jobFile(home, 'lost'), '[1, "half');
		expect(await job(home, 'list', 'welcome')).toMatchObject({
			code: 0,
			stdout: '',
			stderr: expect.stringMatching(/^There are no jobs on welcome\./),
		});
		expect(stranger.exitCode).toBe(null);
		expect(isAlive(stranger.pid ?? 0)).toBe(true);
		const ended = once(stranger, 'exit');
		stranger.kill('SIGKILL');
		expect((await ended)[1]).toBe('SIGKILL');
	});

	test('names that are none, programs that are none and names that are taken are refused', async () => {
		await using home = await newHome({keeps: true});
		for (const name of ['../x', 'a b', '$(touch x)', '', '.hidden', 'x'.repeat(65), 'a\nb', "'"]) {
			expect(await job(home, 'run', 'welcome', '--name', name, '--', 'true')).toMatchObject({
				code: 2,
				stderr: expect.stringContaining('cannot be the name of a job'),
			});
			expect(await job(home, 'wait', 'welcome', name)).toMatchObject({code: 2});
		}
		expect(existsSync(serviceFolder(home))).toBe(false);
		expect(await job(home, 'run', 'welcome', '--', 'no-such-program')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining(
				'"no-such-program" could not be started on "welcome": No such file or directory.\n',
			),
		});
		expect(await job(home, 'run', 'welcome', '--name', 'a', '--', 'true')).toMatchObject({code: 0});
		expect(await job(home, 'run', 'welcome', '--name', 'a', '--', 'true')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('A job "a" already exists on "welcome".'),
		});
		expect(await job(home, 'wait', 'welcome', 'b')).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				/There is no job "b" on "welcome"\. Its jobs are a\.\nsvc-tui job list welcome lists them\.\n$/,
			),
		});
		expect(readdirSync(join(folderOf(home), 'svc-jobs')).toSorted()).toEqual(['.gitignore', 'a']);
	});

	test('ten megabytes of output come whole, its last lines alone, and wait gives up in time', async () => {
		await using home = await newHome({keeps: true});
		const code =
			'import sys, time\nfor i in range(100_000): print(i, "é" * 50)\nsys.stdout.flush()\ntime.sleep(600)';
		await job(home, 'run', 'welcome', '--name', 'big', '--', 'python', '-c', code);
		expect(await job(home, 'wait', 'welcome', 'big', '--timeout', '0.5')).toMatchObject({
			code: 5,
			stderr: expect.stringMatching(/^big is running after 0\.5 s\.\n/),
		});
		const log = join(folderOf(home), 'svc-jobs/big/output.log');
		const whole = Array.from({length: 100_000}, (_, line) => `${line} ${'é'.repeat(50)}\n`);
		await waitFor(() => expect(readFileSync(log, 'utf8').length).toBe(whole.join('').length));
		expect((await shell('svc-tui job logs welcome big', {home, env})).stdout.toString()).toBe(whole.join(''));
		expect((await job(home, 'logs', 'welcome', 'big', '-n', '3')).stdout).toBe(whole.slice(-3).join(''));
		expect(await job(home, 'cancel', 'welcome', 'big')).toMatchObject({code: 0});
	});
});

test('a server that cannot start programs says so before it is started', async () => {
	await using home = await newHome({keeps: true});
	const refused = {
		code: 1,
		stdout: '',
		stderr: expect.stringMatching(/^Code on "welcome" cannot start programs, so it can have no jobs\.\n/),
	};
	expect(await runCommand(['job', 'run', 'welcome', '--', 'true'], {home})).toMatchObject(refused);
	expect((await runCommand(['servers'], {home})).stdout).toMatch(/^welcome +offline/m);
	// A service that was started by hand gives the same results.
	await using served = await serve(home);
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	expect(await served.run(['job', 'run', 'welcome', '--', 'true'])).toMatchObject(refused);
	expect((await served.run(['files', 'list', 'welcome'])).stdout).not.toContain('svc-jobs');
});
