import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {basename, dirname, join} from 'node:path';

/** Python environment of conda, venv, pyenv or uv that can run a kernel. */
export type PythonEnvironment = {
	/** `conda-NAME`, `venv-NAME`, `pyenv-VERSION` or `uv-NAME`. */
	readonly id: string;
	readonly name: string;
	readonly folder: string;
	readonly program: string;
	/** Package folders. If several contain a module of the same name, the last folder wins. */
	readonly packages: readonly string[];
};

/** Import names in lower case, with the version of each. Null if the version is unknown. */
export type Modules = ReadonlyMap<string, string | null>;

/** Names of a folder's entries. Empty if the folder cannot be read. */
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

/** Package folders of the Python that is installed at a prefix. */
export const packageFolders = (prefix: string): readonly string[] => [
	...entriesIn(join(prefix, 'lib'))
		.filter(name => /^python3(\.\d+)?$/.test(name))
		.flatMap(name => ['site-packages', 'dist-packages'].map(kind => join(prefix, 'lib', name, kind))),
];

/** Package folders of a venv's base Python if the venv includes them, else empty. */
const systemPackages = (settings: readonly string[]): readonly string[] => {
	if (!settings.some(line => /^include-system-site-packages\s*=\s*true$/i.test(line))) return [];
	const [home = ''] = settings.flatMap(line => /^home\s*=\s*(\/.*)$/.exec(line)?.[1] ?? []);
	const prefix = dirname(home);
	return home === '' ? [] : [prefix, ...(prefix === '/usr' ? ['/usr/local'] : [])].flatMap(packageFolders);
};

/** Modules that can be imported, determined by the names of files and folders. */
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

const environmentAt = (folder: string, installer: 'pyenv' | 'uv' | null): readonly PythonEnvironment[] => {
	const kind = existsSync(join(folder, 'conda-meta'))
		? 'conda'
		: existsSync(join(folder, 'pyvenv.cfg'))
			? 'venv'
			: installer;
	const program = join(folder, 'bin/python');
	if (kind === null || !existsSync(program)) return [];
	// Versions in later folders override those in earlier folders, as in an import.
	const packages = [...systemPackages(lines(join(folder, 'pyvenv.cfg'))), ...packageFolders(folder)];
	// Needed to run a kernel with this Python.
	if (!packages.some(place => existsSync(join(place, 'ipykernel_launcher.py')))) return [];
	const plain = basename(folder);
	const name = plain.startsWith('.') ? basename(dirname(folder)) : plain;
	return [{id: `${kind}-${name}`.replaceAll(/[^\w.-]+/g, '_'), name, folder, program, packages}];
};

/**
 * Folders of the Pythons that pyenv and uv installed. Excludes shims, which are scripts that choose
 * a Python by the current folder.
 */
const installedFolders = (
	environment: NodeJS.ProcessEnv,
	home: string,
): readonly (readonly [folder: string, installer: 'pyenv' | 'uv'])[] => {
	const pyenv = join(environment['PYENV_ROOT'] ?? join(home, '.pyenv'), 'versions');
	const uv =
		environment['UV_PYTHON_INSTALL_DIR'] ??
		join(environment['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'uv/python');
	return [
		...entriesIn(pyenv).map(name => [join(pyenv, name), 'pyenv'] as const),
		...entriesIn(uv).map(name => [join(uv, name), 'uv'] as const),
	];
};

/**
 * Environments of conda and virtualenvwrapper, the active environments, and the Pythons of pyenv
 * and uv. If several have the same name, the first wins.
 */
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
	const all = [
		...[...new Set(folders)].map(folder => [folder, null] as const),
		...installedFolders(environment, home),
	];
	for (const [folder, installer] of all)
		for (const each of environmentAt(folder, installer)) if (!found.has(each.id)) found.set(each.id, each);
	return [...found.values()];
};
