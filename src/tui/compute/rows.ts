import type {Listing} from '../../api/client-types.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {searchKeysOf} from '../../query/search-keys.ts';
import {filterWithGains, type ComputeFilter, type FilterResult} from '../../query/filter.ts';
import {groupCompute, type Group, type Grouping} from '../../query/group.ts';
import {computeIdOf} from '../../query/option.ts';
import {ownHostsFirst} from '../../query/own-hosts.ts';
import {regionSet, regionsMatching} from '../../query/geo-areas.ts';
import {sortCompute, type ComputeSortKey, type Direction} from '../../query/sort.ts';
import {caseVariants} from '../../query/values.ts';
import {lastResult} from '../core/store/last-result.ts';
import type {ListView} from '../core/store/lists.ts';
import type {Remote} from '../core/store/remote.ts';

/** Row of an option. `id` is unique in the list; `offer` repeats in lists grouped by region. */
export type OfferRow = {
	readonly kind: 'offer';
	readonly id: string;
	readonly offer: string;
	readonly option: ComputeOption;
};
export type GroupRow = {
	readonly kind: 'group';
	readonly id: string;
	readonly group: Group<ComputeOption>;
	readonly unfolded: boolean;
};
export type ComputeRow = OfferRow | GroupRow;

export type ComputeListState = {
	readonly compute: Remote<Listing<ComputeOption>>;
	readonly computeFilter: ComputeFilter;
	readonly computeGrouping: Grouping | null;
	readonly unfolded: ReadonlySet<string>;
	readonly lists: {readonly compute: Pick<ListView, 'sort'>};
};

const NOTHING: readonly ComputeOption[] = [];

export type CatalogueIndex = {
	/** Options by a unique id. */
	readonly byId: ReadonlyMap<string, ComputeOption>;
	readonly rowOf: ReadonlyMap<ComputeOption, OfferRow>;
	/** Rows of all options, regardless of the filter: they determine column widths. */
	readonly all: readonly OfferRow[];
};

/** Index of the catalogue by id. If an id repeats, later options get a number added to it. */
export const indexOf = lastResult((items: readonly ComputeOption[]): CatalogueIndex => {
	const byId = new Map<string, ComputeOption>();
	const rowOf = new Map<ComputeOption, OfferRow>();
	const seen = new Map<string, number>();
	for (const option of items) {
		const {id} = computeIdOf(option);
		const count = (seen.get(id) ?? 0) + 1;
		seen.set(id, count);
		const offer = count === 1 ? id : `${id}\n${count}`;
		byId.set(offer, option);
		rowOf.set(option, {kind: 'offer', id: offer, offer, option});
	}
	return {byId, rowOf, all: [...rowOf.values()]};
});

export const catalogueIndex = ({compute}: Pick<ComputeListState, 'compute'>): CatalogueIndex =>
	indexOf(compute.value?.items ?? NOTHING);

/** Sort order of the catalogue. Default: the user's own hosts, then by price. */
export const sortOf = ({
	lists,
}: Pick<ComputeListState, 'lists'>): {readonly key: ComputeSortKey; readonly direction: Direction} =>
	(lists.compute.sort as {readonly key: ComputeSortKey; readonly direction: Direction} | null) ?? {
		key: 'price',
		direction: 'ascending',
	};

// Sorted once per catalogue, before filtering, so that a letter typed in the query costs one pass.
const sorted = lastResult(
	(items: readonly ComputeOption[], key: ComputeSortKey, direction: Direction, isChosen: boolean) => {
		const inOrder = sortCompute(items, key, direction);
		return isChosen ? inOrder : ownHostsFirst(inOrder);
	},
);
const narrowed = lastResult((items: readonly ComputeOption[], filter: ComputeFilter) =>
	filterWithGains(items, filter),
);

/** Options that match the filter, sorted: the same rows as `svc-tui compute`. */
export const narrowedCompute = (
	state: Omit<ComputeListState, 'computeGrouping' | 'unfolded'>,
): FilterResult<ComputeOption> => {
	const {key, direction} = sortOf(state);
	const isChosen = state.lists.compute.sort !== null;
	return narrowed(
		sorted(state.compute.value?.items ?? NOTHING, key, direction, isChosen),
		state.computeFilter,
	);
};

const meant = lastResult(regionsMatching);

/** Regions that match the filter; empty means all. */
export const regionsAsked = ({
	compute,
	computeFilter,
}: Pick<ComputeListState, 'compute' | 'computeFilter'>): ReadonlySet<string> =>
	meant(compute.value?.items ?? NOTHING, computeFilter.regions);

const grouped = lastResult(groupCompute<ComputeOption>);

const rows = lastResult(
	(
		options: readonly ComputeOption[],
		index: CatalogueIndex,
		groups: readonly Group<ComputeOption>[] | null,
		unfolded: ReadonlySet<string>,
	): readonly ComputeRow[] => {
		const rowsOf = (each: readonly ComputeOption[]): readonly OfferRow[] => {
			const found: OfferRow[] = [];
			for (const option of each) {
				const row = index.rowOf.get(option);
				if (row) found.push(row);
			}
			return found;
		};
		if (groups === null) return rowsOf(options);
		return groups.flatMap((group): ComputeRow[] => {
			const isUnfolded = unfolded.has(group.name);
			const head: GroupRow = {kind: 'group', id: `group\n${group.name}`, group, unfolded: isUnfolded};
			return isUnfolded
				? [head, ...rowsOf(group.options).map(row => ({...row, id: `${row.id}\nin ${group.name}`}))]
				: [head];
		});
	},
);

export const computeRows = (state: ComputeListState): readonly ComputeRow[] => {
	const {rows: options} = narrowedCompute(state);
	const {computeGrouping: by, computeFilter, unfolded} = state;
	return rows(
		options,
		catalogueIndex(state),
		by === null ? null : grouped(options, by, regionsAsked(state), computeFilter.available),
		unfolded,
	);
};

/** Statistics of a catalogue, computed once. */
export type CatalogueStats = {
	/** Options by GPU model, null for options without a GPU. */
	readonly alike: ReadonlyMap<string | null, readonly ComputeOption[]>;
	/** Regions that differ from another only in letter case. */
	readonly variants: ReadonlySet<string>;
};

const surveyed = lastResult((items: readonly ComputeOption[]): CatalogueStats => {
	const alike = new Map<string | null, ComputeOption[]>();
	for (const option of items) {
		const model = modelOf(option);
		const same = alike.get(model);
		if (same) same.push(option);
		else alike.set(model, [option]);
	}
	return {alike, variants: caseVariants(regionSet(items))};
});

/** Key of an option in `alike`. */
export const modelOf = (option: ComputeOption): string | null =>
	option.num_gpus === 0 ? null : searchKeysOf(option).model;

export const catalogueStats = ({compute}: Pick<ComputeListState, 'compute'>): CatalogueStats =>
	surveyed(compute.value?.items ?? NOTHING);
