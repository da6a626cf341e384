// Namespaces of a lab. All its daemons and its users' processes are in the same process namespace.
import {execFile, spawn} from 'node:child_process';
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {LOGIN, type LabPlan} from './lab-files.ts';

const START_MS = 60_000;

export type Ran = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** Runs a program until it ends. Resolves even if it fails. */
export const run = (
	file: string,
	args: readonly string[],
	input = '',
	env: NodeJS.ProcessEnv = process.env,
): Promise<Ran> =>
	new Promise(resolve => {
		const child = execFile(
			file,
			args,
			{env, maxBuffer: 64 * 2 ** 20, timeout: START_MS},
			(error, stdout, stderr) => resolve({code: error ? Number(error.code ?? 1) || 1 : 0, stdout, stderr}),
		);
		child.stdin?.on('error', () => {});
		child.stdin?.end(input);
	});

export const until = async (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
	const deadline = Date.now() + START_MS;
	while (!(await isSo())) {
		if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
		await delay(20);
	}
};

/** Id of the namespace's first process, as seen from this process. */
export const firstProcess = (holder: number): number | undefined => {
	try {
		return Number(readFileSync(`/proc/${holder}/task/${holder}/children`, 'utf8').trim()) || undefined;
	} catch {
		return undefined;
	}
};

/** Creates the namespaces. Their first process reaps ended processes, as a real init does. */
export const openNamespace = async ({folder}: LabPlan): Promise<number> => {
	const binds = [
		['etc/passwd', '/etc/passwd'],
		['etc/group', '/etc/group'],
		['etc/hosts', '/etc/hosts'],
		['etc/slurm', '/etc/slurm'],
	].map(([from, to]) => `mount --bind ${folder}/${from} ${to}`);
	const script = [
		'set -e',
		...binds,
		`hostname ${LOGIN}`,
		'mkdir -p /run/sshd',
		`touch ${folder}/run/open`,
		'sleep infinity & wait',
	];
	const holder = spawn(
		'unshare',
		[
			'--mount',
			'--uts',
			'--pid',
			'--fork',
			'--kill-child',
			'--mount-proc',
			'--propagation',
			'private',
			'sh',
			'-c',
			script.join('\n'),
		],
		{stdio: 'ignore', detached: true, cwd: '/'},
	);
	holder.unref();
	await until(async () => (await run('test', ['-e', join(folder, 'run/open')])).code === 0, 'the namespace');
	return holder.pid!;
};

/** Kills all processes of a lab at once, and removes its folder. */
export const closeNamespace = async ({folder}: LabPlan, holder: number): Promise<void> => {
	const command = ((): string => {
		try {
			return readFileSync(`/proc/${holder}/cmdline`, 'utf8');
		} catch {
			return '';
		}
	})();
	// Another process may have this id now.
	if (command.includes(folder)) {
		const first = firstProcess(holder);
		process.kill(holder, 'SIGKILL');
		await until(async () => (await run('test', ['-e', `/proc/${first}`])).code !== 0, 'the lab to end');
	}
	rmSync(folder, {recursive: true, force: true, maxRetries: 5});
};
