import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startHostileService} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, PROGRAM, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openAssistant, openPricesFile, openRepl, runCode, ask, startWelcome} from './steps.ts';
import {waitFor} from '../support/wait-for.ts';

/** A key that no screen, file or argument list may show. */
const KEY = 'canary-7f3a9c51e6';

type Remote = AsyncDisposable & {readonly url: string};

/** Starts `svc-tui serve` in a separate home, with its key from the environment. */
const serveRemote = async (home: Home): Promise<Remote> => {
	const child = spawn(PROGRAM, ['serve', '--port', '0', '--data', join(home.folder, 'data')], {
		cwd: home.folder,
		env: {...home.env, SVC_API_KEY: KEY},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		said += chunk;
	});
	const url = await waitFor(() => {
		const [, found] = /^listening on (\S+)\n/.exec(said) ?? [];
		if (found === undefined) throw new Error(`serve has not said where it listens: ${said}`);
		return found;
	});
	return {
		url,
		async [Symbol.asyncDispose]() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await ended;
		},
	};
};

/** Searches all bytes sent to a terminal for the key. */
const watchForKey = (terminal: Terminal, key = KEY): (() => boolean) => {
	let sent = '';
	terminal.onOutput(chunk => {
		sent += chunk;
	});
	return () => sent.includes(key) || terminal.screen().includes(key);
};

test(
	'on another service everything works as on the local one, and the key is never on screen',
	{tags: 'long'},
	async () => {
		await using remoteHome = await newHome();
		await using remote = await serveRemote(remoteHome);
		await using home = await newHome();
		await using terminal = await openProgram({
			home,
			columns: 120,
			rows: 40,
			env: {SVC_BASE_URL: remote.url, SVC_API_KEY: KEY},
		});
		const showsKey = watchForKey(terminal);
		await startWelcome(terminal);
		expect(terminal.line(0)).toContain(new URL(remote.url).host);
		await openRepl(terminal);
		runCode(terminal, '6*7');
		await terminal.until(/\[1\] [^]*→ +42/);
		await openPricesFile(terminal);
		await openAssistant(terminal);
		ask(terminal, 'what is in src/prices.py?');
		await terminal.until(' in · ');
		// No additional local service was started.
		expect((await processesUsing(home.folder)).filter(({command}) => command.includes(' serve'))).toEqual([]);
		for (const {command} of [
			...(await processesUsing(home.folder)),
			...(await processesUsing(remoteHome.folder)),
		])
			expect(command).not.toContain(KEY);

		pressAction(terminal, 'assistant', 'leave');
		await terminal.until('esc servers');
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
		await terminal.until('Still ready: welcome');
		expect(showsKey()).toBe(false);
	},
);

test(
	'a second Esc on another service reports that the code may still be running',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({run: () => new Promise<never>(() => {})});
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 90, rows: 30, env: service.env});
		await terminal.until(/calm +\S ready/);
		await openRepl(terminal);
		runCode(terminal, '1');
		await terminal.until('esc stop waiting');
		pressAction(terminal, 'repl', 'leave');
		await terminal.until('esc abandon the cell');
		pressAction(terminal, 'repl', 'leave');
		await terminal.until('abandoned; the server may still be running it');
	},
);

test('a wrong key is refused in words on every screen, and the program stays', async () => {
	await using remoteHome = await newHome();
	await using remote = await serveRemote(remoteHome);
	await using home = await newHome();
	const wrong = 'wrong-canary-55d1';
	await using terminal = await openProgram({home, env: {SVC_BASE_URL: remote.url, SVC_API_KEY: wrong}});
	const showsKey = watchForKey(terminal, wrong);
	await terminal.until('rejected the API key (401)');
	// A key that was never taken leads to the sign-in.
	await terminal.until('╭ Sign in');
	pressAction(terminal, 'signIn', 'cancel');
	await terminal.gone('╭ Sign in');
	pressAction(terminal, 'global', 'compute');
	await terminal.until(/^─ Compute[^]*rejected the API key \(401\)/m);
	pressAction(terminal, 'global', 'environments');
	await terminal.until(/^─ Environments[^]*rejected the API key \(401\)/m);
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
	await expect(terminal.leftovers()).resolves.toEqual([]);
	expect(showsKey()).toBe(false);
});

test(
	'a service that cannot be reached is reported, and the program stays and asks again on a key',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		// Finds a port that is free, and closes it again.
		const probe = createServer().listen(0, '127.0.0.1');
		await once(probe, 'listening');
		const address = probe.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		probe.close();
		await once(probe, 'close');
		await using terminal = await openProgram({
			home,
			env: {SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: KEY},
		});
		const showsKey = watchForKey(terminal);
		await terminal.until(
			new RegExp(
				`127\\.0\\.0\\.1:${port}[^]*(not reached|cannot be reached|could not be reached|unreachable|refused)`,
				'i',
			),
		);
		pressAction(terminal, 'global', 'refresh');
		pressAction(terminal, 'global', 'help');
		await terminal.until('Type to search all');
		pressAction(terminal, 'chooser', 'close');
		await terminal.gone('Type to search all');
		pressAction(terminal, 'global', 'quit');
		await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
		expect(showsKey()).toBe(false);
	},
);

test('an address without a key names the place for the key', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, env: {SVC_BASE_URL: 'https://notebooks.example.com'}});
	await terminal.until('notebooks.example.com needs an API key: set SVC_API_KEY');
});

test('old rows stay on screen when the service goes away', async () => {
	await using remoteHome = await newHome();
	await using home = await newHome();
	const remote = await serveRemote(remoteHome);
	await using stop = remote;
	await using terminal = await openProgram({home, env: {SVC_BASE_URL: stop.url, SVC_API_KEY: KEY}});
	await terminal.until(/welcome\s.*offline/);
	await remote[Symbol.asyncDispose]();
	pressAction(terminal, 'global', 'refresh');
	const screen = await terminal.until(' old ─');
	expect(screen).toMatch(/▸ welcome +\S offline/);
});
