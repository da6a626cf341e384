import type {DayCost, TotalCost} from '../../../costs/daily-costs.ts';
import {hoursText} from '../../../text/clock.ts';
import {perHour, roundedPrice} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {State} from '../../core/program.ts';
import {idleServers} from './idle.ts';
import {rateOf, type Spent} from './rentals.ts';
import {findServer, hasStatus} from '../servers.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {canShutDown} from '../ports.ts';

/** Days, the newest first, with what all servers cost in each, and in all. */
export type Costs = {
	readonly days: readonly (DayCost & {readonly total: TotalCost})[];
	readonly total: TotalCost;
};

/** What was seen of this service. */
export type CostHistory = {
	/** Of today and the days before it, so many in all. */
	costs(days: number, now: number): Costs;
	/** The day whose passed limit some program has announced. */
	readonly announced: {read(): string | null; write(day: string): void};
};

declare module '../../core/store/deps.ts' {
	interface Deps {
		readonly costs?: () => Promise<CostHistory>;
	}
}

export type CostsState = {
	/** Null: not read yet. */
	readonly costs: Costs | null;
	/**
	 * Cost since the start of each server that is not offline, as of a time in ms since the epoch.
	 * Null if not read yet.
	 */
	readonly spent: Spent | null;
	/** Today's estimate, once it is beyond the limit of the profile. */
	readonly overLimit: number | null;
	/** Servers that are paid for and on which nothing has run from here for long: since when, ms since the epoch. */
	readonly idle: ReadonlyMap<string, number>;
};

export type ServerCosts = {
	/** Reads what was seen in so many days, today with them; by default in as many as before. */
	lookAtCosts(days?: number): Promise<void>;
};

const A_WEEK = 7;

/** What to do about a server on which nothing runs. */
export const idleWords = (state: State, name: string, since: number, now: number): string => {
	const server = findServer(state, name);
	const ends =
		canShutDown(state.app, name) && !state.readOnly
			? `":shutdown ${label(name, 40)}" ends it`
			: `${keyFor('servers.addresses')} in the list opens its page`;
	return `${label(name, 40)} is ready and nothing has run on it from here for ${hoursText(now - since)}, at ${perHour(server && rateOf(state, server))}: ${ends}`;
};

const firstCosts = (): CostsState => ({costs: null, spent: null, overLimit: null, idle: new Map()});

export const serverCosts = part(
	'serverCosts',
	({get, set, subscribe, deps: {costs: open, now}}: App): ServerCosts => {
		const began = now();
		let shown = A_WEEK;
		let announcedDay: string | null = null;
		let looks = 0;
		/** Since when each announced server was idle. */
		const announced = new Map<string, number>();

		const tellIdle = (state: State): void => {
			const idle = idleServers(state, began, now());
			for (const [name, since] of idle) {
				if (announced.get(name) === since) continue;
				announced.set(name, since);
				notices(state.app).notify('info', idleWords(state, name, since, now()), hasStatus(name, 'ready'));
			}
			if (idle.size > 0 || state.idle.size > 0) set({idle});
		};
		const tellLimit = ({announced: kept, costs}: CostHistory): void => {
			const {dailyLimit, overLimit} = get();
			if (dailyLimit === null) return;
			const [today] = costs(1, now()).days;
			if (today === undefined) return;
			const {estimate} = today.total;
			const over = estimate > dailyLimit ? estimate : null;
			if (over !== overLimit) set({overLimit: over});
			if (over === null || announcedDay === today.day || kept.read() === today.day) return;
			announcedDay = today.day;
			notices(get).notify(
				'bad',
				`Today's estimate of ${roundedPrice(estimate)} is over the daily limit of ${roundedPrice(dailyLimit)}: ${keyFor('servers.costs')} in the list of servers shows what cost it`,
			);
			kept.write(today.day);
		};

		subscribe((state, old) => {
			const isShown = state.dialogs.some(({kind}) => kind === 'costs');
			if (isShown && state.spent !== old.spent) void serverCosts(get).lookAtCosts();
			if (state.servers.at === old.servers.at || state.servers.status !== 'ready') return;
			tellIdle(state);
			if (isShown) void serverCosts(get).lookAtCosts();
			if (state.dailyLimit !== null)
				void open?.()
					.then(tellLimit)
					// What cannot be kept is announced again by the next program.
					.catch(() => {});
		});

		return {
			async lookAtCosts(days = shown) {
				const look = ++looks;
				if (days !== shown) set({costs: null});
				shown = days;
				const book = await open?.();
				if (book !== undefined && look === looks) set({costs: book.costs(days, now())});
			},
		};
	},
	firstCosts,
);
