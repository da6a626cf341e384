import type {Keeper} from '../state/keeper.ts';
import {seenIn} from '../state/look-spans.ts';
import {openLooks, type Looks} from '../state/looks.ts';
import {dailyCosts, midnight, totalCost} from '../state/daily-costs.ts';
import type {CostBook} from '../tui/servers/costs-slice.ts';
import type {Glance} from '../settings/glance.ts';
import type {State, Store} from '../tui/core/program.ts';
import {rateOf} from '../tui/servers/rentals.ts';

const looksOf = (keeper: Keeper, {isByAddress, facts}: Glance): Looks =>
	openLooks(keeper, isByAddress ? '' : facts.serviceName);

/** What was seen, for the screens. */
export const costBook = (keeper: Keeper, glance: Glance): CostBook => {
	const looks = looksOf(keeper, glance);
	return {
		announced: looks.announced,
		costs(count, now) {
			const from = midnight(now, count - 1);
			const days = dailyCosts(looks.read(from), from, now).map(day => ({
				...day,
				total: totalCost(day.servers),
			}));
			return {days, total: totalCost(days.flatMap(({servers}) => servers))};
		},
	};
};

/** What was seen is on disk a second later at the latest. */
const PACE = {atLatest: 1000};

/** Writes down what each list of servers shows. What the disk refuses is time that nobody saw. */
export const keepLooks = (store: Store, keeper: Keeper, glance: Glance): void => {
	const looks = looksOf(keeper, glance);
	let noted: number | undefined;
	const note = (state: State): void => {
		const {value, at} = state.servers;
		if (value === undefined || at === undefined || at === noted) return;
		noted = at;
		const seen = seenIn(value.items, value.unreadable, server => rateOf(state, server) ?? null);
		try {
			looks.note(seen, at);
		} catch {
			// As said above.
		}
	};
	const {changed} = keeper.saver(() => {
		note(store.getState());
		try {
			looks.flush();
		} catch {
			// As said above.
		}
	}, PACE);
	const look = (state: State): void => {
		if (state.servers.at === noted) return;
		changed();
		// The first list may come before the prices.
		if (state.compute.value !== undefined || state.compute.status === 'failed') note(state);
	};
	look(store.getState());
	store.subscribe(look);
};
