import {existsSync} from 'node:fs';
import {realpath, rm, readdir} from 'node:fs/promises';
import {StartError, type Engine, type Lookup, type SessionOptions} from '../engine.ts';
import {createLookup, type LookupProcess} from '../lookup.ts';
import {startEngineProcess, type EngineProcess, type StartOptions} from './engine-process.ts';
import {BUILT_SNAPSHOT, pyodideVersion, SNAPSHOT_MODULE} from './installation.ts';
import {requirementIn, type Requirement} from './packages/requirement.ts';
import {createResolver, type PackageIndex} from './packages/resolve.ts';
import type {PackageStore} from './packages/store.ts';
import type {EngineConfig, EnginePackages} from './protocol.ts';
import {openSession} from './session.ts';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';

// Creating a snapshot takes three seconds on an idle machine, and longer on a busy one.
const LIMIT_MS = 60_000;
const PREFIX = 'python-';

/**
 * Path of an installed program's snapshot, which is created before the first start of Python. Null
 * if that fails.
 */
const cachedSnapshot = async (folder: string, signal: AbortSignal): Promise<string | null> => {
	const name = `${PREFIX}${pyodideVersion()}.snapshot`;
	const file = join(folder, name);
	if (existsSync(file)) return file;
	if (!existsSync(folder) || !existsSync(SNAPSHOT_MODULE)) return null;
	// A separate process, because creating a snapshot needs 200 MB of memory.
	const make = `import {makeSnapshot} from ${JSON.stringify(SNAPSHOT_MODULE.href)}; await makeSnapshot(${JSON.stringify(file)});`;
	try {
		await promisify(execFile)(
			process.execPath,
			['--disable-sigusr1', '--input-type=module', '--eval', make],
			{env: {}, signal, timeout: LIMIT_MS, killSignal: 'SIGKILL'},
		);
		for (const other of await readdir(folder))
			if (other.startsWith(PREFIX) && other !== name) await rm(join(folder, other), {force: true});
		return file;
	} catch {
		return null;
	}
};

/** Text about the limits of the sandbox, for `info`, the environments and the docs. */
export const PYODIDE_LIMITS =
	"The embedded Python keeps code in the server's folder: it cannot read other files of this machine, start programs, send signals, use the network " +
	'or write JavaScript. It does not limit the CPU, the disk of the folder, or its memory below the 4 GB of WebAssembly; and it is a process of ' +
	'yours, so a bug in Node or Pyodide could let code out. Run untrusted code in isolation, as in a container.';

/**
 * Real path of the server's folder. Links must be resolved, because Node's permission model checks
 * paths without resolving them. It also treats `*` as a wildcard.
 */
const serverFolder = async (root: string): Promise<string> => {
	const folder = await realpath(root).catch(() => {
		throw new Error('the folder of the server is gone');
	});
	if (folder.includes('*')) throw new Error('the folder of a server must not have a * in its path; move it');
	return folder;
};

export type PyodideOptions = {
	/**
	 * Memory snapshot created by `makeSnapshot`. Python starts more slowly without a matching
	 * snapshot.
	 */
	readonly snapshot?: string;
	/** Folder in which a snapshot is created if there is none. */
	readonly snapshotFolder?: string;
	/** Time zone of the code in the form of `TZ`. Default: the machine's. */
	readonly zone?: string | undefined;
	/** True if the service has several users. Interpreters then run with a lower priority. */
	readonly isShared?: boolean;
	/** Packages of the environments. Undefined if environments have no packages. */
	readonly packages?: {
		readonly store: PackageStore;
		/**
		 * Package index for packages that the distribution lacks. Undefined if no index is used.
		 */
		readonly index?: PackageIndex;
		/** Names of the packages in an environment. */
		namesOf(environment: string): readonly string[];
	};
};

/**
 * Python (Pyodide) in one child process per session. No spare process is started in advance: its
 * permissions are fixed at the start, so it would need access to the files of all servers.
 */
export const createPyodideEngine = (options: PyodideOptions = {}): Engine & {readonly lookup: Lookup} => {
	const {snapshot: file = BUILT_SNAPSHOT, snapshotFolder} = options;
	const life = new AbortController();
	let snapshot: Promise<string | null> | undefined;
	const findSnapshot = async (): Promise<string | null> => {
		if (existsSync(file)) return file;
		return snapshotFolder === undefined ? null : cachedSnapshot(snapshotFolder, life.signal);
	};

	/** Packages of a server. Cells may install more, which remain until the server stops. */
	const packagesOf = ({environment}: SessionOptions) => {
		const {store, namesOf, index} = options.packages ?? {};
		/** Names of packages in the distribution, and paths of wheels. */
		const names = new Set<string>();
		return {
			async fetch(
				wanted: readonly Requirement[],
				onProgress?: (text: string) => void,
			): Promise<readonly string[]> {
				if (wanted.length === 0) return [];
				if (store === undefined) throw new StartError('This engine has no packages to install.');
				store.prepare();
				const resolve = createResolver(store, index ?? {url: null, proxyEnv: {}});
				const found = await resolve(wanted, onProgress);
				await store.ensure(store.lock().filesOf(found.names), onProgress);
				const added = [...found.names, ...found.wheels.map(store.pathOf)];
				for (const name of added) names.add(name);
				return added;
			},
			ofEnvironment: (namesOf?.(environment) ?? []).flatMap(name => requirementIn(name) ?? []),
			now(): EnginePackages | null {
				if (store === undefined) return null;
				// Created before the process starts: Node's permission to read a folder that is
				// missing at the start does not include files created in it later.
				store.prepare();
				return {folder: store.folder, lock: store.lock().path, names: [...names]};
			},
		};
	};

	const start = async (
		root: string | null,
		given: StartOptions,
		{isProject = false, packages = null}: Pick<EngineConfig, 'isProject' | 'packages'> = {},
	): Promise<EngineProcess> => {
		const startOptions = {...given, zone: options.zone, isShared: options.isShared};
		const tried = await (snapshot ??= findSnapshot());
		try {
			return await startEngineProcess({root, snapshot: tried, isProject, packages}, startOptions);
		} catch (error) {
			if (tried === null || startOptions.signal.aborted) throw error;
			const process = await startEngineProcess({root, snapshot: null, isProject, packages}, startOptions);
			// The start succeeded without the snapshot, so the snapshot is damaged or of another
			// version.
			snapshot = Promise.resolve(null);
			if (tried !== file) await rm(tried, {force: true}).catch(() => undefined);
			return process;
		}
	};

	const startLookup = async (signal: AbortSignal): Promise<LookupProcess> => {
		const {request, exited, kill} = await start(null, {signal});
		let requests = 0;
		return {
			exited,
			kill,
			async ask(question, argument) {
				const outcome = await request({id: ++requests, type: 'ask', question, argument});
				return outcome.type === 'answer' ? outcome.json : 'null';
			},
		};
	};
	const {close, ...lookup} = createLookup(startLookup);
	return {
		name: 'pyodide',
		async open(sessionOptions) {
			const {root, isProject = false} = sessionOptions;
			const packages = packagesOf(sessionOptions);
			await packages.fetch(packages.ofEnvironment, sessionOptions.onProgress);
			return openSession(
				async startOptions =>
					start(await serverFolder(root), startOptions, {isProject, packages: packages.now()}),
				lookup,
				packages.fetch,
			);
		},
		lookup,
		async close() {
			life.abort();
			await close();
		},
	};
};
