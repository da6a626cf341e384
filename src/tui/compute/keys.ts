import type {ListedFacet} from '../../query/choices.ts';
import {FACETS, isActive, NO_FILTER, withoutFacet} from '../../query/filter.ts';
import {regionsWanted} from '../../query/geo-areas.ts';
import {mayBeAvailable} from '../../query/offers.ts';
import {label} from '../../text/safe.ts';
import {listOf} from '../core/components/list.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, Refusal, refused, type KeyScopes} from '../core/keys/action.ts';
import {sorted, type Tab} from '../core/keys/binding-sets.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {createServer} from '../core/ports.ts';
import type {State} from '../core/program.ts';
import {listViews} from '../core/store/lists.ts';
import {route} from '../core/store/route.ts';
import {catalogue, nextGrouping} from './catalogue.ts';
import {nextSortKey} from './columns.ts';
import {dialogKeys, orRefused} from './dialogs/keys.ts';
import {facetText} from './filters.ts';
import {computeRows, modelOf, sortOf, type OfferRow} from './rows.ts';
import {pageOf} from './view.tsx';
import {computeWatch, isSameWatch, watchText, type Watch} from './watch.ts';

export const computeTab: Tab = {id: 'compute', title: 'Compute', jump: '2'};

export const list = listOf({
	name: 'compute',
	rowsOf: computeRows,
	idOf: row => row.id,
	page: ({width, height}, state) => pageOf(width, height, computeRows(state)),
	remote: state => state.compute,
	onFilter: (state, query, isTyping) => catalogue(state.app).typeComputeQuery(query, isTyping),
	whyStay(get) {
		catalogue(get).typeComputeQuery(get().lists.compute.filter, false);
		return get().queryFault?.error;
	},
});

/** The filter without its last element: one of several regions, one word, or a whole part. */
const withoutLast = ({
	computeFilter: filter,
}: Pick<State, 'computeFilter'>):
	{readonly filter: State['computeFilter']; readonly said: string} | undefined => {
	const facet = FACETS.findLast(each => isActive(filter, each));
	if (facet === undefined) return undefined;
	const said = facetText(filter, facet);
	if (facet === 'regions' && filter.regions.length > 1)
		return {
			filter: {...filter, regions: filter.regions.slice(0, -1)},
			said: `region ${label(filter.regions.at(-1) ?? '', 24)}`,
		};
	if (facet === 'words')
		return {
			filter: {...filter, words: filter.words.slice(0, -1)},
			said: `text ${label(filter.words.at(-1) ?? '', 24)}`,
		};
	return {filter: withoutFacet(filter, facet), said};
};

/**
 * Watch for options with the GPU and GPU count of this option, in the regions of the filter. Null
 * without a GPU.
 */
const watchOf = ({computeFilter: {regions}}: State, option: OfferRow['option']): Watch | null => {
	const model = modelOf(option);
	return model === null ? null : {model, count: option.num_gpus, regions};
};

type Offer = Extract<OfferRow, {readonly kind: 'offer'}>;

const offerHere = ({get}: KeyContext): Offer | Refusal => {
	const row = list.selected(get());
	if (row === undefined)
		return refused(`There is no row here: ${keyFor('compute.showAll')} clears the filter`);
	return row.kind === 'group' ? refused(`This is a group: ${keyFor('compute.open')} shows its options`) : row;
};
const onOffer = actionOn(offerHere);

const create = actionOn(at => {
	const row = offerHere(at);
	return row instanceof Refusal ? row : orRefused(row);
})({
	keys: ['c'],
	label: 'rent',
	also: 'new create',
	writes: true,
	run: ({option}, {get}) => createServer(get, {option, regions: regionsWanted(get().computeFilter)}),
});

/** Null hides the key while the catalogue has no options, because there is nothing to choose. */
const needsOffers = ({get}: KeyContext): null | undefined =>
	(get().compute.value?.items.length ?? 0) === 0 ? null : undefined;

const openFacet =
	(facet: ListedFacet) =>
	({get}: KeyContext): void =>
		route(get).openDialog({kind: 'facet', facet});

const sortBy =
	(by: number) =>
	({get}: KeyContext): void => {
		const {key} = sortOf(get());
		listViews(get).changeList('compute', {
			sort: {key: nextSortKey(key, by, get().columns.compute), direction: 'ascending'},
		});
	};

const isWatched = ({watches}: State, watch: Watch): boolean => watches.some(each => isSameWatch(each, watch));

export const computeKeys: KeyScopes = {
	compute: {
		where: 'compute',
		name: 'Compute',
		screen: 'compute',
		chords: {f: 'facets'},
		actions: {
			...list.moves,
			open: {
				keys: ['enter'],
				label: 'Create a server with the option; expand or collapse a group',
				hint: true,
				now(at) {
					const row = list.selected(at.get());
					if (row?.kind === 'group') return row.unfolded ? 'collapse' : 'expand';
					return create.now?.(at) === null || at.get().readOnly ? null : 'rent';
				},
				run(at) {
					const row = list.selected(at.get());
					if (row?.kind !== 'group')
						return at.get().readOnly
							? 'This profile is read-only: nothing is created with it'
							: create.run(at);
					catalogue(at.get).fold(row.group.name, !row.unfolded);
				},
			},
			create,
			watch: onOffer({
				keys: ['*'],
				was: ['w'],
				label: 'Watch for the GPU in the chosen regions',
				hint: true,
				now({option}, {get}) {
					const watch = mayBeAvailable(option) ? null : watchOf(get(), option);
					return watch && (isWatched(get(), watch) ? 'stop watching' : 'watch for it');
				},
				run({option}, {get}) {
					const watch = watchOf(get(), option);
					if (watch === null) return 'Only a GPU can be watched: this row has none';
					const was = isWatched(get(), watch);
					computeWatch(get).toggleWatch(watch);
					if (was) return `No longer watching for ${watchText(watch)}`;
					computeWatch(get).noticeAvailable();
					if (isWatched(get(), watch)) return `Watching for ${watchText(watch)}: checked twice a minute`;
				},
			}),
			filter: {...list.filtering.filter, also: 'filter query'},
			regions: {
				keys: ['f r'],
				was: ['r'],
				label: 'regions',
				also: 'country location',
				hint: true,
				now: needsOffers,
				run: openFacet('regions'),
			},
			gpu: {keys: ['f g'], label: 'GPU model', also: 'card', run: openFacet('gpu')},
			available: {
				keys: ['f a'],
				was: ['a'],
				label: 'available only',
				run({get}) {
					const {computeFilter} = get();
					catalogue(get).setComputeFilter({...computeFilter, available: !computeFilter.available});
				},
			},
			minGpus: {keys: ['f n'], was: ['n'], label: 'Minimum number of GPUs', run: openFacet('minGpus')},
			minVram: {keys: ['f v'], label: 'Minimum VRAM per GPU', run: openFacet('minVram')},
			maxPrice: {
				keys: ['f p'],
				was: ['p'],
				label: 'Maximum price',
				also: 'cost budget',
				run: openFacet('maxPrice'),
			},
			host: {keys: ['f h'], was: ['h'], label: 'Host', run: openFacet('host')},
			removeLast: {
				keys: ['u'],
				label: 'Remove the last part of the filter',
				run({get}) {
					const next = withoutLast(get());
					if (next === undefined) return 'There is no filter to remove';
					catalogue(get).setComputeFilter(next.filter);
					return `Removed: ${next.said}`;
				},
			},
			showAll: {
				keys: ['U'],
				label: 'Clear the filter',
				run({get}) {
					const {lists, computeFilter} = get();
					if (lists.compute.filter.text === '' && !FACETS.some(each => isActive(computeFilter, each)))
						return 'No filter is set: all rows are shown';
					catalogue(get).setComputeFilter(NO_FILTER);
				},
			},
			sortNext: {...sorted.sortNext, run: sortBy(1)},
			sortPrevious: {...sorted.sortPrevious, run: sortBy(-1)},
			turnSort: {
				...sorted.turnSort,
				run({get}) {
					const {key, direction} = sortOf(get());
					listViews(get).changeList('compute', {
						sort: {key, direction: direction === 'ascending' ? 'descending' : 'ascending'},
					});
				},
			},
			group: {
				keys: ['v'],
				was: ['b'],
				label: 'Group by GPU, region or host, or not at all',
				hint: true,
				now: at => (needsOffers(at) === null ? null : 'group'),
				run: ({get}) => catalogue(get).groupCompute(nextGrouping(get().computeGrouping)),
			},
			mark: onOffer({
				keys: ['m'],
				was: ['space'],
				label: 'Mark to compare',
				hint: true,
				now: () => 'mark',
				run({offer}, at) {
					catalogue(at.get).toggleMark(offer);
					list.moves.down.run(at);
				},
			}),
			compare: {
				keys: ['C'],
				label: 'Compare the marked rows side by side',
				run({get}) {
					const {size} = get().marked;
					if (size < 2)
						return `Mark at least two rows with ${keyFor('compute.mark')}: ${size === 1 ? 'one is' : 'none is'} marked`;
					route(get).openDialog({kind: 'compare'});
				},
			},
			changes: {
				keys: ['D'],
				was: ['d'],
				label: 'Changes in the last refresh',
				run({get}) {
					if (get().computeChanges === null)
						return `There is nothing to compare with yet: ${keyFor('global.refresh')} asks the service again`;
					route(get).openDialog({kind: 'changes'});
				},
			},
		},
	},
	...dialogKeys,
};
