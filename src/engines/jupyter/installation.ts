import {accessSync, constants, readFileSync, realpathSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import * as z from 'zod';
import {entriesIn} from './pythons.ts';

export type KernelSpec = {
	readonly name: string;
	readonly displayName: string;
	readonly language: string;
	readonly program: string;
};

export type JupyterInstallation = {readonly executable: string; readonly kernels: readonly KernelSpec[]};

const kernelFile = z.object({
	argv: z.array(z.string()),
	display_name: z.string(),
	language: z.string().catch(''),
});

const isExecutable = (file: string): boolean => {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
};

/** Text about the access that code has, for `info` and the environments. */
export const JUPYTER_LIMITS =
	"Code on Jupyter Server runs as you: it can read your files, start programs and use the network. A server's compute option limits its " +
	'CPUs and the memory of each of its processes.';

/** Path of the first program with this name on the PATH, or undefined. */
export const findProgram = (name: string, environment: NodeJS.ProcessEnv): string | undefined =>
	(environment['PATH'] ?? '')
		.split(delimiter)
		.filter(folder => folder.startsWith('/'))
		.map(folder => join(folder, name))
		.find(isExecutable);

/**
 * False if the kernel's program was uninstalled. A program without a path means the server's own
 * Python.
 */
const canRun = (program: string, environment: NodeJS.ProcessEnv): boolean =>
	program.startsWith('/')
		? isExecutable(program)
		: /^python[\d.]*$/.test(program) || findProgram(program, environment) !== undefined;

const readKernel = (folder: string, name: string, environment: NodeJS.ProcessEnv): readonly KernelSpec[] => {
	try {
		const {
			argv,
			display_name: displayName,
			language,
		} = kernelFile.parse(JSON.parse(readFileSync(join(folder, name, 'kernel.json'), 'utf8')));
		const program = argv[0] ?? '';
		return canRun(program, environment) ? [{name, displayName, language, program}] : [];
	} catch {
		return [];
	}
};

/** Jupyter's kernel folders, in order of precedence. */
const kernelFolders = (executable: string, environment: NodeJS.ProcessEnv): readonly string[] => {
	const home = environment['HOME'] ?? homedir();
	const own =
		environment['JUPYTER_DATA_DIR'] ??
		(process.platform === 'darwin'
			? join(home, 'Library/Jupyter')
			: join(environment['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'jupyter'));
	const prefix = dirname(dirname(executable));
	const roots = [
		...(environment['JUPYTER_PATH'] ?? '').split(delimiter),
		own,
		join(prefix, 'share/jupyter'),
		'/usr/local/share/jupyter',
		'/usr/share/jupyter',
	];
	return [...new Set(roots.filter(Boolean))].map(root => join(root, 'kernels'));
};

/**
 * Finds the installed Jupyter. Reads a dozen files and starts no program. Null if Jupyter Server is
 * missing or has no kernels.
 */
export const findJupyter = (environment: NodeJS.ProcessEnv): JupyterInstallation | null => {
	// Jupyter is not used on Windows, where its servers would outlive the service.
	const executable = process.platform === 'win32' ? undefined : findProgram('jupyter-server', environment);
	if (executable === undefined) return null;
	const kernels = new Map<string, KernelSpec>();
	for (const folder of kernelFolders(realpathSync(executable), environment)) {
		for (const name of entriesIn(folder))
			for (const kernel of kernels.has(name) ? [] : readKernel(folder, name, environment))
				kernels.set(name, kernel);
	}
	return kernels.size === 0 ? null : {executable, kernels: [...kernels.values()]};
};
