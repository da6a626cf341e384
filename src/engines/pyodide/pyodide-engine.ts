import {existsSync} from 'node:fs';
import {realpath, rm, readdir} from 'node:fs/promises';
import type {Engine, Lookup} from '../engine.ts';
import {createLookup, type LookupProcess} from '../lookup.ts';
import {startEngineProcess, type EngineProcess, type StartOptions} from './engine-process.ts';
import {BUILT_SNAPSHOT, pyodideVersion, SNAPSHOT_MODULE} from './installation.ts';
import {openSession} from './session.ts';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';

// Three seconds on an idle machine.
const LIMIT_MS = 60_000;
const PREFIX = 'python-';

/**
 * The snapshot of an installed program, which comes without one: made in `folder`, which exists, before the first start of Python, and kept there.
 * Null where it cannot be made: Python starts without it, only slower.
 */
const keptSnapshot = async (folder: string, signal: AbortSignal): Promise<string | null> => {
	const name = `${PREFIX}${pyodideVersion()}.snapshot`;
	const file = join(folder, name);
	if (existsSync(file)) return file;
	if (!existsSync(folder) || !existsSync(SNAPSHOT_MODULE)) return null;
	// In a process of its own: it takes 200 MB.
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

/** What the engine does not keep code from; for `info`, the environments and the docs. */
export const PYODIDE_LIMITS =
	"The embedded Python keeps code in the server's folder: it sees no other file of this machine, starts no program, sends no signal, reaches no network " +
	'and cannot write JavaScript. It does not bound the CPU, the disk that the folder is on, or its memory below the 4 GB that WebAssembly has; and it is one ' +
	'process of yours with Node and Pyodide in it, so that a fault of theirs would lead out. Run code of strangers where nothing else is, as in a container.';

/** Node judges paths as they are written, and reads `*` in the paths of its permission model as a wildcard. */
const serverFolder = async (root: string): Promise<string> => {
	const folder = await realpath(root).catch(() => {
		throw new Error('the folder of the server is gone');
	});
	if (folder.includes('*')) throw new Error('the folder of a server must not have a * in its path; move it');
	return folder;
};

export type PyodideOptions = {
	/** Memory snapshot made by `makeSnapshot`; a clone's build has one. Without it, or when it does not fit, Python starts slower. */
	readonly snapshot?: string;
	/** Folder in which one is made and kept where there is none. */
	readonly snapshotFolder?: string;
	/** Time zone of the code, as in `TZ`; by default the machine's own. */
	readonly zone?: string | undefined;
};

/**
 * The embedded engine: Python (Pyodide) in one child process per session. There is no warm spare process: which folder a process may
 * touch is fixed when it starts, so a spare would have to be let into every server's files.
 */
export const createPyodideEngine = (options: PyodideOptions = {}): Engine & {readonly lookup: Lookup} => {
	const {snapshot: file = BUILT_SNAPSHOT, snapshotFolder} = options;
	const life = new AbortController();
	let snapshot: Promise<string | null> | undefined;
	const findSnapshot = async (): Promise<string | null> => {
		if (existsSync(file)) return file;
		return snapshotFolder === undefined ? null : keptSnapshot(snapshotFolder, life.signal);
	};

	const start = async (
		root: string | null,
		given: StartOptions,
		isProject = false,
	): Promise<EngineProcess> => {
		const startOptions = {...given, zone: options.zone};
		const tried = await (snapshot ??= findSnapshot());
		try {
			return await startEngineProcess({root, snapshot: tried, isProject}, startOptions);
		} catch (error) {
			if (tried === null || startOptions.signal.aborted) throw error;
			const process = await startEngineProcess({root, snapshot: null, isProject}, startOptions);
			// The start without it worked, so the snapshot was at fault (another version of Pyodide, a damaged file).
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
		open: ({root, isProject}) =>
			openSession(async startOptions => start(await serverFolder(root), startOptions, isProject), lookup),
		lookup,
		async close() {
			life.abort();
			await close();
		},
	};
};
