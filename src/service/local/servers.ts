import {join} from 'node:path';
import {mkdirSync, rmdirSync} from 'node:fs';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Session, SessionOptions} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';
import type {LastError} from '../assistant/about.ts';
import type {Catalogue} from '../catalogue/catalogue.ts';
import {createCapacityNotes, requireOffer} from '../catalogue/quote.ts';
import type {EnvironmentSetup} from '../environments/setup.ts';
import {ServiceFault} from '../http/fault.ts';
import {checkServerName} from '../http/params.ts';
import {lastErrorOf, orderAnswer, refusals, runCell, type Servers} from '../servers.ts';
import type {StopLimits} from '../limits/stop-limits.ts';
import type {EnginePool, Live} from './engine-pool.ts';
import {fullMessage, processCount, userQuota, type UserQuota} from './user-quota.ts';
import {createListening, type Reservation} from './listening.ts';
import {projectFault} from './project-folder.ts';
import {newServerId, type OwnFolder, type Registry, type ServerRecord, type Settings} from './registry.ts';
import {kernelRefusal, processesOf, type MemoryCapacity} from './memory-capacity.ts';
import {codeOf} from '../../text/errors.ts';

/** Reason why a server is offline. `failed`: true if its Python could not be started. */
export type OfflineReason = {readonly sentence: string; readonly failed: boolean};

export type ServersOptions = Omit<Parameters<typeof createListening>[0], 'pool'> & {
	readonly registry: Registry;
	readonly catalogue: Catalogue;
	readonly setup: Pick<EnvironmentSetup, 'refusal'> | null;
	readonly pool: EnginePool;
	readonly room: () => MemoryCapacity;
	/** Same as `room`, but up to a second old. */
	readonly shownRoom: () => MemoryCapacity;
	/** Number of the service's users, including the given user. */
	readonly users: (user: string) => number;
	readonly folder: string;
	readonly openFiles: (root: string, how: {readonly isProject: boolean}) => Files;
	/** Name of the engine, which the user of a project has to accept. */
	readonly engine: string;
	/** Reasons why servers went offline, by id. Set by the pool's owner, cleared by a start. */
	readonly reasons: Map<string, OfflineReason>;
	readonly limits: Pick<StopLimits, 'admit' | 'started' | 'fieldsOf'>;
};

export type LocalServers = Servers & {
	/** Creates an offline server with an empty folder. */
	add(user: string, name: string, settings: Settings): {readonly root: string};
	/** Creates an offline server that uses the user's own folder. */
	addProject(user: string, name: string, settings: Settings, own: OwnFolder): void;
};

/** Resources of a session. No memory limit with GPUs, because it blocks their driver's mappings. */
const shareOf = ({cpus, memory, num_gpus: gpus}: ComputeOption): SessionOptions['compute'] => ({
	cpus,
	memory: gpus > 0 ? 0 : Number(/^(\d+(?:\.\d+)?)G$/.exec(memory)?.[1] ?? 0) * 2 ** 30,
	gpus,
});

const evictedText = (name: string): string =>
	`Stopped to free memory for ${name}. Files are kept; start it again to continue.`;

export const createServers = (options: ServersOptions): LocalServers => {
	const {
		registry,
		catalogue,
		setup,
		pool,
		room,
		shownRoom,
		users,
		folder,
		openFiles,
		engine,
		base,
		isAway,
		listens,
		reasons,
		limits,
	} = options;
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const withCapacity = createCapacityNotes(catalogue.compute);
	const lastErrors = new Map<string, LastError>();
	const opened = new Map<string, Files>();
	const {reserve, addresses} = createListening({pool, base, isAway, listens});

	const rootOf = ({id, folder: own}: Pick<ServerRecord, 'id' | 'folder'>): string => {
		if (own !== null) return own;
		const root = join(folder, id);
		try {
			// Not `recursive`, because that reports ENOENT on a read-only disk.
			mkdirSync(root, {mode: 0o700});
		} catch (error) {
			if (codeOf(error) !== 'EEXIST') throw error;
		}
		return root;
	};
	const recordOf = (user: string, name: string): ServerRecord => {
		const record = registry.find(user, name);
		if (!record) throw refusals.unknown(name);
		return record;
	};
	/**
	 * Checks the settings of a start.
	 * @throws {ServiceFault} if they are invalid, or need the user's consent first.
	 */
	const offerFor = (wanted: Settings): ComputeOption => {
		const option = requireOffer(catalogue, wanted);
		const refusal = setup?.refusal(wanted.environment) ?? null;
		if (refusal !== null) throw new ServiceFault(409, refusal);
		return option;
	};
	const readyOf = (user: string, name: string): {record: ServerRecord; running: Session; live: Live} => {
		const record = recordOf(user, name);
		const live = pool.get(record.id);
		if (!live) {
			const reason = reasons.get(record.id);
			if (reason?.failed === true) throw new ServiceFault(503, reason.sentence);
			throw refusals.notReady(name, 'offline');
		}
		if (!live.running) throw refusals.notReady(name, 'starting');
		pool.touch(record.id);
		return {record, live, running: live.running};
	};
	const filesOf = (record: ServerRecord): Files => {
		// Shared by all requests, because it serialises the writes to the same path.
		const files = opened.get(record.id) ?? openFiles(rootOf(record), {isProject: record.folder !== null});
		opened.set(record.id, files);
		return files;
	};
	const quotaFor = (user: string, measure = room): UserQuota =>
		userQuota(registry.list(user), {room: measure(), pool, users: users(user)});
	/**
	 * If memory for a start is missing, stops retained servers that no program uses.
	 * @throws {ServiceFault} 409 if that is not enough.
	 */
	const ensureMemory = async (user: string, name: string): Promise<void> => {
		let {full} = quotaFor(user);
		while (full !== null && (await pool.evict(evictedText(name)))) ({full} = quotaFor(user));
		if (full !== null) throw new ServiceFault(409, fullMessage(full, registry.list(user), pool));
	};
	const begin = (
		user: string,
		{id, name, environment, folder: own}: Pick<ServerRecord, 'id' | 'name' | 'environment' | 'folder'>,
		option: ComputeOption,
		{own: at, port, keep}: Reservation,
		created: boolean,
	): void => {
		reasons.delete(id);
		lastErrors.delete(id);
		keep(id);
		const server = {user, name, port};
		const compute = shareOf(option);
		pool.begin(id, {
			root: rootOf({id, folder: own}),
			isProject: own !== null,
			environment,
			server,
			compute,
			kernelRefusal() {
				const live = pool.get(id);
				return kernelRefusal(room(), {
					server: live ? processesOf(live).length : 0,
					user: processCount(registry.list(user), pool),
					users: users(user),
					memory: compute.memory,
				});
			},
			created,
			own: at,
		});
		limits.started(recordOf(user, name), option.hourly_price);
	};
	const add = (
		user: string,
		name: string,
		settings: Settings,
		isStarted: boolean,
	): {id: string; root: string} => {
		const taken = registry.taken(user, checkServerName(name));
		if (taken !== undefined) throw refusals.nameTaken(taken);
		const id = newServerId();
		// Creates the folder first. If the disk is full, an empty folder remains, but no server
		// without a folder.
		const root = rootOf({id, folder: null});
		try {
			registry.add(user, {id, name, ...settings}, isStarted);
			return {id, root};
		} catch (error) {
			rmdirSync(root);
			throw error;
		}
	};

	return {
		list: ({user}) =>
			registry.list(user).map(record => {
				const {id, name, environment, port, server_request, ended_reason, folder: own} = record;
				const live = pool.get(id);
				const {url, token, assistant_editor_url, forward, thumb} = addresses(user, {id, name});
				const reason = live
					? ((live.running ? null : live.progress) ?? undefined)
					: (reasons.get(id)?.sentence ?? ended_reason ?? undefined);
				return {
					assistant_editor_url,
					environment,
					name,
					port,
					port_forward_url: forward,
					server_request,
					status: live ? (live.running ? 'ready' : 'starting') : 'offline',
					thumb,
					token,
					url,
					...(reason === undefined ? {} : {status_reason: reason}),
					...(own === null ? {} : {folder: own}),
					...limits.fieldsOf(record),
				};
			}),
		compute: ({user}) => withCapacity(quotaFor(user, shownRoom)),
		environments: () => catalogue.environments,
		add: (user, name, settings) => add(user, name, settings, false),
		addProject(user, name, settings, own) {
			registry.add(user, {id: newServerId(), name, ...settings}, false, own);
		},
		async create({user}, {server_name: name, environment, port: wish, server_request}) {
			checkServerName(name);
			const option = offerFor({environment, port: wish, server_request});
			limits.admit(user, option.hourly_price);
			using place = await reserve(wish);
			const settings = {environment, port: place.port, server_request};
			if (registry.taken(user, name) === undefined) await ensureMemory(user, name);
			const {id} = add(user, name, settings, true);
			begin(user, {id, name, environment, folder: null}, option, place, true);
			return orderAnswer(name, settings, option, addresses(user, {id, name}));
		},
		async start({user}, name, {environment, port: wish, server_request}) {
			recordOf(user, name);
			const option = offerFor({environment, port: wish, server_request});
			limits.admit(user, option.hourly_price);
			using place = await reserve(wish);
			const {port} = place;
			const settings = {environment, port, server_request};
			const record = recordOf(user, name);
			const {id} = record;
			const live = pool.get(id);
			if (live) throw refusals.notOffline(name, live.running ? 'ready' : 'starting');
			await ensureMemory(user, name);
			// Another request may have started the server during the wait.
			if (pool.get(id)) throw refusals.notOffline(name, 'starting');
			rootOf(record);
			const fault = projectFault(record, engine);
			if (fault !== null) throw new ServiceFault(409, fault);
			registry.started(id, settings);
			begin(user, {...record, environment}, option, place, false);
			const found = addresses(user, {id, name});
			return {
				...orderAnswer(name, settings, option, found),
				message: `Server ${name} started.${port === wish ? '' : ` Its port is ${port}, since ${wish} is in use.`}`,
				token: found.token,
			};
		},
		portOf: ({user}, name) => recordOf(user, name).port,
		async run({user}, name, {code, kernel_name: kernel}, signal) {
			const {
				record: {id},
				live,
				running,
			} = readyOf(user, name);
			const run = () => {
				if (pool.get(id) !== live)
					throw new ServiceFault(
						409,
						`The server ${name} went offline while this run waited; start it again.`,
					);
				pool.ran(id);
				return running.run(code, {kernel, signal}).finally(() => pool.touch(id));
			};
			return runCell({queue: live.queue, name, signal}, code, run, raised => lastErrors.set(id, raised));
		},
		files: ({user}, name) => filesOf(readyOf(user, name).record),
		about({user}, name) {
			const {record, running} = readyOf(user, name);
			return {
				files: filesOf(record),
				lastError() {
					// Includes errors of cells that ran through the server's own address.
					const failed = running.failed?.();
					return (failed && lastErrorOf([failed.error], failed.code)) ?? lastErrors.get(record.id) ?? null;
				},
				seesLiveCells: running.kernel !== undefined,
				lookup: running.lookup,
				serverName: name,
				environment: record.environment,
			};
		},
	};
};
