import {readFileSync, closeSync, fstatSync, openSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {diskReason} from '../machine/disk-fault.ts';
import {isFolderInUse} from '../settings/instance-lock.ts';
import {keyFile, readInstance, serviceLogFile, type Instance} from '../settings/instance.ts';
import {SetupError} from '../settings/setup-error.ts';
import {isLoopback} from '../machine/loopback.ts';
import {takeLease, type Lease} from './lease.ts';
import {spawn} from 'node:child_process';
import {makeFolder} from '../machine/make-folder.ts';
import {serviceEnvironment} from '../settings/service-environment.ts';

type SpawnedService = {
	readonly pid: number | undefined;
	/** Exit code. Undefined while the process runs. */
	exitCode(): number | undefined;
	/** Last line written to the log, or the error of a failed start. */
	lastLine(): string;
};

// Limits the memory for young objects to 1 MB instead of 16. The service has few of them, so it
// needs 5 MB less.
const memory = '--max-semi-space-size=1';
// Otherwise SIGUSR1 would open an inspector.
const wall = '--disable-sigusr1';

/** Starts the service in its own session, which our terminal's signals do not reach. */
const spawnService = (program: readonly string[], dataFolder: string): SpawnedService => {
	makeFolder(dataFolder);
	const logFile = serviceLogFile(dataFolder);
	const log = openSync(logFile, 'a', 0o600);
	const begin = fstatSync(log).size;
	const [command = process.execPath, ...args] = program;
	let exitCode: number | undefined;
	let failed = '';
	// Node uses the last of two equal flags. Therefore `wall` and `memory` override the program's
	// own flags, which are meant for the screens.
	const [flags, file, serve] = [args.slice(0, -1), args.slice(-1), ['serve', '--leased', '--port', '0']];
	const child = spawn(command, [...flags, wall, memory, ...file, ...serve, '--data', dataFolder], {
		cwd: dataFolder,
		detached: true,
		env: {...serviceEnvironment(), MALLOC_ARENA_MAX: '01'},
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	child.once('error', error => {
		failed = error.message;
		exitCode = -1;
	});
	child.once('exit', code => {
		exitCode = code ?? -1;
	});
	child.unref();
	return {
		pid: child.pid,
		exitCode: () => exitCode,
		lastLine: () =>
			failed || (readFileSync(logFile).subarray(begin).toString('utf8').trim().split('\n').at(-1) ?? ''),
	};
};

export type AttachOptions = {
	readonly dataFolder: string;
	/** Node and the first arguments that run our program. */
	readonly program: readonly string[];
	/** Time for which kernel variables outlive this process, in ms. */
	readonly keep?: number;
	/** Called once if the service ends without `release`. */
	readonly onEnd?: () => void;
	/** Called after servers on hosts have changed. */
	readonly onChange?: () => void;
	/** Longest wait for a service, in ms. 15 s by default. */
	readonly timeout?: number;
	readonly signal?: AbortSignal;
};

/** Local service, held by a lease: it runs at least until `release` or the end of this process. */
export type Attached = {
	readonly baseUrl: string;
	readonly apiKey: string;
	/** True if this process started the service, which stops with its last lease. */
	readonly started: boolean;
	/** True if the service stops after the last lease. A service started by hand does not. */
	readonly leased: boolean;
	release(): void;
	/** Resolves when the service has ended or was released. */
	readonly ended: Promise<void>;
};

/** Exit code of a service that found the folder in use. */
const folderInUse = 73;
/** Pause between attempts, in ms. A start takes about 150. */
const pause = 15;

const readKey = (dataFolder: string): string => {
	try {
		return readFileSync(keyFile(dataFolder), 'utf8').trim();
	} catch {
		throw new SetupError(`The key of the local service cannot be read from ${keyFile(dataFolder)}.`);
	}
};

const checkUsable = ({keyFrom, url, pid}: Instance, dataFolder: string): void => {
	const {protocol, hostname} = new URL(url);
	// Left to the user, because TLS needs a trusted certificate, and a name may refer to another
	// machine.
	if (protocol !== 'http:' || !isLoopback(hostname)) {
		throw new SetupError(
			`The local service (process ${pid}) listens on the network at ${url}. Set SVC_BASE_URL to that address and SVC_API_KEY to your key${keyFrom === 'file' ? `, which is in ${keyFile(dataFolder)}` : ''}, or stop that service.`,
		);
	}
	if (keyFrom === 'file') return;
	const source = {keys: 'a keys file', environment: 'the environment', hub: 'a JupyterHub'}[keyFrom];
	throw new SetupError(
		`The local service (process ${pid}) got its key from ${source}, which this program does not have. Set SVC_BASE_URL=${url} and SVC_API_KEY to your key, or stop that service.`,
	);
};

/** Lease on the folder's service. Null if none responds. */
const tryLease = async (
	dataFolder: string,
	/**
	 * Ids of instance files that were read while no process held the folder's lock. Their services
	 * have ended.
	 */
	stale: Set<string>,
	how: {readonly keep: AttachOptions['keep']; readonly onChange: AttachOptions['onChange']},
): Promise<{lease: Lease; instance: Instance; apiKey: string} | null> => {
	const idOf = ({pid, port, startedAt}: Instance): string => JSON.stringify([pid, port, startedAt]);
	const before = readInstance(dataFolder);
	// Only the lock proves that the service runs. After its end another program may use the port,
	// and must not receive the key. A new service takes the lock before it removes the old instance
	// file.
	if (!isFolderInUse(dataFolder)) {
		if (before) stale.add(idOf(before));
		return null;
	}
	const instance = readInstance(dataFolder);
	if (!instance || stale.has(idOf(instance))) return null;
	checkUsable(instance, dataFolder);
	const apiKey = readKey(dataFolder);
	const answer = await takeLease({url: instance.url, apiKey, ...how, timeout: 2000});
	if (answer.status === 'refused')
		throw new SetupError(
			`The local service (process ${instance.pid}) rejects the key in ${keyFile(dataFolder)}. Stop that service and try again.`,
		);
	return answer.status === 'held' ? {lease: answer.lease, instance, apiKey} : null;
};

const checkSpawned = (spawned: SpawnedService, dataFolder: string): 'running' | 'ended' => {
	const exitCode = spawned.exitCode();
	if (exitCode === undefined) return 'running';
	// The folder has another owner, or no program took a lease in time. In both cases the caller
	// tries again.
	if (exitCode === folderInUse || exitCode === 0) return 'ended';
	const reason = spawned.lastLine();
	throw new SetupError(
		`The local service failed to start${reason === '' ? ` (exit code ${exitCode}); see ${serviceLogFile(dataFolder)}.` : `: ${reason}`}`,
		exitCode === 77 || exitCode === 2 ? 'config' : 'unreachable',
	);
};

const attach = async ({
	dataFolder,
	program,
	keep,
	onEnd,
	onChange,
	timeout = 15_000,
	signal,
}: AttachOptions): Promise<Attached> => {
	const deadline = Date.now() + timeout;
	let spawned: SpawnedService | undefined;
	const stale = new Set<string>();
	for (;;) {
		signal?.throwIfAborted();
		const found = await tryLease(dataFolder, stale, {keep, onChange});
		if (found) {
			const {lease, instance, apiKey} = found;
			let released = false;
			void lease.ended.then(() => {
				if (!released) onEnd?.();
			});
			return {
				baseUrl: instance.url,
				apiKey,
				ended: lease.ended,
				started: spawned?.pid === instance.pid,
				leased: instance.leased,
				release() {
					released = true;
					lease.release();
				},
			};
		}
		if (Date.now() > deadline)
			throw new SetupError(
				`The local service did not respond within ${timeout / 1000} s; see ${serviceLogFile(dataFolder)}.`,
				'unreachable',
			);
		if (spawned && checkSpawned(spawned, dataFolder) === 'ended') spawned = undefined;
		// While the folder has an owner, that process is starting or ending, and a second process
		// would fail.
		if (!spawned && !isFolderInUse(dataFolder)) spawned = spawnService(program, dataFolder);
		await sleep(pause);
	}
};

/**
 * Finds or starts the service of a data folder, and takes a lease. Concurrent programs share one
 * service: the process that gets the folder's lock.
 * @throws {SetupError} if that fails.
 */
export const attachLocal = async (options: AttachOptions): Promise<Attached> => {
	const {dataFolder} = options;
	try {
		return await attach(options);
	} catch (error) {
		const reason = diskReason(error, {elsewhere: 'set XDG_DATA_HOME to a folder you own', file: dataFolder});
		throw reason === null
			? error
			: new SetupError(`The data folder ${dataFolder} cannot be used: ${reason}.`);
	}
};
