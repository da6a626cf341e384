import {join} from 'node:path';
import type {Engine} from '../../engines/engine.ts';
import {findJupyter, type JupyterInstallation} from '../../engines/jupyter/installation.ts';
import {createBuilder} from '../../engines/jupyter/environments/build.ts';
import {findInstalled, type InstalledSoftware} from '../../engines/jupyter/installed.ts';
import {LOCK_FILE, pyodideVersion} from '../../engines/pyodide/installation.ts';
import type {PackageIndex} from '../../engines/pyodide/packages/resolve.ts';
import {createPackageStore} from '../../engines/pyodide/packages/store.ts';
import {createEmbeddedEnvironments} from '../environments/embedded.ts';
import {builtFolder, createJupyterEnvironments} from '../environments/jupyter.ts';
import type {EnvironmentSetup} from '../environments/setup.ts';
import {openEnvironmentStore} from '../environments/store.ts';
import {
	buildEnvironment,
	proxiesIn,
	serviceEnvironment,
	timeZone,
} from '../../settings/service-environment.ts';
import {makeFolder} from '../../machine/make-folder.ts';
import {paths} from '../../machine/paths.ts';
import {usageError} from '../serve-error.ts';

export type EngineChoice = 'auto' | 'pyodide' | 'jupyter';

export type ChosenEngine = {
	readonly name: Engine['name'];
	readonly open: () => Promise<Engine>;
	readonly installed: () => InstalledSoftware | undefined;
	readonly setup: EnvironmentSetup | null;
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

/** Parses SVC_PYODIDE_URL. @throws {ServeError} 2 if the text is not an HTTP URL. */
const mirrorOf = (text: string): URL => {
	const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
	if (url && /^https?:$/.test(url.protocol)) return url;
	throw usageError(`SVC_PYODIDE_URL is not an address such as https://mirror.example.com/pyodide/full/.`);
};

/**
 * Package index according to pip's environment variables.
 * @throws {ServeError} 2 if its URL is invalid.
 */
const indexOf = ({
	PIP_INDEX_URL: index,
	PIP_NO_INDEX: none,
}: ReturnType<typeof serviceEnvironment>): PackageIndex => {
	const proxyEnv = proxiesIn();
	if (none !== undefined && !/^(?:|0|false|no|off)$/i.test(none)) return {url: null, proxyEnv};
	const text = index ?? 'https://pypi.org/simple/';
	const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
	if (url && /^https?:$/.test(url.protocol)) return {url, proxyEnv};
	throw usageError('PIP_INDEX_URL is not an address such as https://packages.example.com/simple/.');
};

// The engine is imported when the first server is started, because it is the largest part of the
// service.
const pyodide = (dataFolder: string, isShared: boolean): ChosenEngine => {
	const version = pyodideVersion();
	const environment = serviceEnvironment();
	const {SVC_PYODIDE_URL: mirror, SVC_PYODIDE_LOCK: lockFile} = environment;
	const index = indexOf(environment);
	const store = createPackageStore({
		folder: join(dataFolder, 'pyodide', version),
		lockFile: lockFile ?? LOCK_FILE,
		source: mirrorOf(mirror ?? `https://cdn.jsdelivr.net/pyodide/v${version}/full/`),
		proxyEnv: proxiesIn(),
	});
	const setup = createEmbeddedEnvironments(openEnvironmentStore(dataFolder, 'pyodide'), store, version);
	return {
		name: 'pyodide',
		async open() {
			const {createPyodideEngine} = await import('../../engines/pyodide/pyodide-engine.ts');
			const packages = {store, index, namesOf: setup.namesOf};
			return createPyodideEngine({zone: timeZone(), packages, isShared, ...keepSnapshot()});
		},
		installed: () => undefined,
		setup,
	};
};

const jupyter = (installation: JupyterInstallation, dataFolder: string, isShared: boolean): ChosenEngine => {
	const installed = (): InstalledSoftware => findInstalled(installation, serviceEnvironment());
	const builder = createBuilder({folder: builtFolder(dataFolder), environment: buildEnvironment()});
	const setup = createJupyterEnvironments({
		store: openEnvironmentStore(dataFolder, 'jupyter'),
		builder,
		installed,
		environment: buildEnvironment(),
	});
	return {
		name: 'jupyter',
		async open() {
			const {createJupyterEngine} = await import('../../engines/jupyter/jupyter-engine.ts');
			return createJupyterEngine({
				installation,
				folder: join(dataFolder, 'jupyter'),
				environment: serviceEnvironment(),
				isShared,
				buildPython: setup.buildPython,
			});
		},
		installed,
		setup,
	};
};

/**
 * Selects the engine. `isShared`: true if the service has several users.
 * @throws {ServeError} 2 if the requested engine is not installed.
 */
export const chooseEngine = (choice: EngineChoice, dataFolder: string, isShared: boolean): ChosenEngine => {
	if (choice === 'pyodide') return pyodide(dataFolder, isShared);
	const installation = findJupyter(serviceEnvironment());
	if (installation) return jupyter(installation, dataFolder, isShared);
	if (choice === 'auto') return pyodide(dataFolder, isShared);
	throw usageError(
		'Jupyter Server, or a kernel for it, is not on this machine: install jupyter-server and ipykernel so that the command jupyter-server is found, or use --engine embedded.',
	);
};
