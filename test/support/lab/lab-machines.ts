// Machines of a lab. Each node has separate mount and host name namespaces and its own /tmp.
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {LAB_NODES, LOGIN, type LabNode, type LabPlan} from './lab-files.ts';
import {firstProcess, run, until, type Ran} from './lab-namespace.ts';

const pidIn = (path: string): number | undefined => {
	try {
		return Number(readFileSync(path, 'utf8')) || undefined;
	} catch {
		return undefined;
	}
};

/** Commands on the machines of a lab, as root. */
export const machinesOf = (plan: LabPlan, holder: number) => {
	const {folder} = plan;
	const first = firstProcess(holder);
	const enter = (args: readonly string[], input?: string): Promise<Ran> =>
		run('nsenter', ['--target', String(first), '--mount', '--uts', '--pid', '--', ...args], input);
	const checked = async (...args: readonly string[]): Promise<string> => {
		const {code, stdout, stderr} = await enter(args);
		if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
		return stdout;
	};
	const pidOf = (daemon: string): number | undefined => pidIn(join(folder, `run/${daemon}.pid`));
	const isAlive = async (pid: number | undefined): Promise<boolean> =>
		pid !== undefined && (await enter(['kill', '-0', String(pid)])).code === 0;
	const started = (daemon: string): Promise<void> =>
		until(() => isAlive(pidOf(daemon)), `${daemon} (see ${folder}/log)`);
	/** Ends a daemon whose process id is in a file of the lab, and waits until it has ended. */
	const stop = async (daemon: string, signal = 'TERM'): Promise<void> => {
		const pid = pidOf(daemon);
		if (pid === undefined || !(await isAlive(pid))) return;
		await enter(['kill', `-${signal}`, String(pid)]);
		await until(async () => !(await isAlive(pid)), `the end of ${daemon}`);
		rmSync(join(folder, `run/${daemon}.pid`), {force: true});
	};
	const startController = async (): Promise<void> => {
		await checked('/usr/sbin/slurmctld');
		await started('slurmctld');
		await until(async () => (await enter(['scontrol', 'ping'])).stdout.includes('UP'), 'the controller');
	};
	const startSshd = async (): Promise<void> => {
		await checked(
			'/usr/sbin/sshd',
			'-f',
			`${folder}/etc/sshd_config.${LOGIN}`,
			'-E',
			`${folder}/log/sshd.log`,
		);
		await started(`sshd.${LOGIN}`);
	};
	/**
	 * Starts a node. Its /tmp is a folder of the lab, so that its sockets are not on the login
	 * node.
	 */
	const startNode = async (node: LabNode): Promise<void> => {
		await checked(
			'unshare',
			'--mount',
			'--uts',
			'sh',
			'-ec',
			`hostname ${node}
			mount --bind ${folder}/tmp.${node} /tmp
			/usr/sbin/sshd -f ${folder}/etc/sshd_config.${node} -E ${folder}/log/sshd.${node}.log
			/usr/sbin/slurmd -N ${node}`,
		);
		await started(`slurmd.${node}`);
	};
	return {
		enter,
		checked,
		stop,
		startController,
		startNode,
		startSshd,
		async startAll(): Promise<void> {
			await checked(
				'/usr/sbin/munged',
				'--force',
				`--key-file=${folder}/etc/munge.key`,
				`--socket=${folder}/run/munge.sock`,
				`--pid-file=${folder}/run/munged.pid`,
				`--log-file=${folder}/log/munged.log`,
				`--seed-file=${folder}/state/munge.seed`,
			);
			await started('munged');
			await Promise.all([startSshd(), startController(), ...LAB_NODES.map(startNode)]);
			await until(
				async () =>
					(await checked('sinfo', '-h', '-N', '-p', 'gpu', '-o', '%t')).match(/^idle$/gm)?.length ===
					LAB_NODES.length,
				`the nodes (see ${folder}/log)`,
			);
		},
	};
};
