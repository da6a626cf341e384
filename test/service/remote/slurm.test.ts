// @module-tag long
// Servers that run as Slurm jobs: start, queue, a controller that is down, and the ways in which
// jobs end.
import {chmodSync, copyFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, type LabHome} from '../../support/lab-home.ts';
import {waitFor} from '../../support/wait-for.ts';

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

const create = (name: string, compute: string): readonly string[] => [
	...['server', 'create', name],
	...['--environment', 'lab-python3', '--compute', compute],
];
const listed = async ({checked}: LabHome, name: string): Promise<Listed> => {
	const servers = JSON.parse(await checked('servers', '--json')) as readonly Listed[];
	const found = servers.find(each => each.name === name);
	if (!found) throw new Error(`${name} is not listed`);
	return found;
};
/** Waits until the list shows a state. Each list comes from a new command with its own service. */
const until = async (home: LabHome, name: string, status: string, reason: RegExp): Promise<void> =>
	waitFor(
		async () =>
			expect(await listed(home, name)).toMatchObject({
				status,
				status_reason: expect.stringMatching(reason) as string,
			}),
		{interval: 500},
	);
/** Partition and state of each job. */
const jobsOf = async (lab: Lab, user: string): Promise<readonly string[]> =>
	(await lab.root('squeue', '-h', '-u', user, '-S', 'i', '-o', '%P %T')).stdout.split('\n').filter(Boolean);
/** Starts a job of bob that only occupies GPUs of a node. */
const occupy = async (lab: Lab, node: string, gpus: number): Promise<void> => {
	const options = `-p gpu -w ${node} --gres=gpu:${gpus} -o /dev/null`;
	const {code, stderr} = await lab.as('bob', `sbatch ${options} --wrap 'sleep 600'`);
	expect(code, stderr).toBe(0);
};

test.skipIf(labMissing !== null)(
	'a job starts on its node, waits in the queue, is cancelled, and outlives its controller',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		await checked('ssh', 'add', 'lab');
		const offered = await checked('compute', '--host', 'lab-gpu', '--columns', 'gpu,n,price,regions');
		expect(offered).toMatch(/^lab-gpu-a100x1 +a100 +1 +\? +1\/1$/m);
		expect(offered).toMatch(/^lab-gpu-a100x2 +a100 +2 +\? +1\/1$/m);
		expect(offered).toMatch(/^lab-gpu-cpux0 .* - +\? +1\/1$/m);
		expect(await checked(...create('gp', 'lab-gpu-a100x1'), '--wait')).toMatch(/^gp is ready/);
		const where = 'import os, socket; print(socket.gethostname(), os.environ["CUDA_VISIBLE_DEVICES"])';
		expect(await checked('run', 'gp', '-c', where)).toMatch(/^n[12] [01]\n$/);

		// No node has two free GPUs.
		await occupy(lab, 'n1', 1);
		await occupy(lab, 'n2', 1);
		await waitFor(async () => expect(await jobsOf(lab, 'bob')).toEqual(['gpu RUNNING', 'gpu RUNNING']));
		await checked(...create('waits', 'lab-gpu-a100x2'));
		await until(home, 'waits', 'starting', /^Waits in the queue \((?:Resources|Priority)\), 1st of 1/);
		expect(await checked('server', 'stop', 'waits')).toBe('waits is offline: its files are kept.\n');
		expect(await listed(home, 'waits')).toMatchObject({status_reason: 'Shut down. Files are kept.'});
		expect(await jobsOf(lab, 'alice')).toEqual(['gpu RUNNING']);

		// If the controller does not respond, the state of the job is unknown.
		await lab.stopController();
		expect(await listed(home, 'gp')).toMatchObject({status: 'ready'});
		expect(await checked('run', 'gp', '-c', 'print("still")')).toBe('still\n');
		await lab.startController();
		expect(await listed(home, 'gp')).toMatchObject({status: 'ready'});

		expect(await lab.root('scancel', '-u', 'alice')).toMatchObject({code: 0});
		await until(
			home,
			'gp',
			'offline',
			/^The job was cancelled at \S+, not by this program\. Files are kept\.$/,
		);
	},
);

/**
 * Replaces `sbatch` in the lab. Its first call submits the job, and then the connection breaks
 * before the answer is sent.
 */
const breakFirstAnswer = async (lab: Lab): Promise<void> => {
	const folder = join(lab.folder, 'lost-answer');
	mkdirSync(folder);
	chmodSync(folder, 0o777);
	copyFileSync('/usr/bin/sbatch', join(folder, 'sbatch'));
	const wrapper = join(folder, 'wrapper');
	writeFileSync(
		wrapper,
		`#!/bin/sh
if mkdir ${folder}/called 2>/dev/null; then
	${folder}/sbatch "$@" >/dev/null
	pkill -KILL -u alice sshd
	exit 1
fi
exec ${folder}/sbatch "$@"
`,
	);
	chmodSync(wrapper, 0o755);
	expect(await lab.root('mount', '--bind', wrapper, '/usr/bin/sbatch')).toMatchObject({code: 0});
};

test.skipIf(labMissing !== null)(
	'a lost answer makes no second job; a job is preempted and runs again; its time is up',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		const {checked} = home;
		const settings = join(home.folder, '.config/svc-tui/settings.json');
		mkdirSync(join(settings, '..'), {recursive: true});
		const configure = (slurm: object): void =>
			writeFileSync(settings, JSON.stringify({hosts: {lab: {slurm}}}), {mode: 0o600});
		configure({time: '1m'});
		await checked('ssh', 'add', 'lab');
		await breakFirstAnswer(lab);
		expect(await checked(...create('short', 'lab-spot-a100x1'), '--wait')).toMatch(/^short is ready/);
		expect(await jobsOf(lab, 'alice')).toEqual(['spot RUNNING']);

		configure({time: '30m', requeue: true});
		expect(await checked(...create('spot', 'lab-spot-a100x2'), '--wait')).toMatch(/^spot is ready/);
		const node = (
			await checked('run', 'spot', '-c', 'import socket; x = 1; print(socket.gethostname())')
		).trim();
		await occupy(lab, node, 2);
		await until(home, 'spot', 'starting', /^Waits in the queue/);
		await waitFor(async () => expect(await jobsOf(lab, 'bob')).toEqual(['gpu RUNNING']));
		expect(await lab.root('scancel', '-u', 'bob')).toMatchObject({code: 0});
		// Slurm holds a requeued job for two minutes.
		const {stdout: waiting} = await lab.root('squeue', '-h', '-u', 'alice', '-t', 'PD', '-o', '%i');
		await lab.root('scontrol', 'update', `jobid=${waiting.trim()}`, 'StartTime=now');
		await waitFor(async () => expect((await listed(home, 'spot')).status).toBe('ready'), {interval: 500});
		// The second run of the job has a new kernel.
		expect(await checked('run', 'spot', '-c', 'print("x" in globals())')).toBe('False\n');
		expect(await checked('server', 'stop', 'spot')).toContain('spot is offline');

		// Slurm checks the time limits of jobs only every half minute.
		await waitFor(async () => expect(await jobsOf(lab, 'alice')).toEqual([]), {interval: 500});
		await until(
			home,
			'short',
			'offline',
			/^The job reached its time limit at \S+ \(1 min\)\. Files are kept\.$/,
		);

		// A preempted job ends unless the settings allow its second run.
		configure({time: '30m'});
		expect(await checked('server', 'start', 'spot', '--wait')).toMatch(/^spot is ready/);
		for (const each of ['n1', 'n2']) await occupy(lab, each, 2);
		await until(
			home,
			'spot',
			'offline',
			/^A job of higher priority took its place at \S+\. Files are kept\.$/,
		);
	},
);
