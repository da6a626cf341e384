import type {Listing} from '../../api/client-types.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {statePlain, stateRole} from './state.ts';
import {compareBytes} from '../../query/bytes.ts';
import {listFilter} from '../../query/text-filter.ts';
import type {COLUMNS} from '../../settings/columns.ts';
import type {ComputeState} from '../compute/catalogue.ts';
import {lastResult} from '../core/store/last-result.ts';
import type {ListsState, Sort} from '../core/store/lists.ts';
import type {CostsState} from './costs/costs.ts';
import {estimateOf} from './costs/rentals.ts';
import type {ServersState} from './servers.ts';

type Known = Pick<ServersState, 'servers' | 'lastServers' | 'rentals'> &
	Pick<ComputeState, 'compute'> &
	Partial<Pick<CostsState, 'spent'>>;

type SortKey = (typeof COLUMNS.servers)[number];

const VALUES: Readonly<
	Record<SortKey, (server: ServerItem, known: Omit<Known, 'lastServers'>) => string | number | undefined>
> = {
	name: ({name}) => name,
	state: ({status}) => status,
	environment: ({environment}) => environment,
	compute: ({server_request: request}) => request,
	rate: (server, known) => estimateOf(known, server, known.servers.at ?? 0).rate,
	estimate: (server, known) => estimateOf(known, server, known.servers.at ?? 0).estimate,
	port: ({port}) => port ?? undefined,
};

/** Servers that use an environment, by its id. */
export const usersByEnvironment = lastResult((servers: Listing<ServerItem> | undefined) => {
	const users = Map.groupBy(servers?.items ?? [], ({environment}) => environment);
	return new Map(
		[...users].map(([id, items]) => [
			id,
			items.map(({name, status}) => ({name, mark: statePlain(status).slice(0, 1), role: stateRole(status)})),
		]),
	);
});

const NONE: readonly ServerItem[] = [];
const passing = lastResult(
	listFilter<ServerItem>(({name, status, environment, server_request, port}) =>
		[name, status, environment, server_request, port].join('\n'),
	),
);

const inOrder = lastResult(
	(
		rows: readonly ServerItem[],
		sort: Sort | null,
		rentals: Known['rentals'],
		compute: Known['compute'],
		servers: Known['servers'],
		spent: Known['spent'],
	): readonly ServerItem[] => {
		if (sort === null || !Object.hasOwn(VALUES, sort.key)) return rows;
		const sign = sort.direction === 'ascending' ? 1 : -1;
		const valueOf = VALUES[sort.key as SortKey];
		const keyed = rows.map(row => ({
			row,
			value: valueOf(row, {rentals, compute, servers, spent: spent ?? null}),
		}));
		// Rows without a value come last in both directions; equal rows keep their order.
		return keyed
			.sort(({value: a}, {value: b}) => {
				if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
				return (
					sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compareBytes(String(a), String(b)))
				);
			})
			.map(({row}) => row);
	},
);

/** The servers that pass the filter of the list, in order. */
export const shownServers = (state: Known & Pick<ListsState, 'lists'>): readonly ServerItem[] =>
	inOrder(
		passing((state.servers.value ?? state.lastServers)?.items ?? NONE, state.lists.servers.filter.text),
		state.lists.servers.sort,
		state.rentals,
		state.compute,
		state.servers,
		state.spent,
	);
