// @module-tag long
// SSH connections that remain after a service has ended: those of a killed service, and that of the
// user's sign-in.
import {mkdirSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, test} from 'vitest';
import {onTerminal} from '../../cli/support.ts';
import {labMissing, startLab} from '../../support/lab/lab.ts';
import {labHome, startCommand, startPlainAndJob, type LabHome} from '../../support/lab-home.ts';
import {processesUsing} from '../../support/processes.ts';
import {runCommand} from '../../support/program.ts';
import {waitFor} from '../../support/wait-for.ts';

const CLIENT = / -M .*-N .*lab$/;
/** Title of the ssh process that continues after a sign-in. */
const SIGN_IN = /\[mux\]$/;
const SERVICE = /boot\.js serve/;
const pidsOf = async ({folder}: LabHome, command: RegExp): Promise<readonly number[]> =>
	(await processesUsing(folder)).flatMap(each => (command.test(each.command) ? [each.pid] : []));

test.skipIf(labMissing !== null)(
	'a service goes on with the connection of a killed one, or of a sign-in, and ends only the first',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		await startPlainAndJob(home);
		// A file runs in its own kernel.
		const script = join(home.folder, 'sleep.py');
		writeFileSync(script, 'import time; print("begun", flush=True); time.sleep(600)');
		const running = startCommand(home, 'run', 'job', script);
		await waitFor(() => expect(running.output()).toBe('begun\n'));
		const left = await pidsOf(home, CLIENT);
		expect(left).toHaveLength(1);
		for (const pid of await pidsOf(home, SERVICE)) process.kill(pid, 'SIGKILL');
		running.child.kill('SIGKILL');
		await running.ended;
		for (const name of ['plain', 'job']) expect(await checked('run', name, '-c', 'print(1)')).toBe('1\n');
		expect(await pidsOf(home, CLIENT)).toEqual(left);
		await checked('local', 'stop');
		await waitFor(async () => expect(await pidsOf(home, / -M .*-N /)).toEqual([]));

		// Only the connection of the sign-in works.
		const bin = join(home.folder, 'bin');
		mkdirSync(bin);
		const asking = `#!/bin/sh
case "$*" in *' -M -N '*' lab') echo 'Permission denied (password).' >&2; exit 255 ;; esac
exec ${lab.bin}/ssh "$@"
`;
		writeFileSync(join(bin, 'ssh'), asking, {mode: 0o755});
		const env = {PATH: `${bin}${delimiter}${home.env['PATH'] ?? ''}`};
		expect(await onTerminal(['ssh', 'login', 'lab'], {home, env})).toMatchObject({code: 0});
		const signedIn = await pidsOf(home, SIGN_IN);
		expect(signedIn).toHaveLength(1);
		const run = async (...words: readonly string[]) => {
			const {code, stderr} = await runCommand(words, {home, env});
			expect(code, stderr).toBe(0);
		};
		for (const _ of ['first', 'second']) {
			for (const name of ['plain', 'job']) await run('run', name, '-c', 'print(1)');
			await run('local', 'stop');
		}
		expect(await pidsOf(home, SIGN_IN)).toEqual(signedIn);
		for (const name of ['plain', 'job']) await run('server', 'stop', name);
		home.offerLoginNode(null);
		await run('ssh', 'remove', 'lab');
		expect(await pidsOf(home, SIGN_IN)).toEqual([]);
	},
);
