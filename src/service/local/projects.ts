import {readdirSync, realpathSync} from 'node:fs';
import {basename, isAbsolute} from 'node:path';
import type {Environment} from '../../contract/environments.ts';
import {DEFAULT_PORT} from '../../contract/names.ts';
import type {ProjectAnswer, ProjectRequest} from '../../contract/project.ts';
import {grantedFolder} from '../../settings/folder-grant.ts';
import {diskReason} from '../../machine/disk-fault.ts';
import {containsPath, containsHome, realPathOf} from '../../machine/home.ts';
import {paths} from '../../machine/paths.ts';
import {ServiceFault} from '../http/fault.ts';
import type {Caller} from '../servers.ts';
import type {Registry} from './registry.ts';
import type {LocalServers} from './servers.ts';

/** Servers for the user's own folders, whose files are used in place. */
export type Projects = {
	/**
	 * Opens a folder as a server.
	 * @throws {ServiceFault} 400, 403 or 404 if the folder cannot be opened.
	 */
	open(caller: Caller, request: ProjectRequest): Pick<ProjectAnswer, 'folder' | 'engine' | 'server_name'>;
};

/**
 * Checks that a folder can be opened as a project. Returns its real path.
 * @throws {ServiceFault} 400 or 404 if it cannot.
 */
export const judgeProject = (given: string, ours: readonly string[]): string => {
	if (!isAbsolute(given)) throw new ServiceFault(400, 'The folder needs an absolute path.');
	const found = (): string => {
		try {
			const path = realpathSync(given);
			readdirSync(path);
			return path;
		} catch (error) {
			const why = diskReason(error, {elsewhere: 'name another folder', file: given}) ?? 'name another folder';
			throw new ServiceFault(404, `The folder ${JSON.stringify(given)} cannot be opened: ${why}.`);
		}
	};
	const folder = found();
	if (containsHome(folder))
		throw new ServiceFault(
			400,
			`${JSON.stringify(folder)} contains your home folder, so code could access everything you have. Open a project folder instead.`,
		);
	if (ours.map(realPathOf).some(own => containsPath(folder, own) || containsPath(own, folder)))
		throw new ServiceFault(
			400,
			`${JSON.stringify(folder)} contains svc-tui's own data, including keys. Open a project folder instead.`,
		);
	if (folder.includes('*'))
		throw new ServiceFault(400, 'A folder with * in its path cannot be sandboxed. Rename it first.');
	return folder;
};

const nameFor = (folder: string, isTaken: (name: string) => boolean): string => {
	const plain = basename(folder)
		.normalize('NFKD')
		.replaceAll(/[^A-Za-z0-9]+/g, '-')
		.slice(0, 50)
		.replaceAll(/^-+|-+$/g, '');
	const name = plain === '' ? 'project' : plain;
	for (let count = 1; ; count++) {
		const tried = count === 1 ? name : `${name}-${count}`;
		if (!isTaken(tried)) return tried;
	}
};

export const createProjects = ({
	dataFolder,
	engine,
	registry,
	servers,
	environments,
}: {
	readonly dataFolder: string;
	readonly engine: string;
	readonly registry: Registry;
	readonly servers: LocalServers;
	readonly environments: readonly Environment[];
}): Projects => ({
	open({user}, {grant, engine: agreed}) {
		const given = grantedFolder(dataFolder, grant);
		if (given === null)
			throw new ServiceFault(
				403,
				"A folder can be opened only by a program that can write to this service's data folder. Run svc-tui --here in the folder, as the user of the service.",
			);
		const {config, data, state, cache} = paths();
		const folder = judgeProject(given, [dataFolder, config, data, state, cache]);
		const known = registry.list(user).find(record => record.folder === folder);
		if (known?.folder_engine === engine) return {folder, engine, server_name: known.name};
		if (agreed !== engine) return {folder, engine, server_name: null};
		if (known) {
			registry.agreed(known.id, engine);
			return {folder, engine, server_name: known.name};
		}
		const environment =
			(environments.find(({environment_id: id}) => id === 'ai') ?? environments[0])?.environment_id ?? 'ai';
		const name = nameFor(folder, tried => registry.taken(user, tried) !== undefined);
		const settings = {environment, port: DEFAULT_PORT, server_request: 'svc-medium'};
		servers.addProject(user, name, settings, {folder, engine});
		return {folder, engine, server_name: name};
	},
});
