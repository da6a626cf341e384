import {useEffect} from 'react';
import type {ListedFacet} from '../../../query/choices.ts';
import {FACETS, isActive, NO_FILTER, withoutFacet, type Facet} from '../../../query/filter.ts';
import {isAvailable} from '../../../query/offers.ts';
import {nextGrouping} from '../../../store/compute.ts';
import {catalogueIndex, computeRows, modelOf, narrowedCompute, sortOf, surveyCatalogue} from '../../../store/compute-list.ts';
import {isSameWatch, watchWords} from '../../../store/compute-watch.ts';
import {createWith} from '../../../store/create-with.ts';
import type {State} from '../../../store/store.ts';
import {label} from '../../../text/safe.ts';
import {useList} from '../../components/use-list.ts';
import type {Rect} from '../../frame/layout.ts';
import type {Action} from '../../keys/keymap.ts';
import {useKeys} from '../../keys/keys.tsx';
import {keyOf} from '../../keys/live-keys.ts';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {facetText} from './chips.ts';
import {nextSortKey} from './compute-columns.ts';
import {ComputeView, tableRoom} from './compute-view.tsx';

const KEY_OF: Partial<Readonly<Record<Facet, Action<'compute'>>>> = {
	gpu: 'gpu', minGpus: 'minGpus', minVram: 'minVram', maxPrice: 'maxPrice', regions: 'regions', host: 'host', available: 'available', cpuOnly: 'gpu', words: 'filter',
};

/** The filter without what was said last in it: one region of several, one word, or a whole part. */
const withoutLast = ({computeFilter: filter}: Pick<State, 'computeFilter'>): {readonly filter: State['computeFilter']; readonly said: string} | undefined => {
	const facet = FACETS.findLast(each => isActive(filter, each));
	if (facet === undefined) return undefined;
	const said = facetText(filter, facet);
	if (facet === 'regions' && filter.regions.length > 1) return {filter: {...filter, regions: filter.regions.slice(0, -1)}, said: `region ${label(filter.regions.at(-1) ?? '', 24)}`};
	if (facet === 'words') return {filter: {...filter, words: filter.words.slice(0, -1)}, said: `text ${label(filter.words.at(-1) ?? '', 24)}`};
	return {filter: withoutFacet(filter, facet), said};
};

const READ_ONLY = 'This profile is read-only: nothing is created with it';
const EMPTY = 'There is no row here: U shows all again';

export const ComputeScreen = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const compute = useApp(state => state.compute);
	const connection = useApp(state => state.connection);
	const filter = useApp(state => state.computeFilter);
	const fault = useApp(state => state.queryFault);
	const grouping = useApp(state => state.computeGrouping);
	const marked = useApp(state => state.marked);
	const changes = useApp(state => state.computeChanges);
	const watches = useApp(state => state.watches);
	const narrowed = useApp(narrowedCompute);
	const index = useApp(catalogueIndex);
	const survey = useApp(surveyCatalogue);
	const rebound = useApp(state => state.rebound);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow();
	const {rows, view, filtering, cursor, keys, selected} = useList({
		name: 'compute', rowsOf: computeRows, idOf: row => row.id, page: Math.max(1, tableRoom(rect.width, rect.height) - 1),
		onFilter: (query, isTyping) => get().typeComputeQuery(query, isTyping),
		whyStay() {
			get().typeComputeQuery(get().lists.compute.filter, false);
			return get().queryFault?.error;
		},
	});
	const row = rows[cursor];
	const option = row?.kind === 'offer' ? row.option : undefined;
	useEffect(() => {
		if (get().compute.status === 'idle') void get().refreshCompute();
	}, [get]);
	const facet = (name: ListedFacet) => () => get().openDialog({kind: 'facet', facet: name});
	const sortBy = (by: number) => () => {
		const {key} = sortOf(get());
		get().changeList('compute', {sort: {key: nextSortKey(key, by), direction: 'ascending'}});
	};
	const create = (): string | void => {
		const chosen = selected();
		if (chosen === undefined) return EMPTY;
		if (chosen.kind === 'group') return 'This is a group: Enter shows its offers';
		const {name} = chosen.option;
		if (!isAvailable(chosen.option)) return `${label(name)} is not available now: w watches for it, a shows what is`;
		void createWith(get, chosen.option);
	};
	useKeys('compute', {
		...keys,
		create,
		open() {
			const chosen = selected();
			if (chosen?.kind !== 'group') return get().readOnly ? READ_ONLY : create();
			get().fold(chosen.group.name, !chosen.unfolded);
		},
		gpu: facet('gpu'), minGpus: facet('minGpus'), minVram: facet('minVram'), maxPrice: facet('maxPrice'), regions: facet('regions'), host: facet('host'),
		available: () => get().setComputeFilter({...get().computeFilter, available: !get().computeFilter.available}),
		removeLast() {
			const next = withoutLast(get());
			if (next === undefined) return 'There is no filter to take away';
			get().setComputeFilter(next.filter);
			return `Taken away: ${next.said}`;
		},
		showAll() {
			if (get().lists.compute.filter.text === '' && !FACETS.some(each => isActive(get().computeFilter, each))) return 'All rows are shown: there is no filter';
			get().setComputeFilter(NO_FILTER);
		},
		sortNext: sortBy(1),
		sortPrevious: sortBy(-1),
		turnSort() {
			const {key, direction} = sortOf(get());
			get().changeList('compute', {sort: {key, direction: direction === 'ascending' ? 'descending' : 'ascending'}});
		},
		group: () => get().groupCompute(nextGrouping(get().computeGrouping)),
		mark() {
			const chosen = selected();
			if (chosen === undefined) return EMPTY;
			if (chosen.kind === 'group') return 'This is a group: Enter shows its offers';
			get().toggleMark(chosen.offer);
			keys.down();
		},
		compare() {
			if (get().marked.size < 2) return `Mark at least two rows with Space: ${get().marked.size === 1 ? 'one is' : 'none is'} marked`;
			get().openDialog({kind: 'compare'});
		},
		watch() {
			const chosen = selected();
			if (chosen === undefined) return EMPTY;
			if (chosen.kind === 'group') return 'This is a group: Enter shows its offers';
			const model = modelOf(chosen.option);
			if (model === null) return 'A watch is for a GPU: this row has none';
			const watch = {model, regions: get().computeFilter.regions};
			const isWatched = get().watches.some(each => isSameWatch(each, watch));
			get().toggleWatch(watch);
			if (isWatched) return `No longer watching for ${watchWords(watch)}`;
			get().noticeAvailable();
			if (get().watches.some(each => isSameWatch(each, watch))) return `Watching for ${watchWords(watch)}: looked for twice a minute`;
		},
		changes() {
			if (get().computeChanges === null) return 'There is nothing to compare with yet: R asks the service again';
			get().openDialog({kind: 'changes'});
		},
	});
	const regions = option === undefined ? [] : [...new Set([...(survey.regionsOfHost.get(option.cloud_host) ?? []), ...filter.regions])];
	const detail = option === undefined || row?.kind !== 'offer' ? undefined : {option, alike: survey.alike.get(modelOf(option)) ?? [], regions, twins: survey.twins, change: changes?.changed.get(row.offer)};
	const watching = watches.length === 0 ? '' : `watching ${watches.length === 1 && watches[0] ? watchWords(watches[0]) : `${watches.length} GPUs`}`;
	return (
		<ComputeView {...{compute, connection, rows, narrowed, filter, view, fault, grouping, marked, changes, watching, detail, filtering, cursor, focused, now}}
			measured={index.all} twins={survey.twins} sort={sortOf({lists: {compute: view}})} keyOf={each => (KEY_OF[each] ? keyOf({rebound}, 'compute', KEY_OF[each]) : '')} width={rect.width} height={rect.height}/>
	);
};
