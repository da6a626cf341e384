import {statSync} from 'node:fs';
import {listAliases} from '../../engines/ssh/hosts.ts';
import {homeFolder} from '../../machine/home.ts';
import type {HostSettings} from '../../settings/hosts.ts';
import {readSettings, settingsFile} from '../../settings/settings.ts';
import type {Log} from '../log.ts';
import type {ServerLinks} from '../server-links.ts';
import type {Servers} from '../servers.ts';
import {socketPaths} from './control-folder.ts';
import {createHosts} from './hosts.ts';
import {jobKey} from './job-key.ts';
import {createRemoteHosts, type RemoteHosts} from './admin.ts';
import {withRemote} from './servers.ts';
import {openRemoteStore} from './store.ts';

/**
 * Returns a function for the hosts in the settings file, which is read again when it changes. While
 * the file is invalid, the previous hosts are used.
 */
const hostSettings = (): (() => ReadonlyMap<string, HostSettings>) => {
	let mark = '';
	let hosts: ReadonlyMap<string, HostSettings> = new Map();
	return () => {
		const stats = statSync(settingsFile(), {throwIfNoEntry: false});
		const now = stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
		if (now === mark) return hosts;
		mark = now;
		try {
			hosts = readSettings().hosts;
		} catch {
			// Ignored, because the program that the user runs reports the error and its line.
		}
		return hosts;
	};
};

/**
 * Adds the servers on the user's hosts to those of the service.
 * @throws {ServeError} if the file that stores them is invalid.
 */
export const openRemote = (
	own: Servers,
	dataFolder: string,
	openLinks: () => Promise<ServerLinks>,
	log: Log,
): {
	readonly servers: Servers;
	readonly remote: RemoteHosts;
	launched(): Promise<void>;
	close(): Promise<void>;
} => {
	const store = openRemoteStore(dataFolder);
	const onFailure = (error: unknown): void => void log.failure(error);
	const listeners = new Set<() => void>();
	const onChange = (): void => {
		for (const notify of listeners) notify();
	};
	const hosts = createHosts({
		...{store, paths: socketPaths(dataFolder), key: jobKey(dataFolder)},
		...{settings: hostSettings(), onChange, onFailure},
	});
	const {servers, stop, openPort, checkName, close} = withRemote(own, {store, hosts, openLinks, onFailure});
	const subscribe = (notify: () => void): (() => void) => {
		listeners.add(notify);
		return () => void listeners.delete(notify);
	};
	const aliases = () => listAliases(homeFolder());
	const remote = createRemoteHosts({store, hosts, aliases, stop, openPort, checkName, subscribe});
	return {servers, remote, launched: hosts.launched, close};
};
