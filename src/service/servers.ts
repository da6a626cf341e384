import {join} from 'node:path';
import {mkdirSync, rmdirSync} from 'node:fs';
import type {ExecutedCell, RunRequest} from '../contract/cells.ts';
import type {CreatedServer, CreateRequest, ServerItem, StartedServer, StartRequest} from '../contract/servers.ts';
import type {ComputeOption} from '../contract/compute.ts';
import {PENDING} from '../contract/names.ts';
import {UnknownKernelError, UnreachableSessionError, type Session, type SessionOptions} from '../engines/engine.ts';
import type {Files} from '../engines/files.ts';
import {addressesOf} from './addresses.ts';
import type {About, LastError} from './assistant/reference.ts';
import {lastErrorOf} from './last-error.ts';
import type {Catalogue} from './catalogue/catalogue.ts';
import type {EnginePool, Live} from './engine-pool.ts';
import {ServiceFault} from './fault.ts';
import {fullMessage} from './full-message.ts';
import {checkServerName} from './params.ts';
import {quote} from './quote.ts';
import {newServerId, type Registry, type ServerRecord, type Settings} from './registry.ts';
import {QueueFullError} from './run-queue.ts';

/** `failed`: its Python could not be started at all. */
export type OfflineReason = {readonly sentence: string; readonly failed: boolean};

export type ServersOptions = {
	readonly registry: Registry;
	readonly catalogue: Catalogue;
	readonly pool: EnginePool;
	readonly folder: string;
	readonly openFiles: (root: string) => Files;
	/** Without a trailing slash. */
	readonly base: () => string;
	/** Why a server went offline by itself, by id; read and cleared here, filled by the pool's owner. */
	readonly reasons: Map<string, OfflineReason>;
};

/** Who asks, and the key that they showed. */
export type Caller = {readonly user: string; readonly key: string};

type Awaitable<T> = T | Promise<T>;

/** What users do with their servers. All throw {@link ServiceFault}; nothing here knows HTTP. */
export type Servers = {
	list(caller: Caller): Awaitable<readonly ServerItem[]>;
	create(caller: Caller, request: CreateRequest): Awaitable<CreatedServer>;
	start(caller: Caller, name: string, request: StartRequest): Awaitable<StartedServer>;
	/** Port of the last start, for a start that names none. */
	portOf(caller: Caller, name: string): Awaitable<number>;
	run(caller: Caller, name: string, request: RunRequest, signal: AbortSignal): Promise<ExecutedCell>;
	files(caller: Caller, name: string): Awaitable<Files>;
	about(caller: Caller, name: string): Awaitable<About>;
};

/** Servers of this machine, kept in the registry. */
export type LocalServers = Servers & {
	/** Adds a server, offline, with its empty folder. */
	add(user: string, name: string, settings: Settings): {readonly root: string};
};

/** What an option lets a server use. A limit of memory would keep a driver from mapping its GPU. */
const shareOf = ({cpus, memory, num_gpus: gpus}: ComputeOption): SessionOptions['compute'] =>
	({cpus, memory: gpus > 0 ? 0 : Number(/^(\d+(?:\.\d+)?)G$/.exec(memory)?.[1] ?? 0) * 2 ** 30, gpus});

export const createServers = ({registry, catalogue, pool, folder, openFiles, base, reasons}: ServersOptions): LocalServers => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const lastErrors = new Map<string, LastError>();
	const opened = new Map<string, Files>();

	const rootOf = (id: string): string => {
		const root = join(folder, id);
		try {
			// Not `recursive`: on a read-only disk that says ENOENT.
			mkdirSync(root, {mode: 0o700});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		}
		return root;
	};
	const recordOf = (user: string, name: string): ServerRecord => {
		const record = registry.find(user, name);
		if (!record) throw new ServiceFault(404, `You have no server ${name}; create it, or list your servers to see their names.`);
		return record;
	};
	const readyOf = (user: string, name: string): {record: ServerRecord; running: Session; live: Live} => {
		const record = recordOf(user, name);
		const live = pool.get(record.id);
		if (!live) {
			const reason = reasons.get(record.id);
			if (reason?.failed === true) throw new ServiceFault(503, reason.sentence);
			throw new ServiceFault(409, `The server ${name} is offline; start it first.`);
		}
		if (!live.running) throw new ServiceFault(409, `The server ${name} is still starting; wait until it is ready.`);
		pool.touch(record.id);
		return {record, live, running: live.running};
	};
	const filesOf = (id: string): Files => {
		// One for all requests: it keeps the writes to a path in order.
		const files = opened.get(id) ?? openFiles(rootOf(id));
		opened.set(id, files);
		return files;
	};
	const checkRoom = (user: string): void => {
		if (pool.full()) throw new ServiceFault(409, fullMessage(registry.list(user), pool));
	};
	const begin = (id: string, options: Parameters<EnginePool['begin']>[1]): void => {
		reasons.delete(id);
		lastErrors.delete(id);
		pool.begin(id, options);
	};
	const add = (user: string, name: string, settings: Settings, started: boolean): {id: string; root: string} => {
		const taken = registry.taken(user, checkServerName(name));
		if (taken !== undefined) throw new ServiceFault(409, `You already have a server ${taken}; choose another name, or start that one.`);
		const id = newServerId();
		// The folder first: of a disk that fills up in between an empty folder is left, not a server without one.
		const root = rootOf(id);
		try {
			registry.add(user, {id, name, ...settings}, {started});
			return {id, root};
		} catch (error) {
			rmdirSync(root);
			throw error;
		}
	};

	return {
		list: ({user}) => registry.list(user).map(({id, name, environment, port, server_request}) => {
			const live = pool.get(id);
			const {url, assistant_editor_url, forward, thumb} = addressesOf(base(), user, name);
			const reason = live ? undefined : reasons.get(id)?.sentence;
			return {
				assistant_editor_url, environment, name, port,
				port_forward_url: live?.created && !live.running ? PENDING : forward,
				server_request,
				status: live ? (live.running ? 'ready' : 'starting') : 'offline',
				thumb, token: live?.running?.address?.token ?? null, url: live?.running?.address?.url ?? url,
				...(reason === undefined ? {} : {status_reason: reason}),
			};
		}),
		add: (user, name, settings) => add(user, name, settings, false),
		create({user}, {server_name, environment, port, server_request}) {
			const settings = {environment, port, server_request};
			checkServerName(server_name);
			const option = quote(catalogue, settings);
			if (registry.taken(user, server_name) === undefined) checkRoom(user);
			const {id, root} = add(user, server_name, settings, true);
			begin(id, {root, environment, server: {user, name: server_name, port}, compute: shareOf(option), created: true});
			const {url, assistant_editor_url} = addressesOf(base(), user, server_name);
			return {assistant_editor_url, environment, hourly_rate: option.hourly_price, port, port_forward_url: PENDING, server_name, server_request, status: 'success', url};
		},
		start({user}, name, settings) {
			const record = recordOf(user, name);
			const option = quote(catalogue, settings);
			const live = pool.get(record.id);
			if (live) throw new ServiceFault(409, `The server ${name} is already ${live.running ? 'ready' : 'starting'}; use it as it is.`);
			checkRoom(user);
			const root = rootOf(record.id);
			registry.started(record.id, settings);
			const {url, assistant_editor_url, forward} = addressesOf(base(), user, name);
			const {environment, port, server_request} = settings;
			begin(record.id, {root, environment, server: {user, name, port}, compute: shareOf(option), created: false});
			return {
				assistant_editor_url, environment, hourly_rate: option.hourly_price,
				message: `Server ${name} started.`,
				port, port_forward_url: forward, server_name: name, server_request, status: 'success', token: null, url,
			};
		},
		portOf: ({user}, name) => recordOf(user, name).port,
		async run({user}, name, {code, kernel_name}, signal) {
			const {record, live, running} = readyOf(user, name);
			const endTurn = await live.queue.turn(signal).catch((error: unknown) => {
				if (error instanceof QueueFullError) throw new ServiceFault(429, `Too many runs wait on ${name}; wait for one to finish and send this again.`, {'retry-after': '1'});
				throw error;
			});
			try {
				if (pool.get(record.id) !== live) throw new ServiceFault(409, `The server ${name} went offline while this run waited; start it again.`);
				const {execution_count, outputs} = await running.run(code, {kernel: kernel_name, signal});
				const failed = lastErrorOf(outputs, code);
				if (failed && !signal.aborted) lastErrors.set(record.id, failed);
				return {cell_type: 'code', execution_count, metadata: {}, source: code, outputs: [...outputs]};
			} catch (error) {
				if (error instanceof UnknownKernelError) throw new ServiceFault(400, error.message);
				if (error instanceof UnreachableSessionError) throw new ServiceFault(503, `The server ${name} does not answer; look at its state again in a moment.`);
				throw error;
			} finally {
				endTurn();
				pool.touch(record.id);
			}
		},
		files: ({user}, name) => filesOf(readyOf(user, name).record.id),
		about({user}, name) {
			const {record, running} = readyOf(user, name);
			return {
				files: filesOf(record.id),
				lastError: () => lastErrors.get(record.id) ?? null,
				lookup: running.lookup,
				serverName: name,
				environment: record.environment,
			};
		},
	};
};
