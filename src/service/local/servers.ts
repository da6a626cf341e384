import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {mkdirSync, rmdirSync} from 'node:fs';
import type {ExecutedCell, RunRequest} from '../../contract/cells.ts';
import type {
	CreatedServer,
	CreateRequest,
	ServerItem,
	StartedServer,
	StartRequest,
} from '../../contract/servers.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {PENDING} from '../../contract/names.ts';
import {
	UnknownKernelError,
	UnreachableSessionError,
	type Session,
	type SessionOptions,
} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';
import {addressesOf, isLoopback} from './addresses.ts';
import type {About, LastError} from '../assistant/reference.ts';
import {lastErrorOf} from './last-error.ts';
import type {Catalogue} from '../catalogue/catalogue.ts';
import type {EnginePool, Live} from './engine-pool.ts';
import {ServiceFault} from '../http/fault.ts';
import {fullMessage, ownRoom, type OwnRoom} from '../http/full-message.ts';
import {checkServerName} from '../http/params.ts';
import {createPorts, freePort} from '../http/ports.ts';
import {quote, withRoom} from '../catalogue/quote.ts';
import {newServerId, type Registry, type ServerRecord, type Settings} from './registry.ts';
import type {Room} from './room.ts';
import {QueueFullError} from './run-queue.ts';

/** `failed`: its Python could not be started at all. */
export type OfflineReason = {readonly sentence: string; readonly failed: boolean};

export type ServersOptions = {
	readonly registry: Registry;
	readonly catalogue: Catalogue;
	readonly pool: EnginePool;
	/** For how many sessions there is memory now. */
	readonly room: () => Room;
	/** Keys that there are. */
	readonly users: number;
	readonly folder: string;
	readonly openFiles: (root: string) => Files;
	/** Without a trailing slash. */
	readonly base: () => string;
	/** A server, and the programs that it runs, listen on ports of this machine. */
	readonly listens: boolean;
	/** Why a server went offline by itself, by id; read and cleared here, filled by the pool's owner. */
	readonly reasons: Map<string, OfflineReason>;
};

/** Who asks, and the key that they showed. */
export type Caller = {readonly user: string; readonly key: string};

type Own = NonNullable<SessionOptions['own']>;
type Reservation = Disposable & {readonly port: number; readonly own?: Own; keep(id: string): void};

type Awaitable<T> = T | Promise<T>;

/** What users do with their servers. All throw {@link ServiceFault}; nothing here knows HTTP. */
export type Servers = {
	list(caller: Caller): Awaitable<readonly ServerItem[]>;
	/** The catalogue as the caller can have it now. */
	compute(caller: Caller): readonly ComputeOption[];
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
const shareOf = ({cpus, memory, num_gpus: gpus}: ComputeOption): SessionOptions['compute'] => ({
	cpus,
	memory: gpus > 0 ? 0 : Number(/^(\d+(?:\.\d+)?)G$/.exec(memory)?.[1] ?? 0) * 2 ** 30,
	gpus,
});

export const createServers = ({
	registry,
	catalogue,
	pool,
	room,
	users,
	folder,
	openFiles,
	base,
	listens,
	reasons,
}: ServersOptions): LocalServers => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const lastErrors = new Map<string, LastError>();
	const opened = new Map<string, Files>();
	const ports = createPorts(id => pool.get(id) !== undefined);
	/** Where a live server listens itself, by id. */
	const owns = new Map<string, Own>();

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
		if (!record)
			throw new ServiceFault(
				404,
				`You have no server ${name}; create it, or list your servers to see their names.`,
			);
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
		if (!live.running)
			throw new ServiceFault(409, `The server ${name} is still starting; wait until it is ready.`);
		pool.touch(record.id);
		return {record, live, running: live.running};
	};
	const filesOf = (id: string): Files => {
		// One for all requests: it keeps the writes to a path in order.
		const files = opened.get(id) ?? openFiles(rootOf(id));
		opened.set(id, files);
		return files;
	};
	const roomFor = (user: string): OwnRoom => ownRoom(registry.list(user), {room: room(), pool, users});
	const checkRoom = (user: string): void => {
		const {full} = roomFor(user);
		if (full !== null) throw new ServiceFault(409, fullMessage(full, registry.list(user), pool));
	};
	const begin = (id: string, place: Reservation, options: Parameters<EnginePool['begin']>[1]): void => {
		reasons.delete(id);
		lastErrors.delete(id);
		if (place.own) owns.set(id, place.own);
		place.keep(id);
		pool.begin(id, {...options, own: place.own});
	};
	/** What a server gets of this machine's ports; `keep` gives them to it. */
	const placeOf = async (wish: number): Promise<Reservation> => {
		if (!listens) return {port: wish, keep() {}, [Symbol.dispose]() {}};
		const [claim, port] = await Promise.all([ports.claim(wish), freePort()]);
		let isKept = false;
		return {
			port: claim.port,
			own: {port, token: randomBytes(24).toString('base64url')},
			keep(id) {
				isKept = true;
				claim.of(id);
			},
			[Symbol.dispose]() {
				if (!isKept) claim.release();
			},
		};
	};
	/** Its addresses now. The page of the service stands for what is not there: it says what is. */
	const addresses = (user: string, {id, name}: Pick<ServerRecord, 'id' | 'name'>) => {
		const live = pool.get(id);
		const pages = addressesOf(base(), user, name);
		const own = live && owns.get(id);
		const forward = !live ? pages.forward : live.running ? (live.running.forward ?? pages.forward) : PENDING;
		// Once it listens it tells where: another program may have taken the port in between.
		const address =
			live?.running?.address ??
			(own && {
				url: addressesOf(`http://127.0.0.1:${own.port}`, user, name).url,
				token: own.token,
				page: null,
			});
		// Beyond this machine nobody reaches the rest.
		if (!address || !isLoopback(base())) return {...pages, token: null, forward};
		const {url, token, page} = address;
		const editor = page === null ? pages.assistant_editor_url : `${url}${page}?token=${token}`;
		return {...pages, url: `${url}?token=${token}`, token, assistant_editor_url: editor, forward};
	};
	const add = (
		user: string,
		name: string,
		settings: Settings,
		started: boolean,
	): {id: string; root: string} => {
		const taken = registry.taken(user, checkServerName(name));
		if (taken !== undefined)
			throw new ServiceFault(
				409,
				`You already have a server ${taken}; choose another name, or start that one.`,
			);
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
		list: ({user}) =>
			registry.list(user).map(({id, name, environment, port, server_request}) => {
				const live = pool.get(id);
				const {url, token, assistant_editor_url, forward, thumb} = addresses(user, {id, name});
				const reason = live ? undefined : reasons.get(id)?.sentence;
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
				};
			}),
		compute: ({user}) => withRoom(catalogue.compute, roomFor(user)),
		add: (user, name, settings) => add(user, name, settings, false),
		async create({user}, {server_name, environment, port: wish, server_request}) {
			checkServerName(server_name);
			const option = quote(catalogue, {environment, port: wish, server_request});
			using place = await placeOf(wish);
			const {port} = place;
			const settings = {environment, port, server_request};
			if (registry.taken(user, server_name) === undefined) checkRoom(user);
			const {id, root} = add(user, server_name, settings, true);
			begin(id, place, {
				root,
				environment,
				server: {user, name: server_name, port},
				compute: shareOf(option),
				created: true,
			});
			const {url, assistant_editor_url} = addresses(user, {id, name: server_name});
			return {
				assistant_editor_url,
				environment,
				hourly_rate: option.hourly_price,
				port,
				port_forward_url: PENDING,
				server_name,
				server_request,
				status: 'success',
				url,
			};
		},
		async start({user}, name, {environment, port: wish, server_request}) {
			recordOf(user, name);
			const option = quote(catalogue, {environment, port: wish, server_request});
			using place = await placeOf(wish);
			const {port} = place;
			const record = recordOf(user, name);
			const live = pool.get(record.id);
			if (live)
				throw new ServiceFault(
					409,
					`The server ${name} is already ${live.running ? 'ready' : 'starting'}; use it as it is.`,
				);
			checkRoom(user);
			const root = rootOf(record.id);
			registry.started(record.id, {environment, port, server_request});
			begin(record.id, place, {
				root,
				environment,
				server: {user, name, port},
				compute: shareOf(option),
				created: false,
			});
			const {url, token, assistant_editor_url} = addresses(user, record);
			return {
				assistant_editor_url,
				environment,
				hourly_rate: option.hourly_price,
				message: `Server ${name} started.${port === wish ? '' : ` Its port is ${port}, since ${wish} is in use.`}`,
				port,
				port_forward_url: PENDING,
				server_name: name,
				server_request,
				status: 'success',
				token,
				url,
			};
		},
		portOf: ({user}, name) => recordOf(user, name).port,
		async run({user}, name, {code, kernel_name}, signal) {
			const {record, live, running} = readyOf(user, name);
			const endTurn = await live.queue.turn(signal).catch((error: unknown) => {
				if (error instanceof QueueFullError)
					throw new ServiceFault(
						429,
						`Too many runs wait on ${name}; wait for one to finish and send this again.`,
						{'retry-after': '1'},
					);
				throw error;
			});
			try {
				if (pool.get(record.id) !== live)
					throw new ServiceFault(
						409,
						`The server ${name} went offline while this run waited; start it again.`,
					);
				pool.ran(record.id);
				const {execution_count, outputs} = await running.run(code, {kernel: kernel_name, signal});
				const failed = lastErrorOf(outputs, code);
				if (failed && !signal.aborted) lastErrors.set(record.id, failed);
				return {cell_type: 'code', execution_count, metadata: {}, source: code, outputs: [...outputs]};
			} catch (error) {
				if (error instanceof UnknownKernelError) throw new ServiceFault(404, error.message);
				if (error instanceof UnreachableSessionError)
					throw new ServiceFault(
						503,
						`The server ${name} does not answer; look at its state again in a moment.`,
					);
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
