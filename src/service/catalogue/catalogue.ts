import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Environment} from '../../contract/environments.ts';
import type {InstalledSoftware} from '../../engines/jupyter/installed.ts';
import {environmentsOf} from './environments.ts';
import {detectMachine} from './machine.ts';
import {readOffers} from './offers.ts';
import {hubDefault, ownOptions, type EngineName, type Offer, type UserOptions} from './own-options.ts';

/** What a server can request. `find` knows an option by its id (`svc-<size>` or `compute_id`), byte for byte. */
export type Catalogue = {
	readonly compute: readonly ComputeOption[];
	readonly environments: readonly Environment[];
	find(serverRequest: string): ComputeOption | undefined;
	/** What a hub gets for these beside the settings themselves. */
	userOptions(serverRequest: string, environment: string): UserOptions;
};

const CANNOT_RENT = 'A snapshot of real offers (April 2024): it cannot be rented from this service.';

// In the build this module is part of a file in `dist`, and the snapshot is copied beside it.
const snapshotFile = fileURLToPath(new URL('./offers.json', import.meta.url));

let snapshot: Promise<readonly Offer[]> | undefined;

/** The snapshot is ours and a test checks it: the start of the service does not, which would take 13 ms and 3 MB. */
const readSnapshot = async (): Promise<readonly Offer[]> => {
	const {compute} = JSON.parse(await readFile(snapshotFile, 'utf8')) as {
		readonly compute: readonly (ComputeOption & {readonly compute_id: string})[];
	};
	return compute.map(option => ({
		id: option.compute_id,
		option: {
			...option,
			availability: option.availability.map(region => ({...region, available: false})),
			note: CANNOT_RENT,
		},
	}));
};

export type CatalogueOptions = {
	readonly engine: EngineName;
	/** Of the operator. */
	readonly file?: string | undefined;
	readonly installed?: InstalledSoftware | undefined;
};

/**
 * The compute options and environments of the local service: its own options as the engine can give them here, then the options of
 * `file` as its operator wrote them, or else a snapshot of real offers of which none is available.
 * @throws {ServeError} 2 for a file that cannot be used.
 */
export const loadCatalogue = async ({engine, file, installed}: CatalogueOptions): Promise<Catalogue> => {
	const isHub = engine === 'jupyterhub';
	// Only a Jupyter kernel can use a GPU, and looking for one starts a program. This machine knows nothing of a hub's.
	const own = isHub ? [] : ownOptions(engine, await detectMachine({gpus: engine !== 'pyodide'}));
	const written = file === undefined ? null : await readOffers(file, new Set(own.map(({id}) => id)));
	const offers = [
		...own,
		...(written?.offers ?? (isHub ? [hubDefault] : await (snapshot ??= readSnapshot()))),
	];
	const byId = new Map(offers.map(offer => [offer.id, offer]));
	const environments =
		written?.environments ??
		environmentsOf(engine, installed).map(environment => ({environment, userOptions: undefined}));
	return {
		compute: offers.map(({option}) => option),
		environments: environments.map(({environment}) => environment),
		find: serverRequest => byId.get(serverRequest)?.option,
		userOptions: (serverRequest, wanted) => ({
			...environments.find(({environment}) => environment.environment_id === wanted)?.userOptions,
			...byId.get(serverRequest)?.userOptions,
		}),
	};
};
