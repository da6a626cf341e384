import type {ServiceStorage} from '../../../storage/service-storage.ts';
import {snapshotOf} from '../../../costs/observation-spans.ts';
import {openObservations, type Observations} from '../../../costs/observations.ts';
import {dailyCosts, midnight, totalCost} from '../../../costs/daily-costs.ts';
import {todayCosts} from '../../../costs/today.ts';
import type {CostHistory} from './costs.ts';
import type {StartupSettings} from '../../../settings/startup-settings.ts';
import type {State, Store} from '../../core/program.ts';
import {rateOf} from './rentals.ts';

const looksOf = (keeper: ServiceStorage, {isByAddress, facts}: StartupSettings): Observations =>
	openObservations(keeper, isByAddress ? '' : facts.serviceName);

/** Access of the screens to the observations. */
export const costHistory = (keeper: ServiceStorage, glance: StartupSettings): CostHistory => {
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

/** Longest delay until an observation is on disk, in ms. */
const PACE = {atLatest: 1000};

/**
 * Records each list of servers and computes from the records what servers have cost today. A failed
 * write counts as unobserved time.
 */
export const recordObservations = (store: Store, keeper: ServiceStorage, glance: StartupSettings): void => {
	const looks = looksOf(keeper, glance);
	let noted: number | undefined;
	const starts = new Map<string, number>();
	const note = (state: State): void => {
		const {value, at} = state.servers;
		if (value === undefined || at === undefined || at === noted) return;
		noted = at;
		const seen = snapshotOf(value.items, value.unreadable, server => rateOf(state, server) ?? null);
		try {
			looks.note(seen, at);
		} catch {}
	};
	const readSpent = (): void => {
		const at = store.getState().servers.at ?? Date.now();
		store.setState({spent: {at, today: todayCosts(looks.read(midnight(at)), at)}});
	};
	const {changed} = keeper.saver(() => {
		note(store.getState());
		try {
			looks.flush();
			readSpent();
		} catch {}
	}, PACE);
	/** Records the starts that this program has made since the last call. */
	const noteStarts = ({awaited, rentals}: State): void => {
		for (const [name, {since}] of awaited) {
			if (starts.get(name) === since) continue;
			starts.set(name, since);
			const rental = rentals.get(name);
			try {
				looks.noteStart(name, rental?.rate ?? rental?.quoted ?? null, since);
			} catch {}
		}
	};
	const observe = (state: State): void => {
		noteStarts(state);
		if (state.servers.at === noted) return;
		changed();
		// Waits for the catalogue, because the first list may arrive before the prices.
		if (state.compute.value !== undefined || state.compute.status === 'failed') note(state);
	};
	observe(store.getState());
	store.subscribe(observe);
};
