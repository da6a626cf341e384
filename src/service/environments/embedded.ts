import type {EnvironmentContents} from '../../contract/environment-setup.ts';
import type {Environment} from '../../contract/environments.ts';
import {DATA_ENVIRONMENT, DEFAULT_KERNEL} from '../../contract/names.ts';
import {StartError} from '../../engines/engine.ts';
import type {LockedFile} from '../../engines/pyodide/packages/lock.ts';
import type {PackageStore} from '../../engines/pyodide/packages/store.ts';
import {joinNames} from '../../text/join-names.ts';
import {ServiceFault} from '../http/fault.ts';
import type {EnvironmentSetup} from './setup.ts';
import type {EnvironmentStore} from './store.ts';

const {id: DATA, name: DATA_NAME} = DATA_ENVIRONMENT;
/** Packages of the data environment. Packages that are missing in the lock file are omitted. */
const DATA_PACKAGES = ['numpy', 'pandas', 'matplotlib', 'scipy', 'scikit-learn', 'pyarrow'];

/** Converts a StartError to a fault. @throws {ServiceFault} 400 with the reason as a sentence. */
const asFault = <T>(work: () => T): T => {
	try {
		return work();
	} catch (error) {
		if (error instanceof StartError) throw new ServiceFault(400, error.message);
		throw error;
	}
};

const INSTALLS =
	'In a cell, %pip install NAME adds a package of Pyodide or a pure wheel of a package index to this server until it stops.';

export type EmbeddedEnvironments = EnvironmentSetup & {
	/** Names of the packages in an environment. */
	namesOf(id: string): readonly string[];
};

/** Environments of the embedded engine, whose packages come from Pyodide's distribution. */
export const createEmbeddedEnvironments = (
	store: EnvironmentStore,
	packages: PackageStore,
	version: string,
): EmbeddedEnvironments => {
	const namesOf = (id: string): readonly string[] =>
		id === DATA
			? DATA_PACKAGES.filter(name => packages.lock().has(name))
			: (store.own().find(each => each.id === id)?.packages ?? []);
	const filesOf = (id: string): readonly LockedFile[] => packages.lock().filesOf(namesOf(id));
	const contentsOf = (id: string, bytes: number | null = null): EnvironmentContents => {
		const files = filesOf(id);
		const missing = packages.missing(files);
		return {
			environment_id: id,
			source: `Pyodide ${version}, embedded in this program`,
			python: packages.lock().python,
			packages: files.map(({name, version: installed}) => ({name, version: installed})),
			size: packages.sizeHere(files),
			state: missing.length === 0 ? 'ready' : 'download',
			download:
				missing.length === 0
					? null
					: {from: packages.source.host, files: missing.length, bytes, allowed: store.isAllowed(id)},
			installs: INSTALLS,
			own: store.own().some(each => each.id === id),
		};
	};
	const described = (id: string, name: string, names: readonly string[]): Environment => ({
		environment_id: id,
		name,
		kernels: [DEFAULT_KERNEL],
		description: `Python with ${joinNames(names)}, from Pyodide's distribution. The first start downloads them to this machine, after you have agreed.`,
	});
	return {
		namesOf,
		list: () => [
			described(DATA, DATA_NAME, DATA_PACKAGES),
			...store.own().map(({id, packages: names}) => described(id, id, names)),
		],
		refusal(id) {
			if (store.isAllowed(id) || namesOf(id).length === 0) return null;
			const files = asFault(() => filesOf(id));
			const {length} = packages.missing(files);
			return length === 0
				? null
				: `The environment ${id} needs ${length === 1 ? 'a file' : `${length} files`} from ${packages.source.host} that ${length === 1 ? 'is' : 'are'} not on this machine. Nothing is downloaded before you agree: svc-tui env allow ${id}`;
		},
		contents: ids => asFault(() => ids.map(id => contentsOf(id))),
		async plan(id) {
			const missing = packages.missing(asFault(() => filesOf(id)));
			return contentsOf(id, await packages.sizeThere(missing));
		},
		allow: id => store.allow(id),
		create({environment_id: id, packages: names, python, system}) {
			if (python !== undefined || system !== undefined)
				throw new ServiceFault(
					400,
					'The embedded engine has one Python. Leave the Python out, or use the Jupyter engine.',
				);
			if (names.length === 0) throw new ServiceFault(400, 'Name at least one package for the environment.');
			asFault(() => packages.lock().filesOf(names));
			if (id === DATA) throw new ServiceFault(409, `The environment ${id} already exists.`);
			store.add({id, packages: [...names]});
		},
		remove: async id => store.remove(id),
		close: () => packages.close(),
	};
};
