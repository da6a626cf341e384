import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import type {JupyterInstallation, KernelSpec} from './installation.ts';
import {findPythons, modulesIn, packageFolders, type Modules} from './pythons.ts';

export type InstalledSoftware = {
	/** Modules of the Python that the kernel `python3` uses. */
	readonly modules: Modules;
	/** Path of that Python. Null if the server's script does not name its Python. */
	readonly program: string | null;
	readonly kernels: readonly Omit<KernelSpec, 'program'>[];
	/** Other Python environments, such as those of conda. */
	readonly pythons: readonly {
		readonly environment_id: string;
		readonly name: string;
		readonly folder: string;
		readonly program: string;
		readonly modules: Modules;
	}[];
};

/** Python in the first line of a script. Null if there is none. */
export const pythonOf = (script: string): string | null => {
	try {
		return /^#!\s*(\/\S*\/python[\d.]*)\s*\n/.exec(readFileSync(script, 'utf8'))?.[1] ?? null;
	} catch {
		return null;
	}
};

/** Finds installed software by the names of files and folders, without starting Python. */
export const findInstalled = (
	{executable, kernels}: JupyterInstallation,
	environment: NodeJS.ProcessEnv,
): InstalledSoftware => {
	const program = kernels.find(({name}) => name === 'python3')?.program ?? '';
	// A kernel program without a path is the server's own Python.
	const python = program.startsWith('/') ? program : executable;
	const prefix = dirname(dirname(python));
	const home = environment['HOME'] ?? homedir();
	const folders = [prefix, ...(prefix === '/usr' ? ['/usr/local'] : []), join(home, '.local')].flatMap(
		packageFolders,
	);
	return {
		kernels,
		modules: modulesIn(folders),
		program: program.startsWith('/') ? program : pythonOf(executable),
		pythons: findPythons(environment).map(({id, name, folder, program: own, packages}) => ({
			environment_id: id,
			name,
			folder,
			program: own,
			modules: modulesIn(packages),
		})),
	};
};
