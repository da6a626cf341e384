import type {ListedFacet} from '../../query/choices.ts';
import {FACETS, isActive, NO_FILTER, withoutFacet} from '../../query/filter.ts';
import {mayBeAvailable} from '../../query/offers.ts';
import {label} from '../../text/safe.ts';
import {listOf} from '../core/components/list.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {State} from '../core/program.ts';
import type {KeyContext, KeyHandlers, ScopeHandlers, ScreenSpec} from '../core/feature.ts';
import {computeColumns, nextSortKey} from './columns.ts';
import {facetText} from './filters.ts';
import {catalogueIndex, computeRows, modelOf, regionsAsked, sortOf, type OfferRow} from './rows.ts';
import {nextGrouping, catalogue} from './catalogue.ts';
import {computeDetailWidth, tableRoom} from './view.tsx';
import {isSameWatch, watchWords, type Watch, computeWatch} from './watch.ts';
import {createServer} from '../core/ports.ts';
import {route} from '../core/store/route.ts';
import {listViews} from '../core/store/lists.ts';

export const list = listOf({
	name: 'compute',
	rowsOf: computeRows,
	idOf: row => row.id,
	page: ({width, height}, state) =>
		Math.max(
			1,
			tableRoom(
				computeDetailWidth(
					width,
					catalogueIndex(state).all,
					state.computeGrouping,
					computeColumns(regionsAsked(state), state.columns.compute),
				),
				height,
			) - 1,
		),
	onFilter: (state, query, isTyping) => catalogue(state.app).typeComputeQuery(query, isTyping),
	whyStay(get) {
		catalogue(get).typeComputeQuery(get().lists.compute.filter, false);
		return get().queryFault?.error;
	},
});

/** The filter without what was said last in it: one region of several, one word, or a whole part. */
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

const READ_ONLY = 'This profile is read-only: nothing is created with it';

const onOffer =
	({get}: KeyContext, act: (row: OfferRow) => string | void) =>
	(): string | void => {
		const row = list.selected(get());
		if (row === undefined) return `There is no row here: ${keyFor('compute.showAll')} shows all again`;
		if (row.kind === 'group') return `This is a group: ${keyFor('compute.open')} shows its offers`;
		return act(row);
	};

const create = (at: KeyContext): (() => string | void) =>
	onOffer(at, ({option}) => {
		if (!mayBeAvailable(option))
			return `${label(option.name)} is not available now: ${keyFor('compute.watch')} watches for it, ${keyFor('compute.available')} shows what is`;
		createServer(at.get, {option});
	});

const facet =
	({get}: KeyContext, name: ListedFacet) =>
	(): void =>
		route(get).openDialog({kind: 'facet', facet: name});

const sortBy =
	({get}: KeyContext, by: number) =>
	(): void => {
		const {key} = sortOf(get());
		listViews(get).changeList('compute', {
			sort: {key: nextSortKey(key, by, get().columns.compute), direction: 'ascending'},
		});
	};

/** What is watched with an offer: its GPU, as many of it, where the filter looks; null where it has none. */
const watchOf = ({computeFilter: {regions}}: State, option: OfferRow['option']): Watch | null => {
	const model = modelOf(option);
	return model === null ? null : {model, count: option.num_gpus, regions};
};

const compute: KeyHandlers<'compute'> = at => {
	const {get} = at;
	const moves = list.keys(at);
	return {
		...moves,
		create: create(at),
		open() {
			const row = list.selected(get());
			if (row?.kind !== 'group') return get().readOnly ? READ_ONLY : create(at)();
			catalogue(get).fold(row.group.name, !row.unfolded);
		},
		gpu: facet(at, 'gpu'),
		minGpus: facet(at, 'minGpus'),
		minVram: facet(at, 'minVram'),
		maxPrice: facet(at, 'maxPrice'),
		regions: facet(at, 'regions'),
		host: facet(at, 'host'),
		available: () =>
			catalogue(get).setComputeFilter({...get().computeFilter, available: !get().computeFilter.available}),
		removeLast() {
			const next = withoutLast(get());
			if (next === undefined) return 'There is no filter to remove';
			catalogue(get).setComputeFilter(next.filter);
			return `Removed: ${next.said}`;
		},
		showAll() {
			if (get().lists.compute.filter.text === '' && !FACETS.some(each => isActive(get().computeFilter, each)))
				return 'No filter is set: all rows are shown';
			catalogue(get).setComputeFilter(NO_FILTER);
		},
		sortNext: sortBy(at, 1),
		sortPrevious: sortBy(at, -1),
		turnSort() {
			const {key, direction} = sortOf(get());
			listViews(get).changeList('compute', {
				sort: {key, direction: direction === 'ascending' ? 'descending' : 'ascending'},
			});
		},
		group: () => catalogue(get).groupCompute(nextGrouping(get().computeGrouping)),
		mark: onOffer(at, ({offer}) => {
			catalogue(get).toggleMark(offer);
			moves.down();
		}),
		compare() {
			if (get().marked.size < 2)
				return `Mark at least two rows with ${keyFor('compute.mark')}: ${get().marked.size === 1 ? 'one is' : 'none is'} marked`;
			route(get).openDialog({kind: 'compare'});
		},
		watch: onOffer(at, ({option}) => {
			const watch = watchOf(get(), option);
			if (watch === null) return 'Only a GPU can be watched: this row has none';
			const isWatched = get().watches.some(each => isSameWatch(each, watch));
			computeWatch(get).toggleWatch(watch);
			if (isWatched) return `No longer watching for ${watchWords(watch)}`;
			computeWatch(get).noticeAvailable();
			if (get().watches.some(each => isSameWatch(each, watch)))
				return `Watching for ${watchWords(watch)}: checked twice a minute`;
		}),
		changes() {
			if (get().computeChanges === null)
				return `There is nothing to compare with yet: ${keyFor('global.refresh')} asks the service again`;
			route(get).openDialog({kind: 'changes'});
		},
	};
};

const NEED_OFFERS: ReadonlySet<string> = new Set(['regions', 'gpu', 'available']);

/** What a key can do with what is under the cursor: an offer that cannot be had is watched for, a group is expanded. */
export const computeLabel: NonNullable<ScreenSpec['labelNow']> = (state, {scope, action}) => {
	if (scope !== 'compute') return undefined;
	const row = list.selected(state);
	const canBeHad = row?.kind === 'offer' && mayBeAvailable(row.option);
	if (action === 'create') return canBeHad ? undefined : null;
	if (action === 'watch') {
		const watch = row?.kind === 'offer' && !canBeHad ? watchOf(state, row.option) : null;
		if (watch === null) return null;
		return state.watches.some(each => isSameWatch(each, watch)) ? 'stop watching' : 'watch for it';
	}
	if (action === 'open') return row?.kind === 'group' ? (row.unfolded ? 'collapse' : 'expand') : null;
	if (action === 'filter') return list.filterLabel(state, state.compute);
	return NEED_OFFERS.has(action) && (state.compute.value?.items.length ?? 0) === 0 ? null : undefined;
};

export const computeHandlers: ScopeHandlers = {compute, filter: list.filter};
