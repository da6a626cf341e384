// @module-tag long
import {mkdirSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, startLab} from '../support/lab/lab.ts';
import {labHome} from '../support/lab-home.ts';
import {pressAction} from '../support/press-action.ts';
import {openProgram} from '../support/program.ts';

/** A fake `ssh` that fails until it has once asked for a password in a terminal. */
const asking = (ssh: string, open: string): string => `#!/bin/sh
case "$*" in *ControlPersist=*)
	printf 'password: '; read -r typed
	[ "$typed" = secret ] && : >${open} ;;
esac
[ -e ${open} ] || { echo 'alice@lab: Permission denied (publickey,password).' >&2; exit 255; }
exec ${ssh} "$@"
`;

test.skipIf(labMissing !== null)(
	'the list signs in to a host, counts down a job, cancels a waiting one, and names the rest at the end',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		await home.checked('ssh', 'add', 'lab');
		const create = (name: string, ...more: readonly string[]) =>
			home.checked(
				...['server', 'create', name, '--environment', 'lab-python3', '--compute', 'lab-gpu-a100x2', ...more],
			);
		const refused = await home.run(
			...['server', 'create', 'no', '--environment', 'ai', '--compute', 'svc-medium', '--time', '9m'],
		);
		expect(refused.stderr).toContain("Only jobs in Slurm's queue have a time limit");
		await create('j1', '--time', '9m', '--wait');
		const limits = await lab.root('squeue', '-h', '-u', 'alice', '-o', '%T %l');
		expect(limits.stdout).toBe('RUNNING 9:00\n');
		await create('j2', '--wait');
		await create('j3');

		const bin = join(home.folder, 'asking');
		mkdirSync(bin);
		writeFileSync(join(bin, 'ssh'), asking(join(lab.bin, 'ssh'), join(home.folder, 'open')), {mode: 0o700});
		const env = {PATH: `${bin}${delimiter}${home.env['PATH'] ?? ''}`};
		// A new service uses the other `ssh`.
		await home.run('local', 'stop');
		await using terminal = await openProgram({home, env, columns: 120, rows: 40});
		await terminal.until(/j1 .*\? locked/);
		pressAction(terminal, 'servers', 'first');
		await terminal.until(/▸ welcome/);
		pressAction(terminal, 'servers', 'down');
		await terminal.until(/lab asks for a password[^]*▸ j1 /);
		pressAction(terminal, 'servers', 'signIn');
		await terminal.until(/^password: *$/m);
		terminal.type('secret\r');
		await terminal.until(/j1 .*ready +[78] min/);
		await terminal.until(/j2 .*ready/);
		pressAction(terminal, 'servers', 'last');
		await terminal.until(/Waits in the queue \(Resources\), 1st[^]*▸ j3 /);
		pressAction(terminal, 'servers', 'shutDown');
		await terminal.until('Cancel the start of j3?');
		terminal.type('y');
		await terminal.until(/▸ j3 +○ offline/);
		pressAction(terminal, 'global', 'quit');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
		expect(terminal.screen()).toContain('Still running: j1 on lab, j2 on lab, ?/h, 2 unknown.');
		for (const name of ['j1', 'j2']) await home.checked('server', 'stop', name);
	},
);

test.skipIf(labMissing !== null)(
	'the list shows a host out of reach, and back, without waiting for its next poll',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		home.offerLoginNode('lab');
		await home.checked('ssh', 'add', 'lab');
		const how = ['--environment', 'lab-python3', '--compute', 'lab-cpux0', '--wait'];
		await home.checked('server', 'create', 'gp', ...how);
		await using terminal = await openProgram({home, columns: 80, rows: 24});
		await terminal.until(/gp .*ready/);
		const from = performance.now();
		await lab.cutLogin();
		await terminal.until(/gp .*unreachable/);
		await lab.restoreLogin();
		await terminal.until(/gp .*ready/);
		// The result came before the next poll of the list, which is every 30 s.
		expect(performance.now() - from).toBeLessThan(15_000);
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
		await home.checked('server', 'stop', 'gp');
	},
);
