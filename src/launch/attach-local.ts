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
	/** Exit code once the process has ended; undefined while it runs. */
	exitCode(): number | undefined;
	/** The last line that it wrote before it ended. */
	lastLine(): string;
};

// Young objects get 1 MB instead of up to 16: the service keeps few, and is 5 MB smaller.
const memory = '--max-semi-space-size=1';
// SIGUSR1 opens no inspector in it.
const wall = '--disable-sigusr1';

/** Starts the service in a session of its own, so that no signal of our terminal reaches it; it writes to its log only. */
const spawnService = (program: readonly string[], dataFolder: string): SpawnedService => {
	makeFolder(dataFolder);
	const logFile = serviceLogFile(dataFolder);
	const log = openSync(logFile, 'a', 0o600);
	const begin = fstatSync(log).size;
	const [command = process.execPath, ...args] = program;
	let exitCode: number | undefined;
	let failed = '';
	// The last of two flags counts: the program's own is for the screens.
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
	/** Milliseconds for which what code made outlives us. */
	readonly keep?: number;
	/** Called once when the service goes away without `release`. */
	readonly onEnd?: () => void;
	/** Milliseconds to wait for a service: 15 s by default. */
	readonly timeout?: number;
	readonly signal?: AbortSignal;
};

/** The local service, held by a lease: it lives at least until `release` or the end of this process. */
export type Attached = {
	readonly baseUrl: string;
	readonly apiKey: string;
	/** We had to start it: if nobody else holds it, it ends with us. */
	readonly started: boolean;
	/** It ends when nobody holds it any more; one that was started by hand lives on. */
	readonly leased: boolean;
	release(): void;
	/** Resolves when the service went away or was released. */
	readonly ended: Promise<void>;
};

/** Exit code of a service that found the folder in use. */
const folderInUse = 73;
/** Milliseconds between two attempts; a start takes some 150. */
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
	// Over TLS a certificate must be trusted, and a name beyond this machine may lead to another one: that is for the user to say.
	if (protocol !== 'http:' || !isLoopback(hostname)) {
		throw new SetupError(
			`The local service (process ${pid}) listens for other machines, at ${url}. Set SVC_BASE_URL to that address and SVC_API_KEY to your key${keyFrom === 'file' ? `, which is in ${keyFile(dataFolder)}` : ''}, or end that service.`,
		);
	}
	if (keyFrom === 'file') return;
	const source = {keys: 'a keys file', environment: 'the environment', hub: 'a JupyterHub'}[keyFrom];
	throw new SetupError(
		`The local service (process ${pid}) has its key from ${source}, so it cannot be found without it. Set SVC_BASE_URL=${url} and SVC_API_KEY to your key, or end that service.`,
	);
};

/** A lease on the service that uses the folder now; null when there is none that answers. */
const tryLease = async (
	dataFolder: string,
	/** Instances that were read while nobody had the folder. */
	stale: Set<string>,
	keep: number | undefined,
): Promise<{lease: Lease; instance: Instance; apiKey: string} | null> => {
	const idOf = ({pid, port, startedAt}: Instance): string => JSON.stringify([pid, port, startedAt]);
	const before = readInstance(dataFolder);
	// Only the lock shows that the owner lives: its port may be somebody else's by now, who must not get our key. A new owner has the lock
	// before it has removed what a killed one left.
	if (!isFolderInUse(dataFolder)) {
		if (before) stale.add(idOf(before));
		return null;
	}
	const instance = readInstance(dataFolder);
	if (!instance || stale.has(idOf(instance))) return null;
	checkUsable(instance, dataFolder);
	const apiKey = readKey(dataFolder);
	const answer = await takeLease({url: instance.url, apiKey, keep, timeout: 2000});
	if (answer.status === 'refused')
		throw new SetupError(
			`The local service (process ${instance.pid}) does not take the key in ${keyFile(dataFolder)}; end that service and start again.`,
		);
	return answer.status === 'held' ? {lease: answer.lease, instance, apiKey} : null;
};

const checkSpawned = (spawned: SpawnedService, dataFolder: string): 'running' | 'ended' => {
	const exitCode = spawned.exitCode();
	if (exitCode === undefined) return 'running';
	// The folder has another owner, or it waited for a lease and nobody came; both mean: try again.
	if (exitCode === folderInUse || exitCode === 0) return 'ended';
	const reason = spawned.lastLine();
	throw new SetupError(
		`The local service could not start${reason === '' ? ` (exit code ${exitCode}); see ${serviceLogFile(dataFolder)}.` : `: ${reason}`}`,
		exitCode === 77 || exitCode === 2 ? 'config' : 'unreachable',
	);
};

const attach = async ({
	dataFolder,
	program,
	keep,
	onEnd,
	timeout = 15_000,
	signal,
}: AttachOptions): Promise<Attached> => {
	const deadline = Date.now() + timeout;
	let spawned: SpawnedService | undefined;
	const stale = new Set<string>();
	for (;;) {
		signal?.throwIfAborted();
		const found = await tryLease(dataFolder, stale, keep);
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
				`The local service did not answer within ${timeout / 1000} s; see ${serviceLogFile(dataFolder)}.`,
				'unreachable',
			);
		if (spawned && checkSpawned(spawned, dataFolder) === 'ended') spawned = undefined;
		// While the folder has an owner, that one is starting or ending: a second process would only be refused.
		if (!spawned && !isFolderInUse(dataFolder)) spawned = spawnService(program, dataFolder);
		await sleep(pause);
	}
};

/**
 * Finds the service of a data folder, or starts it, and takes a lease. Several programs may do so at once: the one that gets the
 * folder's lock serves them all.
 * @throws {SetupError}
 */
export const attachLocal = async (options: AttachOptions): Promise<Attached> => {
	const {dataFolder} = options;
	try {
		return await attach(options);
	} catch (error) {
		const reason = diskReason(error, {elsewhere: 'set XDG_DATA_HOME to a folder of yours', file: dataFolder});
		throw reason === null
			? error
			: new SetupError(`The data folder ${dataFolder} cannot be used: ${reason}.`);
	}
};
