import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Environment} from '../../contract/environments.ts';
import type {InstalledSoftware} from '../../engines/jupyter/installed.ts';
import {environmentsOf} from './environments.ts';
import {detectMachine} from './machine.ts';
import {readOffers} from './offers.ts';
import {hubDefault, ownOptions, type EngineName, type Offer, type UserOptions} from './own-options.ts';

/** Options for servers. `find` compares ids (`svc-<size>` or `compute_id`) exactly. */
export type Catalogue = {
	readonly compute: readonly ComputeOption[];
	readonly environments: readonly Environment[];
	find(serverRequest: string): ComputeOption | undefined;
	/** Options to send to a hub besides the server's settings. */
	userOptions(serverRequest: string, environment: string): UserOptions;
};

const CANNOT_RENT = 'Snapshot of real prices (April 2024); cannot be rented from this service.';

// The build makes this module part of a file in `dist`. The snapshot is in the same folder.
const snapshotFile = fileURLToPath(new URL('./offers.json', import.meta.url));

let snapshot: Promise<readonly Offer[]> | undefined;

/**
 * Reads the snapshot without validating it, which would take 13 ms and 3 MB. A test validates it
 * instead.
 */
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
	readonly file?: string | undefined;
	readonly installed?: InstalledSoftware | undefined;
};

/**
 * Loads the service's own options on this machine, followed by those of `file`. Without a file, a
 * snapshot of real offers follows, none of which are available.
 * @throws {ServeError} 2 if the file cannot be used.
 */
export const loadCatalogue = async ({engine, file, installed}: CatalogueOptions): Promise<Catalogue> => {
	const isHub = engine === 'jupyterhub';
	// Detecting GPUs starts a program, so it is skipped for the embedded engine, which cannot use
	// them. For a hub nothing is detected, because its servers run on other machines.
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
