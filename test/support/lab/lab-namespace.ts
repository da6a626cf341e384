// Namespaces of a lab. All its daemons and all processes of its users are in one process namespace.
import {execFile, spawn} from 'node:child_process';
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {LOGIN, type LabPlan} from './lab-files.ts';

const START_MS = 60_000;

export type Ran = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** Runs a program to its end; a failure is a result. */
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

/** Process id of the namespace's first process as this process sees it. */
export const firstProcess = (holder: number): number | undefined => {
	try {
		return Number(readFileSync(`/proc/${holder}/task/${holder}/children`, 'utf8').trim()) || undefined;
	} catch {
		return undefined;
	}
};

/** Creates the namespaces. The first process fetches ended ones, as a real init does. */
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

/** Ends every process of a lab at once, and removes its folder. */
export const closeNamespace = async ({folder}: LabPlan, holder: number): Promise<void> => {
	const command = ((): string => {
		try {
			return readFileSync(`/proc/${holder}/cmdline`, 'utf8');
		} catch {
			return '';
		}
	})();
	// Another process may have the number by now.
	if (command.includes(folder)) {
		const first = firstProcess(holder);
		process.kill(holder, 'SIGKILL');
		await until(async () => (await run('test', ['-e', `/proc/${first}`])).code !== 0, 'the lab to end');
	}
	rmSync(folder, {recursive: true, force: true, maxRetries: 5});
};
