import {closeSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Engine} from '../engines/engine.ts';
import {folderFiles, sweepTemps} from '../engines/folder-files.ts';
import {takeInstanceLock} from '../settings/instance-lock.ts';
import {readInstance, removeInstance, serviceLogFile, writeInstance} from '../settings/instance.ts';
import {createApp, createRoutes} from './app.ts';
import {loadAssistantModels} from './assistant/models/assistant-models.ts';
import type {ModelLimits} from './assistant/models/model-request.ts';
import {bindingOf, type Binding, type BindingOptions} from './binding.ts';
import {CatalogueError, loadCatalogue, type Catalogue, type CatalogueOptions} from './catalogue/catalogue.ts';
import {openDataFolder} from './data-folder.ts';
import {chooseEngine, type EngineChoice} from './engine-choice.ts';
import {createEnginePool} from './engine-pool.ts';
import {createGuard} from './guard.ts';
import {createKeyring} from './keyring.ts';
import {createLeases, endlessLeases, type LeaseTimes} from './leases.ts';
import {authority, hostValues, listen} from './listen.ts';
import {createListener, listenerLimits, type ListenerLimits} from './listener.ts';
import {openLog} from './log.ts';
import {openRegistry, type Registry} from './registry.ts';
import {ServeError} from './serve-error.ts';
import {createServers, type OfflineReason} from './servers.ts';
import {startFault} from './start-fault.ts';
import {defaultUser, loadUserKeys} from './user-keys.ts';
import {addWelcomeServer} from './welcome.ts';

export type ServiceOptions = BindingOptions & {
	/** 0 for any free one. */
	readonly port: number;
	readonly dataFolder: string;
	readonly catalogueFile?: string | undefined;
	readonly keysFile?: string | undefined;
	/** Which models answer for the assistant's slots; without it the reference assistant answers for all. */
	readonly modelsFile?: string | undefined;
	/** The default user's key, kept nowhere; without it the key is in the data folder. */
	readonly apiKey?: string | undefined;
	/** The embedded one by default; `auto` is Jupyter Server where it is installed. */
	readonly engine?: EngineChoice | undefined;
	/** Lives only while somebody holds a lease. */
	readonly leased: boolean;
	/** Opens the engine at the first start of a server; by default the one that `engine` names. */
	readonly openEngine?: (() => Promise<Engine>) | undefined;
	/** Milliseconds without use after which a server goes offline: 30 minutes by default. */
	readonly idleAfter?: number | undefined;
	readonly leases?: LeaseTimes | undefined;
	readonly modelLimits?: ModelLimits | undefined;
	readonly limits?: Partial<ListenerLimits> | undefined;
};

export type Service = {
	/** Base URL, without a trailing slash. */
	readonly url: string;
	readonly port: number;
	/** Where the key is kept; null when it came from outside. */
	readonly keyFile: string | null;
	/** Ends the service and its engines, within 3 s. May be called more than once. */
	close(): Promise<void>;
	/** Resolves when the service has ended, by `close` or because nobody holds a lease. */
	readonly closed: Promise<void>;
};

const maxLive = 4;
const maxWaiting = 16;
const thirtyMinutes = 30 * 60_000;
/** Milliseconds left to sessions for their end: with the second after the last lease a leased service ends within 3 s. */
const sessionsMayTake = 1500;

const inUse = (dataFolder: string): ServeError => {
	const owner = readInstance(dataFolder);
	const who = owner ? `process ${owner.pid} on port ${owner.port}` : 'it is just starting or ending';
	return new ServeError(73, `Another service uses the data folder ${dataFolder}: ${who}. Use that one, or name another folder with --data.`);
};

const readCatalogue = async (options: CatalogueOptions): Promise<Catalogue> => {
	try {
		return await loadCatalogue(options);
	} catch (error) {
		throw error instanceof CatalogueError ? new ServeError(2, error.message) : error;
	}
};

const openPrivateRegistry = (dataFolder: string): Registry => {
	const file = join(dataFolder, 'registry.sqlite');
	// SQLite gives the files beside it the mode that it finds on this one.
	closeSync(openSync(file, 'a', 0o600));
	return openRegistry(file);
};

/**
 * Starts the local service and answers when it answers.
 * @throws {ServeError} when the folder, the port or a file cannot be used; nothing is left open then.
 */
export const startService = async (options: ServiceOptions): Promise<Service> => {
	const {dataFolder} = options;
	const binding = bindingOf(options);
	const resources = new DisposableStack();
	try {
		openDataFolder(dataFolder);
		const release = takeInstanceLock(dataFolder);
		if (!release) throw inUse(dataFolder);
		resources.defer(release);
		return await startOwned(options, binding, resources);
	} catch (error) {
		resources.dispose();
		throw startFault(error, dataFolder);
	}
};

/** The folder is ours alone from here on. */
const startOwned = async (options: ServiceOptions, {address, names, identity}: Binding, resources: DisposableStack): Promise<Service> => {
	const {dataFolder, leased, idleAfter = thirtyMinutes} = options;
	// What a killed service left behind would send its clients, and the key, to a port of somebody else.
	removeInstance(dataFolder);
	const engine = chooseEngine(options.engine ?? 'pyodide', dataFolder);
	const openEngine = options.openEngine ?? engine.open;
	const {keys, keyFrom, file} = loadUserKeys(options);
	const catalogue = await readCatalogue({engine: engine.name, file: options.catalogueFile, installed: engine.installed()});
	const models = loadAssistantModels(options.modelsFile);
	const log = resources.adopt(openLog(serviceLogFile(dataFolder)), opened => opened.close());
	const registry = resources.adopt(openPrivateRegistry(dataFolder), opened => opened.close());

	let url = '';
	let hosts: ReadonlySet<string> = new Set();
	let closing = false;
	const reasons = new Map<string, OfflineReason>();
	const pool = createEnginePool({
		openEngine, prepare: sweepTemps, idleAfter, maxLive, maxWaiting,
		onFailure: error => log.failure(error),
		onOffline(id, sentence, {failed}) {
			reasons.set(id, {sentence, failed});
			log.line(`server ${id} went offline: ${sentence}`);
		},
	});
	const servers = createServers({registry, catalogue, pool, folder: join(dataFolder, 'servers'), openFiles: folderFiles, base: () => url, reasons});
	if (keys.has(defaultUser)) addWelcomeServer(servers, registry);

	const ended = Promise.withResolvers<void>();
	const leases = resources.adopt(leased ? createLeases(() => void close(), options.leases) : endlessLeases, taken => taken.stop());
	const routes = createRoutes({servers, catalogue, models, modelLimits: options.modelLimits, leases, log});
	const judge = createGuard({routes, userOf: createKeyring(keys), hosts: () => hosts});
	const listener = createListener({judge, app: createApp(routes, log), log, closing: () => closing, identity, limits: {...listenerLimits, ...options.limits}});
	const port = await listen(listener, options.port, address);
	url = `${identity ? 'https' : 'http'}://${authority(names[0] ?? address, port)}`;
	hosts = hostValues(names, port, identity !== null);
	writeInstance(dataFolder, {pid: process.pid, port, url, startedAt: new Date().toISOString(), keyFrom, leased, engine: engine.name});
	log.line(`listening on port ${port}, process ${process.pid}, engine ${engine.name}`);

	const close = async (): Promise<void> => {
		if (closing) return ended.promise;
		closing = true;
		try {
			removeInstance(dataFolder);
		} catch (error) {
			// On a disk that became read-only the file stays; the lock tells that nobody owns it.
			log.failure(error);
		}
		await Promise.race([pool.close(), sleep(sessionsMayTake, undefined, {ref: false})]);
		listener.close();
		listener.closeAllConnections();
		log.line('ended');
		resources.dispose();
		ended.resolve();
	};
	return {url, port, keyFile: file, close, closed: ended.promise};
};
