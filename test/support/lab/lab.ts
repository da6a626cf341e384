// A small cluster on loopback for tests: sshd, munge, slurmctld, two slurmds with simulated GPUs,
// and users with different shells. It runs in separate namespaces and neither reads nor changes the
// configuration of this machine.
import {randomInt} from 'node:crypto';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from 'node:fs';
import {basename, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {freePort} from '../free-port.ts';
import {endLab, readRunning, record, RUNNING, type Running} from './end-labs.ts';
import {
	addressOf,
	LAB_USERS,
	LOGIN,
	sshdConfig,
	type LabNode,
	type LabPlan,
	type LabUser,
} from './lab-files.ts';
import {machinesOf} from './lab-machines.ts';
import {openNamespace, run, type Ran} from './lab-namespace.ts';
import {writeFiles} from './write-lab.ts';

const PROGRAMS = [
	'/usr/sbin/sshd',
	'/usr/sbin/munged',
	'/usr/sbin/slurmctld',
	'/usr/sbin/slurmd',
	'/usr/bin/sbatch',
	'/usr/bin/ssh',
	'/usr/bin/unshare',
	'/usr/bin/nsenter',
	...LAB_USERS.map(({shell}) => shell),
];

/** Reason why a lab cannot run on this machine, or null. */
export const labMissing = ((): string | null => {
	if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a lab needs root on Linux';
	const missing = PROGRAMS.filter(program => !existsSync(program)).map(program => basename(program));
	return missing.length === 0
		? null
		: `${missing.join(', ')} not installed (Debian: apt-get install openssh-server openssh-client slurmctld slurmd slurm-client munge fish tcsh zsh)`;
})();

if (labMissing !== null)
	process.stderr.write(`SKIPPED: tests on SSH hosts and in Slurm's queue: ${labMissing}.\n`);

export type Lab = AsyncDisposable & {
	readonly folder: string;
	/** Configuration for `ssh -F`: `lab` (alice), `lab-bob`, `lab-finn`, …, and the nodes. */
	readonly config: string;
	/** Folder with an `ssh` that uses {@link config}. To be put first in PATH. */
	readonly bin: string;
	home(user: LabUser): string;
	/** Runs a command as root on the login node. */
	root(...command: readonly string[]): Promise<Ran>;
	/** Runs a script with `sh` on the login node as a user, without ssh. */
	as(user: LabUser, script: string): Promise<Ran>;
	/** Runs a script through `ssh` with an alias of {@link config}. */
	ssh(alias: string, script: string): Promise<Ran>;
	/**
	 * Starts another sshd on the login node, which gets an alias. `lines`: its configuration; the
	 * first value of a keyword applies.
	 */
	addSshd(alias: string, user: LabUser, lines: string): Promise<void>;
	stopController(): Promise<void>;
	startController(): Promise<void>;
	/**
	 * Simulates the failure of a node: its slurmd and its sshd end, but other processes continue.
	 */
	stopNode(node: LabNode): Promise<void>;
	startNode(node: LabNode): Promise<void>;
	/** Simulates a lost network: sshd and its connections end, but other processes continue. */
	cutLogin(): Promise<void>;
	restoreLogin(): Promise<void>;
	/** Simulates a restart of the login node: all its connections and its users' processes end. */
	restartLogin(): Promise<void>;
};

/**
 * Kills the users' processes on the login node, which have its host name namespace. Jobs continue.
 */
const KILL_USERS = `own=$(readlink /proc/1/ns/uts)
for each in /proc/[0-9]*; do
	uid=$(stat -c %u "$each" 2>/dev/null) || continue
	[ "$uid" -gt 20000 ] && [ "$uid" -lt 20100 ] || continue
	[ "$(readlink "$each/ns/uts")" != "$own" ] || kill -KILL "\${each#/proc/}"
done`;

const labOf = ({plan, holder}: Running, end: () => Promise<void>): Lab => {
	const {folder} = plan;
	const machines = machinesOf(plan, holder);
	const config = join(folder, 'client/config');
	const home: Lab['home'] = user => join(folder, 'home', user);
	return {
		folder,
		config,
		bin: join(folder, 'bin'),
		home,
		root: (...command) => machines.enter(command),
		as(user, script) {
			const id = LAB_USERS.find(({name}) => name === user)?.uid;
			return machines.enter([
				'setpriv',
				`--reuid=${id}`,
				`--regid=${id}`,
				'--clear-groups',
				'env',
				'-i',
				'PATH=/usr/bin:/bin',
				`HOME=${home(user)}`,
				`USER=${user}`,
				'/bin/sh',
				'-c',
				`cd; ${script}`,
			]);
		},
		ssh: (alias, script) => run('/usr/bin/ssh', ['-F', config, '-T', alias, 'exec /bin/sh'], script),
		async addSshd(alias, user, lines) {
			const port = await freePort();
			const address = addressOf(plan, LOGIN);
			const own = `Port ${port}\nPidFile ${folder}/run/sshd.${alias}.pid\n${lines}\n`;
			const file = join(folder, `etc/sshd_config.${alias}`);
			writeFileSync(file, own + sshdConfig(plan, LOGIN).replace(/^Port .*$/m, ''));
			appendFileSync(config, `Host ${alias}\n\tUser ${user}\n\tHostName ${address}\n\tPort ${port}\n`);
			const hostKey = readFileSync(join(folder, 'etc/host_key.pub'), 'utf8');
			appendFileSync(join(folder, 'client/known_hosts'), `[${address}]:${port} ${hostKey}`);
			await machines.checked('/usr/sbin/sshd', '-f', file, '-E', join(folder, `log/sshd.${alias}.log`));
		},
		stopController: () => machines.stop('slurmctld', 'KILL'),
		startController: machines.startController,
		async stopNode(node) {
			await machines.stop(`slurmd.${node}`, 'KILL');
			await machines.stop(`sshd.${node}`);
		},
		startNode: machines.startNode,
		async cutLogin() {
			await machines.stop(`sshd.${LOGIN}`);
			await machines.enter(['pkill', '-KILL', '-x', 'sshd', '-U', LAB_USERS.map(({uid}) => uid).join()]);
		},
		restoreLogin: machines.startSshd,
		async restartLogin() {
			await machines.stop(`sshd.${LOGIN}`);
			await machines.checked('sh', '-c', KILL_USERS);
			await machines.startSshd();
		},
		[Symbol.asyncDispose]: end,
	};
};

const start = async (): Promise<Running> => {
	if (labMissing !== null) throw new Error(labMissing);
	const plan: LabPlan = {
		// The folder is not below /tmp, because nodes replace that with their own.
		folder: mkdtempSync('/var/tmp/svc-lab-'),
		network: `127.${randomInt(1, 250)}.${randomInt(1, 250)}`,
		sshPort: await freePort(),
		nodePort: await freePort(),
		controllerPort: await freePort(),
		slurmdPorts: [await freePort(), await freePort()],
	};
	writeFiles(plan);
	const running = {plan, holder: await openNamespace(plan)};
	record(running);
	await machinesOf(plan, running.holder).startAll();
	return running;
};

/** Starts a separate lab, for tests that stop daemons or fill the queue. */
export const startLab = async (): Promise<Lab> => {
	const running = await start();
	return labOf(running, () => endLab(running));
};

/** The lab that all workers of this test run share. The first caller starts it. */
export const sharedLab = async (): Promise<Lab> => {
	const folder = join(RUNNING, 'shared');
	const ready = join(folder, 'ready.json');
	const failed = join(folder, 'failed');
	mkdirSync(RUNNING, {recursive: true});
	let isFirst = true;
	try {
		mkdirSync(folder);
	} catch {
		isFirst = false;
	}
	if (isFirst)
		try {
			writeFileSync(`${ready}.new`, JSON.stringify(await start()));
			renameSync(`${ready}.new`, ready);
		} catch (error) {
			writeFileSync(failed, String(error));
		}
	for (;;) {
		const running = readRunning(ready);
		if (running) return labOf(running, async () => {});
		if (existsSync(failed)) throw new Error(`The lab did not start: ${readFileSync(failed, 'utf8')}`);
		await delay(50);
	}
};
