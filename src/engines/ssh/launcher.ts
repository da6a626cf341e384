import {readFound, type Found, type Verdict} from './found.ts';
import {readLeft, type LeftServer} from './left.ts';
import type {Connection} from './connection.ts';
import {bundle} from './bundle.ts';
import {HostFault} from './fault.ts';
import {oneLine} from './plain.ts';
import {judgeProcess, lastLine} from './process.ts';
import {judgeJob} from './slurm-job.ts';
import type {ScriptValues} from './script.ts';

/**
 * Method of launching, checking and ending a server on a host. Its script defines the shell
 * functions `launch_KIND`, `look_KIND` and `end_KIND`, which `start.sh`, `status.sh` and `stop.sh`
 * call.
 */
type Launcher = {
	readonly script: string;
	/**
	 * Determines the server's state from the lines that `look_KIND` printed. `host` is used in
	 * sentences.
	 */
	judge(found: Found, host: string): Verdict;
};

const LAUNCHERS = {
	process: {script: 'process.sh', judge: judgeProcess},
	job: {script: 'slurm.sh', judge: judgeJob},
} as const satisfies Record<string, Launcher>;

export type LauncherKind = keyof typeof LAUNCHERS;

const kindOf = ({values}: Found): LauncherKind => {
	const kind = values.get('kind') ?? '';
	return Object.hasOwn(LAUNCHERS, kind) ? (kind as LauncherKind) : 'process';
};

const SCRIPTS = Object.values(LAUNCHERS).map(({script}) => script);

/** Order to start a server. Sending the same order twice launches the server only once. */
export type Order = {
	readonly id: string;
	/** Different for each start of a server. */
	readonly order: string;
	readonly kind: LauncherKind;
	readonly token: string;
	/** Starts and ends with a slash. */
	readonly basePath: string;
	/** Absolute path of a Python on the host, or a command that starts with `uv `. */
	readonly python: string;
	/** Shell lines that run before the server. */
	readonly setup: string;
	/** Folder on the host. Empty for the home folder. */
	readonly root: string;
	/** Time without activity after which the server ends itself, in seconds. 0 for never. */
	readonly grace: number;
	/** JSON description of the server, which another machine of the user reads to take it over. */
	readonly about: string;
	/** Values for `launch_KIND`. */
	readonly values?: ScriptValues;
};

/**
 * Time limit for a start, in s: setup lines, a download by uv, and importing Jupyter Server over
 * NFS.
 */
const START_S = 15 * 60;

/** Returns `ended` in place of `starting` if the start has taken too long. */
const endIfLate = (verdict: Verdict, {values, log}: Found): Verdict => {
	const age = /^\d{1,9}$/.exec(values.get('starting_for') ?? '');
	if (verdict.state !== 'starting' || verdict.isQueued || age === null || Number(age[0]) <= START_S)
		return verdict;
	const said = lastLine(log).replace(/\.$/, '');
	return {
		state: 'ended',
		failed: true,
		reason: `Jupyter Server did not listen within ${START_S / 60} minutes${said === '' ? '' : `; its last line: ${said}`}. Check the setup lines and the Python.`,
	};
};

const FAULTS: Readonly<Record<string, (host: string, detail: string) => string>> = {
	'no-space': host =>
		`Nothing can be written in your home on ${host} (quota of bytes or of files): make room there; nothing was started.`,
	'no-folder': (host, detail) => `${host} has no folder ${detail}; nothing was started.`,
	running: () => 'The server is already running on the host.',
	elsewhere: (host, detail) =>
		`The server runs on ${detail}, but ${host} leads to another machine now: name ${detail} in ~/.ssh/config, or stop it there.`,
	refused: (_, detail) => detail,
	gone: host => `The server has ended on ${host}: create a new one there.`,
	foreign: () => 'The server belongs to another user of the host, and only that user can use it.',
	silent: host => `Slurm on ${host} does not respond: the job may still be running. Try again.`,
	lingers: (_, job) => `Slurm has cancelled the job ${job}, which is still ending. Try again.`,
};

const checkAnswer = (host: string, answer: ReadonlyMap<string, string>): void => {
	const error = answer.get('error');
	if (error === undefined) return;
	const detail = oneLine(answer.get('detail') ?? '');
	throw new HostFault('refused', FAULTS[error]?.(host, detail) ?? `${host} refused: ${error}.`);
};

/**
 * Time limit for ending a server's processes, and for the first transfer of files on a slow
 * network, in ms.
 */
const LONG_MS = 60_000;
/** Time limit for a check, in ms. */
const LOOK_MS = 20_000;

/** Launches, checks and ends servers on a host. All functions throw {@link HostFault}. */
export const createLaunches = (host: string, connection: Pick<Connection, 'script'>) => ({
	/** Starts a server. Returns the ID of its Slurm job. Null if it is not a Slurm job. */
	async launch({basePath, token, grace, values, ...order}: Order): Promise<string | null> {
		const settings = JSON.stringify({token, base_url: basePath, grace});
		const answer = new Map(
			await connection.script(
				[...SCRIPTS, 'start.sh'],
				{...order, settings, ...values, ...bundle()},
				{limit: LONG_MS},
			),
		);
		checkAnswer(host, answer);
		const job = answer.get('job') ?? '';
		return /^\d{1,12}$/.test(job) ? job : null;
	},
	/** State of the servers with these ids, determined by one call. */
	async look(
		servers: readonly {readonly id: string; readonly order: string}[],
	): Promise<ReadonlyMap<string, Verdict>> {
		const ids = servers.map(({id}) => id).join(' ');
		const found = readFound(
			await connection.script(
				[...SCRIPTS, 'status.sh'],
				{ids, want_log: 'no', want_about: 'no'},
				{limit: LOOK_MS},
			),
		);
		const byId = new Map(found.map(each => [each.id, each]));
		return new Map(
			servers.map(({id, order}) => {
				const each = byId.get(id);
				if (each === undefined || each.values.get('order') !== order) return [id, {state: 'absent'}];
				return [id, endIfLate(LAUNCHERS[kindOf(each)].judge(each, host), each)];
			}),
		);
	},
	/** All servers of the user on the host, including servers that other machines started. */
	async all(): Promise<readonly LeftServer[]> {
		const found = readFound(
			await connection.script(
				[...SCRIPTS, 'status.sh'],
				{ids: '', want_log: 'no', want_about: 'yes'},
				{limit: LOOK_MS},
			),
		);
		return found
			.filter(({values}) => values.size > 0)
			.map(each => readLeft(each, endIfLate(LAUNCHERS[kindOf(each)].judge(each, host), each)));
	},
	/** Gives this machine access to a server that another machine started. */
	async adopt(id: string, clientKey: string): Promise<void> {
		checkAnswer(host, new Map(await connection.script(['adopt.sh'], {id, client_key: clientKey})));
	},
	/** Ends a server and its remaining processes, and removes its socket. */
	async end(id: string): Promise<void> {
		checkAnswer(host, new Map(await connection.script([...SCRIPTS, 'stop.sh'], {id}, {limit: LONG_MS})));
	},
});

export type Launches = ReturnType<typeof createLaunches>;
