import type {StateCreator} from 'zustand/vanilla';
import type {Listing} from '../api/client-types.ts';
import type {ComputeOption} from '../contract/compute.ts';
import {filterCompute, NO_FILTER, type ComputeFilter} from '../query/filter.ts';
import {sortCompute} from '../query/sort.ts';
import type {Deps} from './deps.ts';
import {idle, newestWins, type Remote} from './remote.ts';

export type ComputeSlice = {
	readonly compute: Remote<Listing<ComputeOption>>;
	readonly computeFilter: ComputeFilter;
	readonly computeCursor: number;
	refreshCompute(): Promise<void>;
	setComputeFilter(filter: ComputeFilter): void;
	moveComputeCursor(to: number): void;
};

export const createComputeSlice = ({client, now}: Deps): StateCreator<ComputeSlice, [], [], ComputeSlice> => (set, get) => {
	const load = newestWins<Listing<ComputeOption>>(() => get().compute, compute => set({compute}), now);
	return {
		compute: idle,
		computeFilter: NO_FILTER,
		computeCursor: 0,
		refreshCompute: () => load(async signal => (await client()).compute({signal})),
		setComputeFilter: computeFilter => set({computeFilter, computeCursor: 0}),
		moveComputeCursor: computeCursor => set({computeCursor}),
	};
};

/** The offers that pass the filter, cheapest first; the same rows as `svc-tui compute` with the same filter. */
export const filteredCompute = (state: Pick<ComputeSlice, 'compute' | 'computeFilter'>): readonly ComputeOption[] =>
	sortCompute(filterCompute(state.compute.value?.items ?? [], state.computeFilter), 'price');
