// Information about this process and its terminal, for the command `info`.
import type {About} from '../cli/info.ts';

/** Engine that a local service would choose if it started now. */
const engineNow = async (env: About['env']): Promise<About['engine']> => {
	const [{parseServe}, {findJupyter, JUPYTER_LIMITS}, {PYODIDE_LIMITS}] = await Promise.all([
		import('../cli/serve-options.ts'),
		import('../engines/jupyter/installation.ts'),
		import('../engines/pyodide/pyodide-engine.ts'),
	]);
	const jupyter = parseServe([], env).engine === 'pyodide' ? null : findJupyter(env);
	if (!jupyter) return {name: 'embedded', program: null, kernels: ['python3'], ungated: PYODIDE_LIMITS};
	return {
		name: 'jupyter',
		program: jupyter.executable,
		kernels: jupyter.kernels.map(({name}) => name),
		ungated: JUPYTER_LIMITS,
	};
};

export const about = async (version: string, env: About['env']): Promise<About> => {
	const [{loadKeys}, {readKeys}, {readUserCommands, fillOwnCommands, keysOfOwn}] = await Promise.all([
		import('./load-keys.ts'),
		import('../tui/core/keys/rebind.ts'),
		import('../tui/core/keys/user-commands.ts'),
	]);
	loadKeys();
	const {stdin, stdout} = process;
	return {
		version,
		node: process.versions.node,
		platform: `${process.platform} ${process.arch}`,
		env,
		terminal: {
			input: stdin.isTTY === true,
			output: stdout.isTTY === true,
			columns: stdout.isTTY ? stdout.columns : null,
			rows: stdout.isTTY ? stdout.rows : null,
			colours: stdout.isTTY ? 2 ** stdout.getColorDepth() : null,
		},
		pictures: async () => {
			if (!stdin.isTTY || !stdout.isTTY) return null;
			const [{probePicturesNow}, {readStartupSettings}] = await Promise.all([
				import('./probe-pictures.ts'),
				import('../settings/startup-settings.ts'),
			]);
			const depth = stdout.getColorDepth();
			return probePicturesNow({setting: readStartupSettings({}).pictures, depth, env});
		},
		problemsOfKeys(keys, commands) {
			const own = readUserCommands(commands);
			fillOwnCommands(own);
			return readKeys({...keysOfOwn(own), ...keys}).problems;
		},
		engine: await engineNow(env),
	};
};
