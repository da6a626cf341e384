import {join} from 'node:path';
import type {Engine} from '../../engines/engine.ts';
import {findJupyter, type JupyterInstallation} from '../../engines/jupyter/installation.ts';
import {findInstalled, type InstalledSoftware} from '../../engines/jupyter/installed.ts';
import {serviceEnvironment, timeZone} from '../../settings/service-environment.ts';
import {makeFolder} from '../../machine/make-folder.ts';
import {paths} from '../../machine/paths.ts';
import {usageError} from '../serve-error.ts';

export type EngineChoice = 'auto' | 'pyodide' | 'jupyter';

export type ChosenEngine = {
	readonly name: Engine['name'];
	readonly open: () => Promise<Engine>;
	readonly installed: () => InstalledSoftware | undefined;
};

const keepSnapshot = (): {readonly snapshotFolder?: string} => {
	const {cache} = paths();
	try {
		makeFolder(cache);
		return {snapshotFolder: cache};
	} catch {
		return {};
	}
};

// Imported at the first start of a server, because an engine is the largest part of the service.
const pyodide: ChosenEngine = {
	name: 'pyodide',
	async open() {
		const {createPyodideEngine} = await import('../../engines/pyodide/pyodide-engine.ts');
		return createPyodideEngine({zone: timeZone(), ...keepSnapshot()});
	},
	installed: () => undefined,
};

const jupyter = (installation: JupyterInstallation, dataFolder: string): ChosenEngine => ({
	name: 'jupyter',
	async open() {
		const {createJupyterEngine} = await import('../../engines/jupyter/jupyter-engine.ts');
		return createJupyterEngine({
			installation,
			folder: join(dataFolder, 'jupyter'),
			environment: serviceEnvironment(),
		});
	},
	installed: () => findInstalled(installation, serviceEnvironment()),
});

/** @throws {ServeError} 2 if the requested engine is not on this machine. */
export const chooseEngine = (choice: EngineChoice, dataFolder: string): ChosenEngine => {
	if (choice === 'pyodide') return pyodide;
	const installation = findJupyter(serviceEnvironment());
	if (installation) return jupyter(installation, dataFolder);
	if (choice === 'auto') return pyodide;
	throw usageError(
		'Jupyter Server, or a kernel for it, is not on this machine: install jupyter-server and ipykernel so that the command jupyter-server is found, or use --engine embedded.',
	);
};
