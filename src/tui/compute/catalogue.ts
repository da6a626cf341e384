import type {Listing} from '../../api/client-types.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {changesBetween, type Changes} from '../../query/offer-changes.ts';
import {NO_FILTER, type ComputeFilter} from '../../query/filter.ts';
import {GROUPINGS, type Grouping} from '../../query/group.ts';
import {parseQuery, printQuery, QUERY_WORDS} from '../../query/language.ts';
import {setText, type Editor} from '../../text/editor/editor.ts';
import {retryUntilLoaded} from '../core/store/retry.ts';
import {indexOf} from './rows.ts';
import {idle, latestOnly, type Remote} from '../core/store/remote.ts';
import {part, type App} from '../core/app.ts';
import {listViews} from '../core/store/lists.ts';

/** Error in the typed query, and the range of the faulty text. */
export type QueryFault = {readonly error: string; readonly from: number; readonly to: number};

export type ComputeState = {
	readonly compute: Remote<Listing<ComputeOption>>;
	/** Changes between the last two refreshes; null before the second refresh. */
	readonly computeChanges: Changes<ComputeOption> | null;
	readonly computeFilter: ComputeFilter;
	readonly queryFault: QueryFault | null;
	readonly computeGrouping: Grouping | null;
	/** Names of the expanded groups. */
	readonly unfolded: ReadonlySet<string>;
	/** Ids of the options marked for comparison, in the order of marking. */
	readonly marked: ReadonlySet<string>;
};

export type Catalogue = {
	refreshCompute(): Promise<void>;
	/** Stops the request in progress; false if there is none. */
	stopLoading(): boolean;
	/**
	 * Sets the filter from the chips and rewrites the query. Undo in the query field reverts both.
	 */
	setComputeFilter(filter: ComputeFilter): void;
	/** Sets the filter from the query. While the user types, ignores an unfinished last word. */
	typeComputeQuery(query: Editor, isTyping: boolean): void;
	groupCompute(by: Grouping | null): void;
	fold(group: string, unfolded: boolean): void;
	toggleMark(offer: string): void;
	clearMarks(): void;
};

const STARTS = [...QUERY_WORDS, 'available'];
const WHOLE: ReadonlySet<string> = new Set(['avail', 'available', 'cpu']);

/** Last word of the query, if it is only the start of a known word. */
const unfinishedWord = ({text, cursor}: Editor): string | undefined => {
	if (cursor < text.length) return undefined;
	const word = /(?:^|\s)([a-z]+)$/i.exec(text)?.[1]?.toLowerCase();
	return word !== undefined && !WHOLE.has(word) && STARTS.some(each => each.startsWith(word))
		? word
		: undefined;
};

/**
 * Filter from the terms of a query that can be parsed, and the first error. While the user corrects
 * one term, rows and chips follow all other terms.
 */
const readable = (
	text: string,
	options: readonly ComputeOption[] | undefined,
): {readonly filter: ComputeFilter; readonly fault: QueryFault | null} => {
	let rest = text;
	let fault: QueryFault | null = null;
	for (;;) {
		const parsed = parseQuery(rest, options);
		if (parsed.ok) return {filter: parsed.filter, fault};
		fault ??= parsed;
		// Terminates, since each pass removes at least one character.
		rest = rest.slice(0, parsed.from) + rest.slice(Math.max(parsed.to, parsed.from + 1));
	}
};

const toggled = (set: ReadonlySet<string>, value: string, on = !set.has(value)): ReadonlySet<string> => {
	const next = new Set(set);
	if (on) next.add(value);
	else next.delete(value);
	return next;
};

const firstCompute = (): ComputeState => ({
	compute: idle,
	computeChanges: null,
	computeFilter: NO_FILTER,
	queryFault: null,
	computeGrouping: null,
	unfolded: new Set(),
	marked: new Set(),
});

export const catalogue = part(
	'catalogue',
	({get, set, deps: {client, now}}: App): Catalogue => {
		const load = latestOnly<Listing<ComputeOption>>(
			() => get().compute,
			compute => {
				const before = get().compute.value?.items;
				const after = compute.value?.items;
				const isRenewed = before !== undefined && after !== undefined && after !== before;
				set({
					compute,
					...(isRenewed && {computeChanges: changesBetween(indexOf(before).byId, indexOf(after).byId)}),
				});
			},
			now,
		);
		const again = retryUntilLoaded(
			{read: () => get().compute, write: compute => set({compute}), now},
			async () => catalogue(get).refreshCompute(),
		);
		return {
			stopLoading: () => load.stop(),
			async refreshCompute() {
				await load(async signal => (await client()).compute({signal}));
				again();
			},
			setComputeFilter(computeFilter) {
				const {lists} = get();
				listViews(get).changeList('compute', {
					filter: setText(lists.compute.filter, printQuery(computeFilter)),
				});
				set({computeFilter, queryFault: null});
			},
			typeComputeQuery(query, isTyping) {
				listViews(get).changeList('compute', {filter: query});
				const unfinished = isTyping ? unfinishedWord(query) : undefined;
				const text = unfinished === undefined ? query.text : query.text.slice(0, -unfinished.length);
				const items = get().compute.value?.items;
				const {filter, fault} = readable(text, items?.length ? items : undefined);
				// A new filter object rebuilds the rows even if it equals the current one.
				const isSame = printQuery(filter) === printQuery(get().computeFilter);
				set({queryFault: fault, ...(!isSame && {computeFilter: filter})});
			},
			groupCompute: computeGrouping => set({computeGrouping}),
			fold: (group, unfolded) => set({unfolded: toggled(get().unfolded, group, unfolded)}),
			toggleMark: offer => set({marked: toggled(get().marked, offer)}),
			clearMarks: () => set({marked: new Set()}),
		};
	},
	firstCompute,
);

export const nextGrouping = (by: Grouping | null): Grouping | null =>
	by === null ? GROUPINGS[0] : (GROUPINGS[GROUPINGS.indexOf(by) + 1] ?? null);
