import {chmodSync, cpSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Environment} from '../../contract/environments.ts';
import {DEFAULT_PORT} from '../../contract/names.ts';
import type {Registry} from './registry.ts';
import type {LocalServers} from './servers.ts';
import {defaultUser} from '../user-keys.ts';

// The bundler copies the folder beside the built file.
const built = !import.meta.url.endsWith('.ts');
const welcomeFiles = fileURLToPath(new URL(built ? 'welcome' : './welcome', import.meta.url));

/** Gives a user without any server the first one, offline, with files to try things on. */
export const addWelcomeServer = (
	servers: LocalServers,
	registry: Registry,
	environments: readonly Environment[],
): void => {
	if (registry.list(defaultUser).length > 0) return;
	// An operator's catalogue may have others only.
	const environment =
		(environments.find(({environment_id: id}) => id === 'ai') ?? environments[0])?.environment_id ?? 'ai';
	const {root} = servers.add(defaultUser, 'welcome', {
		environment,
		port: DEFAULT_PORT,
		server_request: 'svc-medium',
	});
	cpSync(welcomeFiles, root, {recursive: true});
	// The copies have the modes of an installed package, which may be read-only or open to all.
	for (const entry of readdirSync(root, {recursive: true, withFileTypes: true})) {
		chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
	}
};
