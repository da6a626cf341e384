// @module-tag long
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {readdir, readFile, readlink} from 'node:fs/promises';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {ask, openAssistant, openRepl, runCode, startWelcome} from '../journeys/steps.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, PROGRAM} from '../support/program.ts';

/** Addresses on which a process listens, in the notation of /proc. */
const listening = async (pid: number): Promise<readonly string[]> => {
	const links = await Promise.all(
		(await readdir(`/proc/${pid}/fd`)).map(fd => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
	);
	const rows =
		`${await readFile(`/proc/${pid}/net/tcp`, 'utf8')}${await readFile(`/proc/${pid}/net/tcp6`, 'utf8').catch(() => '')}`
			.split('\n')
			.map(row => row.trim().split(/\s+/));
	// 0A is LISTEN.
	return rows
		.filter(fields => fields[3] === '0A' && links.includes(`socket:[${fields[9]}]`))
		.map(fields => fields[1] ?? '')
		.sort();
};

/** True if the process ignores the signal, or if Node's handler for it is disabled. */
const isDeaf = async (pid: number, command: string): Promise<boolean> => {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const has = (mask: string): boolean =>
		(BigInt(`0x${new RegExp(`^${mask}:\\s*(\\w+)`, 'm').exec(status)?.[1] ?? '0'}`) & (1n << 9n)) !== 0n;
	return has('SigIgn') || command.includes('--disable-sigusr1');
};

test(
	'SIGUSR1 opens no inspector in the screens, a command, the service, its engine and its look-ups, and each lives on',
	{timeout: 240_000},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 120});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'kept = 6 * 7; kept');
		await terminal.until(/^ → +42 *$/m);
		await openAssistant(terminal);
		ask(terminal, 'what is json.dumps?');
		await terminal.until('Serialize');
		const command = spawn(PROGRAM, ['run', 'welcome', '-'], {
			cwd: home.folder,
			env: {...home.env},
			stdio: 'pipe',
		});
		const printed = text(command.stdout);
		const closed = once(command, 'close');
		await using stack = new AsyncDisposableStack();
		stack.defer(() => void command.kill());
		const programs = async () =>
			(await processesUsing(home.folder)).filter(({command: line}) => /boot\.js|engine\.js/.test(line));
		await expect
			.poll(
				async () =>
					(await programs())
						.map(({command: line}) =>
							line.includes('serve --leased')
								? 'service'
								: line.includes('engine.js')
									? 'engine'
									: line.includes('run welcome')
										? 'command'
										: 'screens',
						)
						.sort(),
				{timeout: 60_000},
			)
			.toEqual(['command', 'engine', 'engine', 'screens', 'service']);
		const all = await programs();
		const before = await Promise.all(all.map(async ({pid}) => listening(pid)));
		// Two addresses: the service's and the server's own.
		expect(before.flat()).toHaveLength(2);
		for (const {pid, command: line} of all) expect([line, await isDeaf(pid, line)]).toEqual([line, true]);
		for (const {pid} of all) process.kill(pid, 'SIGUSR1');
		// Each program still works after the signal.
		command.stdin.end('print(kept * 2)');
		expect(await printed).toContain('84');
		expect((await closed)[0]).toBe(0);
		await openRepl(terminal);
		runCode(terminal, 'kept + 1');
		await terminal.until(/^ → +43 *$/m);
		const left = all.filter(({command: line}) => !line.includes('run welcome'));
		expect(new Set((await programs()).map(({pid}) => pid))).toEqual(new Set(left.map(({pid}) => pid)));
		expect((await Promise.all(left.map(async ({pid}) => listening(pid)))).flat()).toEqual(before.flat());
	},
);

test('SIGUSR1 opens no inspector on a Node that does not know the flag, where boot.ts listens to it', async () => {
	await using home = await newHome();
	const boot = PROGRAM.replace(/svc-tui$/, 'boot.js');
	const command = spawn(process.execPath, [boot, 'run', 'welcome', '-'], {
		cwd: home.folder,
		env: {...home.env},
		stdio: 'pipe',
	});
	await using stack = new AsyncDisposableStack();
	stack.defer(() => void command.kill('SIGKILL'));
	const pid = command.pid ?? 0;
	// This is the first file that `boot.ts` creates. Before that, Node handles the signal.
	await expect
		.poll(() => existsSync(join(home.folder, '.cache/svc-tui/compiled')), {timeout: 60_000})
		.toBe(true);
	const said = text(command.stderr);
	process.kill(pid, 'SIGUSR1');
	command.stdin.end('1');
	await once(command, 'exit');
	expect(await said).not.toContain('Debugger');
	expect(command.exitCode).toBe(0);
});
