import {closeSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {folderFiles, sweepTemps} from '../engines/folder-files.ts';
import {maxWaiting, readCatalogue, type Backend, type BackendOptions, type Surroundings} from './backend.ts';
import {chooseEngine, type EngineChoice} from './engine-choice.ts';
import {createEnginePool} from './engine-pool.ts';
import {createKeyring} from './keyring.ts';
import {openRegistry, type Registry} from './registry.ts';
import {createServers, type OfflineReason} from './servers.ts';
import {defaultUser, loadUserKeys} from './user-keys.ts';
import {addWelcomeServer} from './welcome.ts';

const maxLive = 4;
const thirtyMinutes = 30 * 60_000;

const openPrivateRegistry = (dataFolder: string): Registry => {
	const file = join(dataFolder, 'registry.sqlite');
	// SQLite gives the files beside it the mode that it finds on this one.
	closeSync(openSync(file, 'a', 0o600));
	return openRegistry(file);
};

/** Servers of this machine. @throws {ServeError} when a file or the engine cannot be used. */
export const openOwnBackend = async (options: BackendOptions & {readonly engine: EngineChoice}, {log, base, resources}: Surroundings): Promise<Backend> => {
	const {dataFolder, idleAfter = thirtyMinutes} = options;
	const engine = chooseEngine(options.engine, dataFolder);
	const {keys, keyFrom, file} = loadUserKeys(options);
	const catalogue = await readCatalogue({engine: engine.name, file: options.catalogueFile, installed: engine.installed()});
	const registry = resources.adopt(openPrivateRegistry(dataFolder), opened => opened.close());
	const reasons = new Map<string, OfflineReason>();
	const pool = createEnginePool({
		openEngine: options.openEngine ?? engine.open, prepare: sweepTemps, idleAfter, maxLive, maxWaiting,
		onFailure: error => log.failure(error),
		onOffline(id, sentence, {failed}) {
			reasons.set(id, {sentence, failed});
			log.line(`server ${id} went offline: ${sentence}`);
		},
	});
	const servers = createServers({registry, catalogue, pool, folder: join(dataFolder, 'servers'), openFiles: folderFiles, base, reasons});
	if (keys.has(defaultUser)) addWelcomeServer(servers, registry);
	return {engine: engine.name, catalogue, servers, userOf: createKeyring(keys), keyFrom, keyFile: file, close: () => pool.close()};
};
