import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {basename, dirname, join} from 'node:path';

/** A conda or venv environment whose Python can be a kernel. */
export type PythonEnvironment = {
	/** As `conda-NAME` or `venv-NAME`. */ readonly id: string;
	readonly name: string;
	readonly folder: string;
	readonly program: string;
	/** Where its packages lie; the last of a name wins. */ readonly packages: readonly string[];
};

/** Import names by folder, with the version where the folder names one. */
export type Modules = ReadonlyMap<string, string | null>;

/** Of a folder that cannot be read: none. */
export const entriesIn = (folder: string): readonly string[] => {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
};

const lines = (file: string): readonly string[] => {
	try {
		return readFileSync(file, 'utf8')
			.split('\n')
			.map(line => line.trim());
	} catch {
		return [];
	}
};

/** Where the packages of a Python lie that is installed below this prefix. */
export const packageFolders = (prefix: string): readonly string[] => [
	...entriesIn(join(prefix, 'lib'))
		.filter(name => /^python3(\.\d+)?$/.test(name))
		.flatMap(name => ['site-packages', 'dist-packages'].map(kind => join(prefix, 'lib', name, kind))),
];

/** Of the Python that a venv was made with, where it takes the packages of that one too. */
const systemPackages = (settings: readonly string[]): readonly string[] => {
	if (!settings.some(line => /^include-system-site-packages\s*=\s*true$/i.test(line))) return [];
	const [home = ''] = settings.flatMap(line => /^home\s*=\s*(\/.*)$/.exec(line)?.[1] ?? []);
	const prefix = dirname(home);
	return home === '' ? [] : [prefix, ...(prefix === '/usr' ? ['/usr/local'] : [])].flatMap(packageFolders);
};

/** What can be imported from these folders, by looking at names only. */
export const modulesIn = (folders: readonly string[]): Modules => {
	const modules = new Map<string, string | null>();
	for (const name of folders.flatMap(entriesIn)) {
		const [, distribution, version] = /^([\w.]+?)-(\d[^-]*)(?:-.*)?\.(?:dist|egg)-info$/.exec(name) ?? [];
		if (distribution !== undefined && version !== undefined) modules.set(distribution.toLowerCase(), version);
		else if (/^[A-Za-z_]\w*$/.test(name) && !modules.has(name.toLowerCase()))
			modules.set(name.toLowerCase(), null);
	}
	return modules;
};

const environmentAt = (folder: string): readonly PythonEnvironment[] => {
	const kind = existsSync(join(folder, 'conda-meta'))
		? 'conda'
		: existsSync(join(folder, 'pyvenv.cfg'))
			? 'venv'
			: null;
	const program = join(folder, 'bin/python');
	if (kind === null || !existsSync(program)) return [];
	// The last one's versions are the ones that are imported.
	const packages = [...systemPackages(lines(join(folder, 'pyvenv.cfg'))), ...packageFolders(folder)];
	// Without it no kernel can run there.
	if (!packages.some(place => existsSync(join(place, 'ipykernel_launcher.py')))) return [];
	const plain = basename(folder);
	const name = plain.startsWith('.') ? basename(dirname(folder)) : plain;
	return [{id: `${kind}-${name}`.replaceAll(/[^\w.-]+/g, '_'), name, folder, program, packages}];
};

/** The environments that conda and virtualenvwrapper know, and those that are active now; the first of a name wins. */
export const findPythons = (environment: NodeJS.ProcessEnv): readonly PythonEnvironment[] => {
	const home = environment['HOME'] ?? homedir();
	const wrapper = environment['WORKON_HOME'] ?? join(home, '.virtualenvs');
	const folders = [
		environment['VIRTUAL_ENV'] ?? '',
		environment['CONDA_PREFIX'] ?? '',
		...lines(join(home, '.conda/environments.txt')).filter(line => line.startsWith('/')),
		...entriesIn(wrapper).map(name => join(wrapper, name)),
	].filter(Boolean);
	const found = new Map<string, PythonEnvironment>();
	for (const folder of new Set(folders))
		for (const each of environmentAt(folder)) if (!found.has(each.id)) found.set(each.id, each);
	return [...found.values()];
};
