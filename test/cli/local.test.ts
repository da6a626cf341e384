// @module-tag long
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {firstOutput} from '../support/first-output.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {processesUsing} from '../support/processes.ts';
import {onTerminal, shell} from './support.ts';
import {waitFor} from '../support/wait-for.ts';

/** `svc-tui serve` as a user starts it, with the data folder that all commands use by default. */
const serveHere = async (home: Home, env: Readonly<Record<string, string>> = {}) => {
	const child = spawn(PROGRAM, ['serve'], {
		env: {...home.env, ...env},
		cwd: home.folder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const line = await firstOutput(child);
	return {
		line,
		async [Symbol.asyncDispose]() {
			const exit = once(child, 'exit');
			child.kill('SIGTERM');
			await exit;
		},
	};
};

test(
	'without settings a command starts the service and the server it names, announces that both end with it, and leaves nothing behind',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		const {code, stdout, stderr} = await shell(
			String.raw`printf 'x=21\nprint(x*2)' | svc-tui run welcome -`,
			{home},
		);
		expect({code, stdout: stdout.toString()}).toEqual({code: 0, stdout: '42\n'});
		expect(stderr).toMatch(
			/^welcome stops with this command, because the local service was started for it\. Use \S*svc-tui serve to keep one running\. [^\n]*\n$/,
		);
		await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 100});
	},
);

test('a command that starts no server announces no end', async () => {
	await using home = await newHome();
	expect(await runCommand(['servers'], {home})).toMatchObject({code: 0, stderr: ''});
});

test('chat and files start the server too, and under --json the note is JSON', async () => {
	await using home = await newHome();
	const {code, stdout, stderr} = await runCommand(['files', 'list', 'welcome', '--json'], {home});
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({type: 'directory'});
	expect(JSON.parse(stderr)).toEqual({note: expect.stringMatching(/^welcome stops with this command/)});
});

test('a server that is not there exits 3 on the local service too', {tags: 'short'}, async () => {
	await using home = await newHome();
	expect(await runCommand(['run', 'nope', '-c', '1'], {home})).toMatchObject({
		code: 3,
		stdout: '',
		stderr: 'There is no server "nope". You have welcome.\nsvc-tui servers lists them.\n',
	});
});

test('a service that runs already is used, its servers stay, and SVC_API_KEY is none of its business', async () => {
	await using home = await newHome();
	await using service = await serveHere(home);
	expect(service.line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\nthe API key is in \S+\n$/);
	const env = {SVC_API_KEY: 'of-another-service'};
	expect(await runCommand(['chat', 'welcome', 'what is len?'], {home, env})).toMatchObject({
		code: 0,
		stderr: '',
		stdout: expect.stringContaining('len(obj, /)'),
	});
	expect(await runCommand(['run', 'welcome', '-c', 'x = 1'], {home, env})).toMatchObject({
		code: 0,
		stderr: '',
	});
	expect(await runCommand(['run', 'welcome', '-c', 'x'], {home, env})).toMatchObject({
		code: 0,
		stdout: '1\n',
		stderr: '',
	});
	expect((await runCommand(['servers'], {home, env})).stdout).toMatch(/welcome +ready/);
});

test('commands at the same moment share one service and one server', async () => {
	await using home = await newHome();
	const results = await Promise.all(
		[1, 2, 3].map(async number => runCommand(['run', 'welcome', '-c', `print(${number})`], {home})),
	);
	expect(results.map(({code, stdout}) => ({code, stdout}))).toEqual(
		[1, 2, 3].map(number => ({code: 0, stdout: `${number}\n`})),
	);
});

test('a service with a key of its own is not found, and the error names the setting', async () => {
	await using home = await newHome();
	await using service = await serveHere(home, {SVC_API_KEY: 'my-own-key'});
	const url = /http:\S+/.exec(service.line)?.[0] ?? '';
	const {code, stderr} = await runCommand(['servers'], {home});
	expect(code).toBe(2);
	expect(stderr).toContain(`Set SVC_BASE_URL=${url} and SVC_API_KEY to your key`);
	expect(
		await runCommand(['servers'], {home, env: {SVC_BASE_URL: url, SVC_API_KEY: 'my-own-key'}}),
	).toMatchObject({code: 0});
});

test('Ctrl-C on running code exits 130 and interrupts the code, whose server continues', async () => {
	await using home = await newHome();
	await using _ = await serveHere(home);
	const running = runCommand.bind(undefined, ['files', 'list', 'welcome'], {home});
	expect((await running()).stdout).not.toContain('begun');
	const code = 'open("begun", "w").close()\nwhile True: pass';
	const child = spawn(PROGRAM, ['run', 'welcome', '-c', code], {
		env: home.env,
		cwd: home.folder,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (part: string) => {
		stderr += part;
	});
	await waitFor(async () => expect((await running()).stdout).toContain('begun'), {interval: 50});
	child.kill('SIGINT');
	expect(await once(child, 'close')).toEqual([130, null]);
	expect(stderr).toMatch(/^Traceback [^]*\nKeyboardInterrupt\nStopped: the code was interrupted\.\n$/);
	expect(await runCommand(['run', 'welcome', '-c', '7'], {home})).toMatchObject({code: 0, stdout: '7\n'});
});

test('a run ends soon after its local service was killed, and names the lost connection', async () => {
	await using home = await newHome();
	const args = ['run', 'welcome', '-c', 'import time\nprint("first", flush=True)\ntime.sleep(3600)'];
	const child = spawn(PROGRAM, args, {env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe']});
	const ended = once(child, 'close');
	let told = '';
	child.stderr.setEncoding('utf8').on('data', (part: string) => {
		told += part;
	});
	expect(await firstOutput(child)).toBe('first\n');
	const service = (await processesUsing(home.folder)).find(({command}) => / serve /.test(command));
	process.kill(service?.pid ?? NaN, 'SIGKILL');
	expect(await ended).toEqual([5, null]);
	expect(told).toContain('The connection to the server is lost');
	await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 100});
});

test('Ctrl-C typed in a terminal ends a command that reads from it', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using _ = await serveHere(home);
	const {code, text} = await onTerminal(['run', 'welcome', '-'], {
		home,
		type: {after: /Ctrl-D to end/, text: '\u0003'},
	});
	expect(code).toBe(130);
	expect(text).toMatch(/Stopped\.\n$/);
});

test('a terminated command exits with the number of its signal', async () => {
	await using home = await newHome();
	await using _ = await serveHere(home);
	const stop = new AbortController();
	const ended = runCommand(['run', 'welcome', '-c', 'open("on", "w").close()\nwhile True: pass'], {
		home,
		signal: stop.signal,
	});
	await waitFor(
		async () => expect((await runCommand(['files', 'list', 'welcome'], {home})).stdout).toContain('on'),
		{interval: 50},
	);
	stop.abort();
	expect(await ended).toMatchObject({code: 143, stdout: ''});
});

test('serve names the folder that is in use, with its own exit code', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using _ = await serveHere(home);
	const {code, stderr} = await runCommand(
		['serve', '--data', join(home.folder, '.local/share/svc-tui/service')],
		{home},
	);
	expect(code).toBe(73);
	expect(stderr).toMatch(/^Another service uses the data folder/);
});
