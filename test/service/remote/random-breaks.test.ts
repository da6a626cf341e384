// @module-tag long
// Simulates a day: detached runs on two hosts and a cluster, while connections, daemons, services
// and commands end, freeze and come back at random.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {LabUser} from '../../support/lab/lab-files.ts';
import {labMissing, startLab, type Lab} from '../../support/lab/lab.ts';
import {labHome, startCommand, type LabHome, type RunningCommand} from '../../support/lab-home.ts';
import {processesUsing} from '../../support/processes.ts';
import {createRandom, newSeed} from '../../support/random.ts';
import {waitFor} from '../../support/wait-for.ts';

/** True for the long form with twenty minutes and ten servers, `npm run soak -- remote`. */
const isLong = Boolean(process.env['SVC_SOAK']);
const BREAKING_MS = isLong ? 20 * 60_000 : 40_000;
const PAUSE_MS = 1500;
/** Time in ms for which connections are frozen. They are closed after 15 seconds. */
const FREEZE_MS = isLong ? 30_000 : 4000;
/** Number of commands that print a run at the same time. */
const WATCHERS = isLong ? 3 : 2;
const LIMIT_MS = BREAKING_MS + 10 * 60_000;

/**
 * Servers on the login node, on a node behind it, and in jobs. Jobs of alice are reached by ssh to
 * their node, those of bob through srun.
 */
const SERVERS = {
	plain: 'lab-zoe-cpux0',
	behind: 'behind-cpux0',
	job: 'lab-gpu-cpux0',
	srun: 'lab-bob-gpu-cpux0',
	...(isLong && {
		...{plain2: 'lab-zoe-cpux0', plain3: 'lab-zoe-cpux0', behind2: 'behind-cpux0'},
		...{job2: 'lab-gpu-cpux0', gpu: 'lab-gpu-a100x1', srun2: 'lab-bob-gpu-cpux0'},
	}),
} as const;
const NAMES = Object.keys(SERVERS);
const USERS: readonly LabUser[] = ['alice', 'bob', 'zoe'];
const NODES = ['n1', 'n2'] as const;

/** Code that counts until it finds a file in the user's home. */
const COUNTING = `import os, time
n = 0
while not os.path.exists("over"):
    print(n, flush=True)
    n += 1
    time.sleep(0.2)
print("over")
`;

type World = {readonly lab: Lab; readonly home: LabHome; readonly random: ReturnType<typeof createRandom>};

const ownProcesses = async (home: LabHome, command: RegExp): Promise<readonly number[]> =>
	(await processesUsing(home.folder)).flatMap(each => (command.test(each.command) ? [each.pid] : []));
const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
	for (const pid of pids)
		try {
			process.kill(pid, name);
		} catch {
			// The process has ended in the meantime.
		}
};
const CLIENTS = / -M .*-N /;
const SERVICE = /boot\.js serve/;

const BREAKS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
	async client({home, random}) {
		const clients = await ownProcesses(home, CLIENTS);
		if (clients.length > 0) signal([random.pick(clients)], 'SIGKILL');
	},
	sessions: ({lab, random}) => lab.root('pkill', '-KILL', '-u', random.pick(USERS), '-x', 'sshd'),
	async network({lab, random}) {
		await lab.cutLogin();
		await random.pause(PAUSE_MS);
		await lab.restoreLogin();
	},
	async frozen({lab, random}) {
		await lab.root('pkill', '-STOP', '-x', 'sshd');
		await random.pause(FREEZE_MS);
		await lab.root('pkill', '-CONT', '-x', 'sshd');
	},
	service: async ({home}) => signal(await ownProcesses(home, SERVICE), 'SIGKILL'),
	async sleep({home, random}) {
		const asleep = [...(await ownProcesses(home, SERVICE)), ...(await ownProcesses(home, CLIENTS))];
		signal(asleep, 'SIGSTOP');
		await random.pause(FREEZE_MS);
		signal(asleep, 'SIGCONT');
	},
	async controller({lab, random}) {
		await lab.stopController();
		await random.pause(FREEZE_MS);
		await lab.startController();
	},
	async node({lab, random}) {
		const node = random.pick(NODES);
		// Slurm considers a node lost after half a minute of silence.
		await lab.stopNode(node);
		await random.pause(PAUSE_MS);
		await lab.startNode(node);
	},
	async drain({lab, random}) {
		await lab.root('scontrol', 'update', 'nodename=n1,n2', 'state=drain', 'reason=fans');
		await random.pause(PAUSE_MS);
		await lab.root('scontrol', 'update', 'nodename=n1,n2', 'state=resume');
	},
	/** Ends only the command that prints a run. */
	command: async () => {},
};

type Listed = {readonly name: string; readonly status: string; readonly status_reason?: string};

test.skipIf(labMissing !== null)(
	`${BREAKING_MS / 1000} s of breaks at random lose no line of ${NAMES.length} detached runs, and no kernel`,
	{timeout: LIMIT_MS},
	async () => {
		const random = createRandom(newSeed());
		await using lab = await startLab();
		await using home = await labHome(lab);
		const world = {lab, home, random};
		const {checked} = home;
		const folder = join(home.folder, '.config/svc-tui');
		mkdirSync(folder, {recursive: true});
		const slurm = {time: '55m'};
		const plain = {loginNode: true};
		const hosts = {lab: {slurm}, 'lab-bob': {slurm}, 'lab-zoe': plain, behind: plain};
		writeFileSync(join(folder, 'settings.json'), JSON.stringify({hosts}), {mode: 0o600});
		for (const host of Object.keys(hosts)) await checked('ssh', 'add', host);
		const script = join(home.folder, 'count.py');
		writeFileSync(script, COUNTING);
		const start = async ([name, compute]: readonly [string, string]): Promise<string> => {
			const host = Object.keys(hosts).findLast(each => compute.startsWith(`${each}-`)) ?? '';
			const how = ['--environment', `${host}-python3`, '--compute', compute, '--wait'];
			await checked('server', 'create', name, ...how);
			await checked('run', name, '-c', `x = "${name}"`);
			return (await checked('run', name, script, '--detach')).trim();
		};
		const ids: string[] = [];
		for (const each of Object.entries(SERVERS)) ids.push(await start(each));

		const done: string[] = [];
		const failures: string[] = [];
		const history = (): string => `SEED=${random.seed}: ${done.join(', ')}`;
		const watch = (): RunningCommand => startCommand(home, 'run', '--attach', random.pick(ids));
		const watchers = Array.from({length: WATCHERS}, watch);
		const until = Date.now() + BREAKING_MS;
		while (Date.now() < until) {
			await random.pause(PAUSE_MS);
			const what = random.pick(Object.keys(BREAKS));
			done.push(what);
			if (isLong) console.log(`${new Date().toISOString()} ${what}`);
			await BREAKS[what]!(world);
			await random.pause(PAUSE_MS);
			const [oldest] = watchers.splice(0, 1);
			// If a command has already ended, it has failed, or another command was attached.
			if (oldest?.child.exitCode != null) failures.push(oldest.errors().trim().slice(-300));
			oldest?.child.kill('SIGKILL');
			await oldest?.ended;
			watchers.push(watch());
			if (done.length % 5 > 0) continue;
			// According to the list, no server has ended.
			const servers = JSON.parse(await checked('servers', '--json')) as readonly Listed[];
			for (const {name, status, status_reason: reason} of servers.filter(each => NAMES.includes(each.name)))
				expect(['ready', 'unreachable', 'starting'], `${name}: ${reason}; ${history()}`).toContain(status);
		}
		for (const {child, ended} of watchers) {
			child.kill('SIGKILL');
			await ended;
		}

		for (const user of USERS) expect(await lab.as(user, 'touch over')).toMatchObject({code: 0});
		for (const id of ids) {
			const last = startCommand(home, 'run', '--attach', id);
			expect(await last.ended, `${history()}\n${last.errors()}`).toBe(0);
			const lines = last.output().trimEnd().split('\n');
			expect(lines.length, history()).toBeGreaterThan(done.length);
			expect(lines, `${id}: ${last.errors()}\n${failures.join('\n')}\n${history()}`).toEqual([
				...lines.slice(1).map((_, at) => String(at)),
				'over',
			]);
		}
		// Other labs have users with the same ids, so only the folders of these servers are
		// checked.
		const homes = USERS.map(user => lab.home(user)).join(' ');
		const records = `for home in ${homes}; do cat $home/.local/share/svc-tui/remote/servers/*/where; done`;
		const {stdout: wheres} = await lab.root('sh', '-c', records);
		const places = [...wheres.matchAll(/^socket (\/tmp\/svc-\w{8})\/s$/gm)].map(([, place]) => place);
		expect(places).toHaveLength(NAMES.length);
		for (const name of NAMES) {
			expect(await checked('run', name, '-c', 'print(x)'), history()).toBe(`${name}\n`);
			await checked('server', 'stop', name);
		}
		const left = `pgrep -u ${USERS.join()} -af 'jupyter|ipykernel|svc-tui/remote'; squeue -h
			for place in ${places.join(' ')}; do ls -d $place ${lab.folder}/tmp.n?/\${place#/tmp/} 2>/dev/null; done`;
		await waitFor(async () => expect((await lab.root('sh', '-c', left)).stdout, history()).toBe(''));
	},
);
