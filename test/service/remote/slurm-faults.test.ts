// @module-tag long
// Servers that run as Slurm jobs, while nodes fail and Slurm prints nothing, nonsense or too much.
import {chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, startCommand, type LabHome} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

const listed = async ({checked}: LabHome, name: string): Promise<Listed> => {
	const servers = JSON.parse(await checked('servers', '--json')) as readonly Listed[];
	const found = servers.find(each => each.name === name);
	if (!found) throw new Error(`${name} is not listed`);
	return found;
};
const until = async (home: LabHome, name: string, status: string, reason: RegExp): Promise<void> =>
	waitFor(
		async () =>
			expect(await listed(home, name)).toMatchObject({
				status,
				status_reason: expect.stringMatching(reason) as string,
			}),
		{interval: 500},
	);

/**
 * Behaviours of Slurm's programs, by name. Each is a script for `sh`, whose first argument is the
 * name of the program.
 */
const ANSWERS = {
	hangs: 'exec sleep 600',
	empty: 'exit 0',
	hostile: `printf '\\033[2J\\033]0;title\\007slurm\\n77|COMPLETED|n1|0|0|gpu|1|\\033[31m\\n$(reboot)\\n'`,
	endless: `yes '99|COMPLETED|n1|0|0|gpu|1|None' | head -c 100000000`,
	/** The accounting database still contains a job that the controller has forgotten. */
	forgotten: `[ $1 = sacct ] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }
while [ $# -gt 0 ]; do [ $1 = -j ] && job=$2; shift; done
echo "$job|OUT_OF_MEMORY|n1|2026-11-27T08:00:00|2026-11-27T08:10:57|gpu|00:10:00|OutOfMemory"`,
} as const;

/** Replaces programs of Slurm in the lab with scripts whose behaviour the test can choose. */
const interpose = async (lab: Lab) => {
	const folder = join(lab.folder, 'interposed');
	mkdirSync(folder);
	for (const name of ['sinfo', 'squeue', 'scontrol', 'sacct']) {
		copyFileSync(`/usr/bin/${name}`, join(folder, name));
		const wrapper = join(folder, `${name}.sh`);
		writeFileSync(
			wrapper,
			`#!/bin/sh\n[ -s ${folder}/answer ] && { echo >>${folder}/asked.${name}; exec /bin/sh ${folder}/answer ${name} "$@"; }\nexec ${folder}/${name} "$@"\n`,
		);
		chmodSync(wrapper, 0o755);
		expect(await lab.root('mount', '--bind', wrapper, `/usr/bin/${name}`)).toMatchObject({code: 0});
	}
	chmodSync(folder, 0o777);
	const asked = join(folder, 'asked.squeue');
	return {
		answer(answer: keyof typeof ANSWERS | null): void {
			rmSync(asked, {force: true});
			writeFileSync(join(folder, 'answer'), answer === null ? '' : ANSWERS[answer]);
		},
		isAsked: (): boolean => existsSync(asked),
		forget: (): void => rmSync(asked, {force: true}),
	};
};

test.skipIf(labMissing !== null)(
	'nothing that Slurm fails to answer ends a server, and a failed node does',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked, run} = home;
		await checked('ssh', 'add', 'lab');
		const create = (name: string) => [
			...['server', 'create', name, '--environment', 'lab-python3', '--compute', 'lab-gpu-a100x1'],
		];
		await checked(...create('gp'), '--wait');
		const node = (
			await checked('run', 'gp', '-c', 'import socket; x = 1; print(socket.gethostname())')
		).trim();

		const slurm = await interpose(lab);
		// While this cell runs, the service does not end.
		const code = `import os, time
print("begun", flush=True)
while not os.path.exists("done"): time.sleep(0.1)
print("done")`;
		const cell = startCommand(home, 'run', 'gp', '-c', code);
		await waitFor(() => expect(cell.output()).toContain('begun'));
		for (const each of ['hangs', 'empty', 'hostile', 'endless'] as const) {
			slurm.answer(each);
			// The second check starts after the first one has taken effect. Each probe causes a
			// check.
			for (const _ of [1, 2]) {
				slurm.forget();
				await run('ssh', 'add', 'lab');
				await waitFor(() => expect(slurm.isAsked()).toBe(true));
			}
			// The list shows the partitions as last reported.
			const offered = await checked('compute', '--host', 'lab-gpu', '--columns', 'gpu,n,price,regions');
			expect(offered).toMatch(/^lab-gpu-a100x1 +a100 +1 +\? +1\/1$/m);
			expect([each, await listed(home, 'gp')]).toEqual([each, expect.objectContaining({status: 'ready'})]);
		}
		expect(await lab.as('alice', 'touch done')).toMatchObject({code: 0});
		expect(await cell.ended).toBe(0);
		expect(cell.output()).toBe('begun\ndone\n');
		// The next service finds the route to the job without Slurm.
		await checked('local', 'stop');
		slurm.answer('empty');
		await waitFor(async () => expect((await listed(home, 'gp')).status).toBe('ready'));
		expect(await checked('run', 'gp', '-c', 'print(x)')).toBe('1\n');
		// The list shows the last known state until Slurm has answered.
		expect(slurm.isAsked()).toBe(true);
		slurm.answer(null);

		// Drained nodes finish their jobs and accept no new ones.
		await lab.root('scontrol', 'update', 'nodename=n1,n2', 'state=drain', 'reason=new fans');
		await checked('ssh', 'add', 'lab');
		const refused = await run(...create('other'));
		expect(refused.stderr).toMatch(/All nodes of gpu with a100 are down or drained \(new fans\)/);
		expect(refused.code).not.toBe(0);
		expect(await checked('run', 'gp', '-c', 'print(x)')).toBe('1\n');
		await lab.root('scontrol', 'update', 'nodename=n1,n2', 'state=resume');

		await lab.stopNode(node === 'n1' ? 'n1' : 'n2');
		// Sets the state at once; Slurm would notice it half a minute later.
		await lab.root('scontrol', 'update', `nodename=${node}`, 'state=down', 'reason=failed');
		await until(home, 'gp', 'offline', new RegExp(`^Node ${node} failed\\. Files are kept\\.$`));
	},
);

test.skipIf(labMissing !== null)(
	'a job whose /tmp is its own is reached through srun, where ssh to the node leads to another /tmp',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		for (const node of ['n1', 'n2']) {
			// The new sshds see the /tmp of the login node; jobs see the /tmp of their node.
			const again = `kill $(cat ${lab.folder}/run/sshd.${node}.pid)
				until unshare --uts sh -c 'hostname ${node}; exec /usr/sbin/sshd -f ${lab.folder}/etc/sshd_config.${node}'; do sleep 0.1; done`;
			expect(await lab.root('sh', '-c', again)).toMatchObject({code: 0});
		}
		await checked('ssh', 'add', 'lab');
		const how = ['--environment', 'lab-python3', '--compute', 'lab-gpu-cpux0', '--wait'];
		expect(await checked('server', 'create', 'gp', ...how)).toMatch(/^gp is ready/);
		expect(await checked('run', 'gp', '-c', 'import socket; print(socket.gethostname())')).toMatch(
			/^n[12]\n$/,
		);
		expect(await checked('server', 'stop', 'gp')).toContain('gp is offline');
		const left = `find ${lab.folder}/tmp.n1 ${lab.folder}/tmp.n2 -name 'svc-*'`;
		expect((await lab.root('sh', '-c', left)).stdout).toBe('');
	},
);

test.skipIf(labMissing !== null)('a job that is killed for its memory shows that as its end', async () => {
	await using lab = await startLab();
	await using home = await labHome(lab);
	const {checked, run} = home;
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	const slurm = {options: ['--mem=400M']};
	writeFileSync(join(folder, 'settings.json'), JSON.stringify({hosts: {lab: {slurm}}}), {mode: 0o600});
	await checked('ssh', 'add', 'lab');
	const create = ['server', 'create', 'gp', '--environment', 'lab-python3', '--compute', 'lab-gpu-cpux0'];
	await checked(...create, '--wait');
	const greedy = 'import time; x = bytearray(500_000_000); time.sleep(600)';
	expect((await run('run', 'gp', '-c', greedy)).code).not.toBe(0);
	const reason =
		/^The server needed more memory than its job had \(OUT_OF_MEMORY\): choose a larger option\. Files are kept\.$/;
	await until(home, 'gp', 'offline', reason);

	// The job exceeds the memory limit of its cgroup, as the accounting reports it.
	expect(await checked('server', 'start', 'gp', '--wait')).toMatch(/^gp is ready/);
	const answers = await interpose(lab);
	answers.answer('forgotten');
	await checked('ssh', 'add', 'lab');
	await until(home, 'gp', 'offline', reason);
	answers.answer(null);
	await waitFor(async () => expect((await lab.root('squeue', '-h')).stdout).toBe(''));
});
