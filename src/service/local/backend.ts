import {closeSync, existsSync, openSync, readdirSync, chmodSync, cpSync} from 'node:fs';
import {join} from 'node:path';
import {syncFolder} from '../../machine/atomic-write.ts';
import {proxiesIn} from '../../settings/service-environment.ts';
import {openAttachedStore} from '../attached/store.ts';
import {openRemote} from '../remote/open.ts';
import {withAttached} from '../attached/servers.ts';
import {folderFiles, sweepTemps} from '../../engines/folder-files.ts';
import type {SessionOptions} from '../../engines/engine.ts';
import {isOfThisMachine} from './addresses.ts';
import {maxWaiting, type Backend, type BackendOptions, type BackendContext} from '../backend.ts';
import {loadCatalogue, type Catalogue} from '../catalogue/catalogue.ts';
import {chooseEngine, type EngineChoice} from './engine-choice.ts';
import {createEnginePool} from './engine-pool.ts';
import {openForward, type Forward} from '../forward/forward.ts';
import {withForwards} from '../forward/engine.ts';
import {withEmulatedServers} from '../jupyter-emulator/engine.ts';
import {createNotify} from '../limits/notify.ts';
import {createStopLimits, type StopLimits} from '../limits/stop-limits.ts';
import {createKeyring} from '../http/keyring.ts';
import {createRecentMemory, readMemory} from './memory.ts';
import type {Keeping} from './leases.ts';
import {createProjects} from './projects.ts';
import {openRegistry, type Registry} from './registry.ts';
import {memoryCapacity, processesOf, sessionCosts, type MemoryCapacity} from './memory-capacity.ts';
import {ServeError, usageError} from '../serve-error.ts';
import {createServers, type OfflineReason, type LocalServers} from './servers.ts';
import {defaultUser, loadUserKeys} from '../user-keys.ts';
import {clockTime, spanWords} from '../../text/clock.ts';
import {fileURLToPath} from 'node:url';
import type {Environment} from '../../contract/environments.ts';
import {DEFAULT_PORT, WELCOME} from '../../contract/names.ts';

// The build copies the folder `welcome` to the folder of the built file.
const built = !import.meta.url.endsWith('.ts');
const welcomeFiles = fileURLToPath(new URL(built ? 'welcome' : './welcome', import.meta.url));

/** Creates a first server with sample files for a user without servers. It is offline. */
const addWelcomeServer = (
	servers: LocalServers,
	registry: Registry,
	environments: readonly Environment[],
): void => {
	if (registry.list(defaultUser).length > 0) return;
	// The environment `ai` may be missing in an operator's catalogue.
	const environment =
		(environments.find(({environment_id: id}) => id === 'ai') ?? environments[0])?.environment_id ?? 'ai';
	const {root} = servers.add(defaultUser, WELCOME, {
		environment,
		port: DEFAULT_PORT,
		server_request: 'svc-medium',
	});
	cpSync(welcomeFiles, root, {recursive: true});
	// The copied files have the modes of the installed package, which may be read-only or
	// accessible to all users.
	for (const entry of readdirSync(root, {recursive: true, withFileTypes: true})) {
		chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
	}
};

const thirtyMinutes = 30 * 60_000;

const UNUSED =
	'Stopped when the last program closed (no code had run). Files are kept; start it again to continue.';
/**
 * Sentence about a server that was stopped at the end of its retention. The time is local to this
 * machine, as in the message on exit.
 */
const keptUntil = ({keep, until, wasUsed}: Parameters<Keeping['expire']>[0]): string =>
	`Its kernel was kept for ${spanWords(keep)} after the last ${wasUsed ? 'use, with no program open' : 'program closed'} (until ${clockTime(until)}) and has stopped. Variables are lost, files are kept; start it again to continue.`;

/**
 * Detects a registry that was emptied or lost: it is empty although server folders contain files.
 * Starting the service would detach these files from their server names. Empty folders are ignored,
 * because an interrupted creation leaves one.
 * @throws {ServeError} 77 if the registry was emptied.
 */
const checkNotEmptied = (registry: Registry, file: string, folder: string): void => {
	if (!registry.isEmpty()) return;
	const left = (existsSync(folder) ? readdirSync(folder, {withFileTypes: true}) : []).filter(
		entry => entry.isDirectory() && readdirSync(join(folder, entry.name)).length > 0,
	).length;
	if (left === 0) return;
	throw new ServeError(
		77,
		`The registry ${file} lists no servers, but ${folder} holds the files of ${left === 1 ? 'one' : left}: the registry was emptied or replaced. Restore it from a backup, or move ${folder} away to start without ${left === 1 ? 'it' : 'them'}.`,
	);
};

const openPrivateRegistry = (dataFolder: string): Registry => {
	const file = join(dataFolder, 'registry.sqlite');
	// Created with a private mode first, because SQLite gives its additional files the mode of this
	// one.
	closeSync(openSync(file, 'a', 0o600));
	syncFolder(dataFolder);
	return openRegistry(file);
};

/**
 * Opens the service that runs servers on this machine.
 * @throws {ServeError} if a file or the engine cannot be used.
 */
export const openLocalBackend = async (
	options: BackendOptions & {readonly engine: EngineChoice; readonly dataFolder: string},
	{log, event, base, isAway, forwards, attachable, isPersonal, resources}: BackendContext,
): Promise<Backend> => {
	const {dataFolder, idleAfter = thirtyMinutes} = options;
	const engine = chooseEngine(options.engine, dataFolder, options.keysFile !== undefined);
	const {keys, keyFrom, file} = loadUserKeys({...options, log: text => log.line(text)});
	const listed = await loadCatalogue({
		engine: engine.name,
		file: options.catalogueFile,
		installed: engine.installed(),
	});
	// An operator's catalogue lists all environments, so users cannot add any.
	const setup = options.catalogueFile === undefined ? engine.setup : null;
	const catalogue: Catalogue = {
		...listed,
		get environments() {
			return [...listed.environments, ...(setup?.list() ?? [])];
		},
	};
	const registry = resources.adopt(openPrivateRegistry(dataFolder), opened => opened.close());
	checkNotEmptied(registry, join(dataFolder, 'registry.sqlite'), join(dataFolder, 'servers'));
	const reasons = new Map<string, OfflineReason>();
	/** True if servers, and the programs that they run, can listen on this machine. */
	const listens = engine.name === 'jupyter';
	if (forwards && !listens)
		throw usageError(
			'--forward-host is for --engine jupyter: in the embedded engine nothing can listen on a port. Leave it out, or install jupyter-server and ipykernel.',
		);
	const openForwardTo = async (server: SessionOptions['server']): Promise<Forward | null> =>
		forwards?.open(server) ?? (isOfThisMachine(base()) ? openForward(server, log) : null);
	// Imported when the first server is started, because nothing needs the module earlier.
	const openEmulated: Parameters<typeof withEmulatedServers>[1] = async (
		kernels,
		{root, isProject, server, kernelRefusal},
	) => {
		const {openEmulatedServer} = await import('../jupyter-emulator/emulated-server.ts');
		return openEmulatedServer({...kernels, kernelRefusal, root, isProject, server, log});
	};
	const openEngine = options.openEngine ?? engine.open;
	const pool = createEnginePool({
		openEngine: async () =>
			listens
				? withForwards(await openEngine(), openForwardTo)
				: withEmulatedServers(await openEngine(), openEmulated),
		prepare: sweepTemps,
		idleAfter,
		// Not called before `limits` is assigned, because no server has started yet.
		hasOwnIdleStop: id => limits.hasIdleStop(id),
		onEnd: id => limits.ended(id),
		maxWaiting,
		onFailure: error => log.failure(error),
		onOffline(id, sentence, {failed}) {
			reasons.set(id, {sentence, failed});
			log.line(`server ${id} went offline: ${sentence}`);
			const record = registry.byId(id);
			event({event: 'server.offline', user: record?.owner, server: record?.name, failed});
		},
	});
	const {notify, ...stopSettings} = options.limits ?? {};
	const limits: StopLimits = resources.adopt(
		createStopLimits({
			pool,
			registry,
			settings: stopSettings,
			notify: createNotify(notify, text => log.line(text)),
			log,
			event,
			look: options.limitsLook,
		}),
		opened => opened.close(),
	);
	const memory = options.memory ?? readMemory;
	const recent = options.memory ?? createRecentMemory(readMemory);
	const room = (measure = memory): MemoryCapacity =>
		memoryCapacity(measure(), sessionCosts[engine.name], pool.all().flatMap(processesOf));
	const servers = createServers({
		registry,
		catalogue,
		setup,
		pool,
		room: () => room(),
		shownRoom: () => room(recent),
		users: user =>
			new Set([
				user,
				...keys.current().map(known => known.user),
				...(options.userHeader === undefined ? [] : registry.owners()),
			]).size,
		folder: join(dataFolder, 'servers'),
		openFiles: folderFiles,
		engine: engine.name,
		base,
		isAway,
		listens,
		reasons,
		limits,
	});
	if (keys.current().some(({user}) => user === defaultUser))
		addWelcomeServer(servers, registry, catalogue.environments);
	const openLinks = async () => {
		const {createServerLinks} = await import('../server-links.ts');
		return createServerLinks({maxWaiting, onFailure: error => log.failure(error)});
	};
	const attached = withAttached(servers, {
		store: openAttachedStore(dataFolder),
		attachable,
		openLinks,
		proxyEnv: proxiesIn(),
		onFailure: error => log.failure(error),
	});
	const hosts = isPersonal ? openRemote(attached.servers, dataFolder, openLinks, log) : null;
	return {
		engine: engine.name,
		catalogue,
		servers: hosts?.servers ?? attached.servers,
		setup: setup && {...setup, isShared: !isPersonal},
		attaching: attached.attaching,
		remote: hosts?.remote ?? null,
		launched: hosts?.launched ?? null,
		limits,
		projects: isPersonal
			? createProjects({
					dataFolder,
					engine: engine.name,
					registry,
					servers,
					environments: catalogue.environments,
				})
			: null,
		ownAddress(user, name) {
			const record = registry.find(user, name);
			return record && pool.get(record.id)?.running?.address;
		},
		userOf: createKeyring(keys),
		mcpOf: key => keys.current().find(each => each.key === key)?.mcp,
		keyFrom,
		keyFile: file,
		keyPage: () => null,
		signIn: null,
		runningServers: () => pool.all().length,
		keeping: {
			stateful: pool.stateful,
			begin: ids => pool.keep(ids, UNUSED),
			resume: pool.resume,
			usedSince: pool.usedSince,
			expire(end) {
				for (const {id} of pool.all()) registry.ended(id, keptUntil(end));
			},
			async namesOf(user) {
				const ids = new Set(await pool.stateful());
				return registry.list(user).flatMap(({id, name}) => (ids.has(id) ? [name] : []));
			},
		},
		async close() {
			// Closed first, because the pool waits for starts, which may be waiting for downloads.
			engine.setup?.close();
			await Promise.all([
				pool.close(),
				hosts?.close().catch((error: unknown) => log.failure(error)),
				attached.close().catch((error: unknown) => log.failure(error)),
			]);
		},
	};
};
