import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Environment} from '../../contract/environments.ts';
import {environmentsOf, type Installed} from './environments.ts';
import {detectMachine} from './machine.ts';
import {readOffers} from './offers.ts';
import {ownOptions, type EngineName, type Offer} from './own-options.ts';

export {CatalogueError} from './offers.ts';

/** What a server can request. `find` knows an option by its id (`svc-<size>` or `compute_id`), byte for byte. */
export type Catalogue = {
	readonly compute: readonly ComputeOption[];
	readonly environments: readonly Environment[];
	find(serverRequest: string): ComputeOption | undefined;
};

const CANNOT_RENT = 'A snapshot of a real market (April 2024): it cannot be rented from this service.';

// In the build this module is part of a file in `dist`, and the snapshot is copied beside it.
const marketFile = fileURLToPath(new URL('./market.json', import.meta.url));

let market: Promise<readonly Offer[]> | undefined;

/** The snapshot is ours and a test checks it: the start of the service does not, which would take 13 ms and 3 MB. */
const readMarket = async (): Promise<readonly Offer[]> => {
	const {compute} = JSON.parse(await readFile(marketFile, 'utf8')) as {readonly compute: readonly (ComputeOption & {readonly compute_id: string})[]};
	return compute.map(option => ({
		id: option.compute_id,
		option: {...option, availability: option.availability.map(region => ({...region, available: false})), note: CANNOT_RENT},
	}));
};

export type CatalogueOptions = {
	readonly engine: EngineName;
	/** Of the operator. */
	readonly file?: string | undefined;
	readonly installed?: Installed | undefined;
};

/**
 * The compute options and environments of the local service: its own options as the engine can give them here, then the options of
 * `file` as its operator wrote them, or else a snapshot of a real market of which nothing is available.
 * @throws {CatalogueError} for a file that cannot be used.
 */
export const loadCatalogue = async ({engine, file, installed}: CatalogueOptions): Promise<Catalogue> => {
	// Only a Jupyter kernel can use a GPU, and looking for one starts a program.
	const own = ownOptions(engine, await detectMachine({gpus: engine !== 'pyodide'}));
	const taken = new Set(own.map(({id}) => id));
	const offers = [...own, ...(file === undefined ? await (market ??= readMarket()) : await readOffers(file, taken))];
	const byId = new Map(offers.map(({id, option}) => [id, option]));
	return {
		compute: offers.map(({option}) => option),
		environments: environmentsOf(engine, installed),
		find: serverRequest => byId.get(serverRequest),
	};
};
