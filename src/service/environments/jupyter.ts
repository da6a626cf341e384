import {isAbsolute, join} from 'node:path';
import type {EnvironmentContents} from '../../contract/environment-setup.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import type {Builder, Recipe} from '../../engines/jupyter/environments/build.ts';
import {probePython} from '../../engines/jupyter/environments/probe.ts';
import {findProgram} from '../../engines/jupyter/installation.ts';
import type {InstalledSoftware} from '../../engines/jupyter/installed.ts';
import {modulesIn, packageFolders, type Modules} from '../../engines/jupyter/pythons.ts';
import {joinNames} from '../../text/join-names.ts';
import {ServiceFault} from '../http/fault.ts';
import {folderSize} from './folder-size.ts';
import type {EnvironmentSetup} from './setup.ts';
import type {EnvironmentStore, OwnEnvironment} from './store.ts';

export type JupyterEnvironments = EnvironmentSetup & {
	/**
	 * Python program of an environment that the user created, built first if needed. Null for other
	 * environments.
	 */
	buildPython(id: string, onProgress: (text: string) => void): Promise<string | null>;
};

export type JupyterEnvironmentOptions = {
	readonly store: EnvironmentStore;
	readonly builder: Builder;
	/** Finds the installed software again at each call, because `%pip` changes it. */
	readonly installed: () => InstalledSoftware;
	readonly environment: NodeJS.ProcessEnv;
};

/** Distributions among the modules: they have a version, whereas other modules have none. */
const distributions = (modules: Modules): {name: string; version: string}[] =>
	[...modules]
		.flatMap(([name, version]) => (version === null ? [] : [{name, version}]))
		.sort((one, other) => one.name.localeCompare(other.name));

/**
 * Validates a requirement. Rejects line breaks, and a leading "-", which pip would interpret as an
 * option.
 */
const checkRequirement = (text: string): string => {
	if (/^[A-Za-z0-9][^\n\r]*$/.test(text)) return text;
	throw new ServiceFault(
		400,
		`${JSON.stringify(text)} is not a requirement: write a package's name, or a name with versions such as "numpy>=2".`,
	);
};

/**
 * Environments of the Jupyter engine: Pythons of this machine, and environments built by the
 * service.
 */
export const createJupyterEnvironments = (options: JupyterEnvironmentOptions): JupyterEnvironments => {
	const {store, builder, installed, environment} = options;
	const versions = new Map<string, Promise<string | null>>();
	const ownOf = (id: string): OwnEnvironment | undefined => store.own().find(each => each.id === id);
	const basePython = (): string => installed().program ?? findProgram('python3', environment) ?? 'python3';
	const recipeOf = ({id, packages, python, system}: OwnEnvironment): Recipe => ({
		...{id, packages},
		python: python ?? basePython(),
		system: system ?? false,
	});
	/** Version of a Python. Starts each program only once, except after a failure. */
	const versionOf = async (program: string): Promise<string | null> => {
		const known = versions.get(program);
		if (known) return known;
		const asked = probePython(program, environment).then(found => found?.version ?? null);
		versions.set(program, asked);
		const version = await asked;
		if (version === null) versions.delete(program);
		return version;
	};

	const ownContents = async (own: OwnEnvironment): Promise<EnvironmentContents> => {
		const {id, packages} = own;
		const {python, system} = recipeOf(own);
		const folder = builder.folderOf(id);
		const version = builder.builtVersion(id);
		const base = `${python}${system ? ' and its packages' : ''}`;
		return {
			environment_id: id,
			source:
				version === null
					? `Built from ${joinNames(packages)} with ${builder.tool()}, on ${base}`
					: `Built in ${folder}, on ${base}`,
			python: version ?? (await versionOf(python)),
			packages:
				version === null
					? packages.map(name => ({name, version: null}))
					: distributions(modulesIn(packageFolders(folder))),
			size: version === null ? 0 : await folderSize(folder),
			state: version === null ? 'build' : 'ready',
			download: null,
			installs:
				'In a cell, %pip install NAME changes this environment, for every server that uses it and for later starts.',
			own: true,
		};
	};
	const foundContents = async (id: string, software: InstalledSoftware): Promise<EnvironmentContents> => {
		const found = software.pythons.find(each => each.environment_id === id);
		const program = found?.program ?? basePython();
		return {
			environment_id: id,
			source: found ? `The Python in ${found.folder}` : `The Python of this machine, ${program}`,
			python: await versionOf(program),
			packages: distributions(found?.modules ?? software.modules),
			size: null,
			state: 'ready',
			download: null,
			installs: `In a cell, %pip install NAME changes ${found ? `the environment in ${found.folder}` : `this Python itself, if the machine permits it`}, also outside of this program.`,
			own: false,
		};
	};
	const contentsOf = async (
		id: string,
		software: InstalledSoftware = installed(),
	): Promise<EnvironmentContents> => {
		const own = ownOf(id);
		return own ? ownContents(own) : foundContents(id, software);
	};

	return {
		list: () =>
			store
				.own()
				.map(({id, packages}) => ({
					environment_id: id,
					name: id,
					kernels: [...new Set([DEFAULT_KERNEL, ...installed().kernels.map(({name}) => name)])],
					description: `An environment of your own as the kernel python3, with ${joinNames(packages)}. The first start builds it on this machine.`,
				})),
		refusal: () => null,
		async contents(ids) {
			const software = installed();
			return Promise.all(ids.map(id => contentsOf(id, software)));
		},
		plan: id => contentsOf(id),
		// A build needs no confirmation, because the user named the packages when creating the
		// environment.
		allow: () => undefined,
		async create({environment_id: id, packages, python, system}) {
			if (packages.length === 0)
				throw new ServiceFault(400, 'Name at least one package for the environment.');
			for (const each of packages) checkRequirement(each);
			if (python !== undefined) {
				const others = installed().pythons.map(each => each.program);
				const known = others.length === 0 ? '' : ` Found here: ${others.join(', ')}.`;
				if (!isAbsolute(python))
					throw new ServiceFault(400, `Give the whole path of a Python, such as ${basePython()}.${known}`);
				if ((await versionOf(python)) === null)
					throw new ServiceFault(400, `${python} does not run as Python 3.${known}`);
			}
			store.add({
				...{id, packages: [...packages]},
				...(python !== undefined && {python}),
				...(system !== undefined && {system}),
			});
		},
		async remove(id) {
			store.remove(id);
			await builder.remove(id);
		},
		close: () => builder.close(),
		async buildPython(id, onProgress) {
			const own = ownOf(id);
			return own ? builder.ensure(recipeOf(own), onProgress) : null;
		},
	};
};

/** Folder that contains the environments built by a service. */
export const builtFolder = (dataFolder: string): string => join(dataFolder, 'environments');
