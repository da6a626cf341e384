import type {DayCost, TotalCost} from '../../../costs/daily-costs.ts';
import {hoursText} from '../../../text/clock.ts';
import {perHour, roundedPrice} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {State} from '../../core/program.ts';
import {idleServers} from './idle.ts';
import {NEAR_LIMIT} from './money-line.ts';
import {rateOf, type Spent} from './rentals.ts';
import {findServer, hasStatus} from '../servers.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {canShutDown} from '../ports.ts';

/** Days, newest first, with the costs of all servers per day and in total. */
export type Costs = {
	readonly days: readonly (DayCost & {readonly total: TotalCost})[];
	readonly total: TotalCost;
};

/** Stored observations of this service's servers. */
export type CostHistory = {
	/** Costs of the latest `days` days, today included. */
	costs(days: number, now: number): Costs;
	/** Latest day on which a run of the program has announced that the daily limit was passed. */
	readonly announced: {read(): string | null; write(day: string): void};
};

declare module '../../core/store/deps.ts' {
	interface Deps {
		readonly costs?: () => Promise<CostHistory>;
	}
}

export type CostsState = {
	/** Costs per day; null until they are read. */
	readonly costs: Costs | null;
	/** Cost of today by server, as of a time in ms since the epoch. Null if not read yet. */
	readonly spent: Spent | null;
	/** Today's estimate if it exceeds the daily limit of the profile, else null. */
	readonly overLimit: number | null;
	/**
	 * Servers that cost money and on which this program has run nothing for a long time, with the
	 * start of that time in ms since the epoch.
	 */
	readonly idle: ReadonlyMap<string, number>;
};

export type ServerCosts = {
	/**
	 * Reads the observations of the latest days, today included. The default is the number of days
	 * read before.
	 */
	loadCosts(days?: number): Promise<void>;
};

const A_WEEK = 7;

/** Sentence about an idle server, with the way to stop it. */
export const idleText = (state: State, name: string, since: number, now: number): string => {
	const server = findServer(state, name);
	const ends =
		canShutDown(state.app, name) && !state.readOnly
			? `":shutdown ${label(name, 40)}" stops it`
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
		/** Day on which this program has warned that the limit is near. */
		let nearDay: string | null = null;
		let looks = 0;
		/** Start of the idle time of each announced server. */
		const announced = new Map<string, number>();

		const notifyIdle = (state: State): void => {
			const idle = idleServers(state, began, now());
			for (const [name, since] of idle) {
				if (announced.get(name) === since) continue;
				announced.set(name, since);
				notices(state.app).notify('info', idleText(state, name, since, now()), hasStatus(name, 'ready'));
			}
			if (idle.size > 0 || state.idle.size > 0) set({idle});
		};
		const notifyLimit = ({announced: kept, costs}: CostHistory): void => {
			const {dailyLimit, overLimit} = get();
			if (dailyLimit === null) return;
			const [today] = costs(1, now()).days;
			if (today === undefined) return;
			const {estimate} = today.total;
			const over = estimate > dailyLimit ? estimate : null;
			if (over !== overLimit) set({overLimit: over});
			if (
				over === null &&
				estimate >= dailyLimit * NEAR_LIMIT &&
				nearDay !== today.day &&
				kept.read() !== today.day
			) {
				nearDay = today.day;
				notices(get).notify(
					'info',
					`Today's estimate of ${roundedPrice(estimate)} is close to the daily limit of ${roundedPrice(dailyLimit)}: ${keyFor('servers.costs')} in the list of servers shows what cost it`,
				);
			}
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
			if (isShown && state.spent !== old.spent) void serverCosts(get).loadCosts();
			if (state.servers.at === old.servers.at || state.servers.status !== 'ready') return;
			notifyIdle(state);
			if (isShown) void serverCosts(get).loadCosts();
			if (state.dailyLimit !== null)
				void open?.()
					.then(notifyLimit)
					// If the day cannot be recorded, the next run announces the limit again.
					.catch(() => {});
		});

		return {
			async loadCosts(days = shown) {
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
