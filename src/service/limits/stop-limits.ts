import type {LimitsAnswer, LimitsRequest} from '../../contract/limits.ts';
import type {StopSettings} from '../../settings/limits.ts';
import {clockTime, spanWords} from '../../text/clock.ts';
import {durationSetting, parseDuration} from '../../text/duration.ts';
import {roundedPrice} from '../../text/money.ts';
import {ServiceFault} from '../http/fault.ts';
import type {WriteEvent} from '../events.ts';
import type {EnginePool, Live} from '../local/engine-pool.ts';
import type {Registry, ServerRecord} from '../local/registry.ts';
import type {Log} from '../log.ts';
import {refusals} from '../servers.ts';
import type {Notify, StopEvent} from './notify.ts';
import {budgetEnd, costByDay, dayOf} from './spending.ts';

/** Interval at which running servers are checked, in ms. */
const LOOK_MS = 15_000;
/** Maximum time between a warning and the stop, in ms. */
const AHEAD_MS = 10 * 60_000;
/** Fraction of the budget after which a warning is sent. */
const BUDGET_WARNING = 0.8;
const OFF = 'off';

/** Planned stop of a server. `at`: in ms since the epoch. */
export type Plan = {readonly at: number; readonly cause: StopEvent['cause']; readonly isSoon: boolean};

/**
 * Running server. `countedTo`: end of the time span whose cost has been stored, in ms since the
 * epoch.
 */
type Running = {readonly record: ServerRecord; readonly rate: number; countedTo: number};

export type StopLimitsOptions = {
	readonly pool: EnginePool;
	readonly registry: Registry;
	readonly settings: StopSettings;
	readonly notify: Notify;
	readonly log: Log;
	readonly event: WriteEvent;
	/** Interval at which servers are checked, in ms. */
	readonly look?: number | undefined;
};

const CAUSES: Readonly<Record<StopEvent['cause'], (limit: number) => string>> = {
	idle: limit => `${spanWords(limit)} without use`,
	'run-time': limit => `its longest run time is ${spanWords(limit)}`,
	budget: limit => `the daily budget of ${roundedPrice(limit)} is spent`,
};

/**
 * Stops servers that are idle, have run too long, or exceed their user's daily budget. Sends a
 * warning before. All limits are off by default. Costs and limits are stored on disk, so they
 * persist across restarts.
 */
export const createStopLimits = ({
	pool,
	registry,
	settings,
	notify,
	log,
	event: writeEvent,
	look = LOOK_MS,
}: StopLimitsOptions) => {
	const running = new Map<string, Running>();
	const plans = new Map<string, Plan>();
	let timer: NodeJS.Timeout | undefined;

	const ownOr = (own: string | null, byDefault: number | null | undefined): number | null =>
		own === null ? (byDefault ?? null) : parseDuration(own);
	const defaultsOf = (user: string) => ({...settings, ...settings.users?.[user]});
	const limitsOf = ({owner, idle_stop, max_run}: ServerRecord) => {
		const {idleStop, maxRun} = defaultsOf(owner);
		return {idleStop: ownOr(idle_stop, idleStop), maxRun: ownOr(max_run, maxRun)};
	};
	const budgetOf = (user: string): number | null => defaultsOf(user).dailyBudget ?? null;

	/** Stores the cost since the last call. */
	const count = (entry: Running): void => {
		const now = Date.now();
		for (const {day, amount} of costByDay(entry.countedTo, now, entry.rate))
			registry.spend(entry.record.owner, day, amount);
		// The maximum prevents counting the same time twice after the clock was set back.
		entry.countedTo = Math.max(entry.countedTo, now);
	};
	const spentToday = (user: string): number => {
		for (const entry of running.values()) if (entry.record.owner === user && entry.rate > 0) count(entry);
		return registry.spent(user, dayOf(Date.now()));
	};
	const rateOf = (user: string): number =>
		[...running.values()].reduce((sum, {record, rate}) => sum + (record.owner === user ? rate : 0), 0);

	const budgetPlan = ({record: {owner}, rate}: Running): Plan | null => {
		const budget = budgetOf(owner);
		if (budget === null || rate === 0) return null;
		const spent = spentToday(owner);
		const at = budgetEnd(Date.now(), {budget, spent, rate: rateOf(owner)});
		if (at === null) return null;
		return {at, cause: 'budget', isSoon: spent >= budget * BUDGET_WARNING || at - Date.now() <= AHEAD_MS};
	};
	const timedPlan = (from: number, limit: number | null, cause: 'idle' | 'run-time'): Plan | null => {
		if (limit === null) return null;
		const at = from + limit;
		return {at, cause, isSoon: at - Date.now() <= Math.min(AHEAD_MS, limit / 5)};
	};

	const limitOf = ({record}: Running, cause: StopEvent['cause']): number =>
		(cause === 'budget'
			? budgetOf(record.owner)
			: limitsOf(record)[cause === 'idle' ? 'idleStop' : 'maxRun']) ?? 0;
	const publish = (entry: Running, event: StopEvent['event'], {at, cause}: Plan, text: string): void => {
		const {owner: user, name: server} = entry.record;
		log.line(`${event} ${server} of ${user}: ${cause}`);
		writeEvent({event: `limit.${event}`, user, server, cause});
		void notify({event, server, user, cause, at: new Date(at).toISOString(), text});
	};
	const stop = async (id: string, entry: Running, plan: Plan): Promise<void> => {
		const because = CAUSES[plan.cause](limitOf(entry, plan.cause));
		const again = plan.cause === 'budget' ? 'it can start again tomorrow' : 'start it again to continue';
		const text = `Stopped: ${because}. Files are kept; ${again}.`;
		// Stored before the session is closed, in case the service ends first.
		registry.ended(id, text);
		publish(entry, 'stopped', plan, text);
		await pool.stop(id, text);
	};

	const examine = async ({id, startedAt, running: session}: Live): Promise<void> => {
		const entry = running.get(id);
		if (!entry) return;
		if (entry.rate > 0) count(entry);
		const {idleStop, maxRun} = limitsOf(entry.record);
		const isIdle = idleStop !== null && session !== null && !(await pool.useOf(id));
		const since = pool.get(id)?.lastUsed;
		if (since === undefined) return;
		const [plan = null] = [
			timedPlan(startedAt, maxRun, 'run-time'),
			budgetPlan(entry),
			isIdle ? timedPlan(since, idleStop, 'idle') : null,
		]
			.filter(each => each !== null)
			.sort((one, other) => one.at - other.at);
		const before = plans.get(id);
		if (plan === null) plans.delete(id);
		else plans.set(id, plan);
		if (plan === null || !plan.isSoon) return;
		if (plan.at <= Date.now()) return stop(id, entry, plan);
		if (before?.isSoon === true && before.cause === plan.cause) return;
		const because = CAUSES[plan.cause](limitOf(entry, plan.cause));
		publish(entry, 'warning', plan, `${entry.record.name} stops at ${clockTime(plan.at)}: ${because}.`);
	};

	const check = async (): Promise<void> => {
		timer = undefined;
		await Promise.all(
			pool.all().map(live =>
				examine(live).catch((error: unknown) => {
					log.failure(error);
				}),
			),
		);
		plan();
	};
	/**
	 * Schedules the next check. Checks run at a fixed interval instead of a timer per stop, because
	 * timers pause while the machine sleeps.
	 */
	const plan = (): void => {
		if (running.size > 0) timer ??= setTimeout(() => void check(), look).unref();
	};

	const recordOf = (user: string, name: string): ServerRecord => {
		const record = registry.find(user, name);
		if (!record) throw refusals.unknown(name);
		return record;
	};
	const textOf = (limit: number | null): string | null => (limit === null ? null : durationSetting(limit));
	const stopsAt = (id: string): string | null => {
		const at = plans.get(id)?.at;
		return at === undefined ? null : new Date(at).toISOString();
	};
	const limitIn = (field: string, value: string | null | undefined, now: string | null): string | null => {
		if (value === undefined) return now;
		if (value === null || value === OFF || parseDuration(value) !== null) return value;
		throw new ServiceFault(400, `${field} must be a duration such as 30m, 8h or 2d, "off" or null.`);
	};
	const answer = (user: string): LimitsAnswer => ({
		status: 'success',
		servers: registry.list(user).map(record => {
			const {idleStop, maxRun} = limitsOf(record);
			return {
				name: record.name,
				idle_stop: textOf(idleStop),
				max_run: textOf(maxRun),
				stops_at: stopsAt(record.id),
			};
		}),
		daily_budget: budgetOf(user),
		spent_today: spentToday(user),
	});

	const ended = (id: string): void => {
		const entry = running.get(id);
		if (entry && entry.rate > 0) count(entry);
		running.delete(id);
		plans.delete(id);
	};

	return {
		/** True if the server has an idle limit, either of its own or by default. */
		hasIdleStop(id: string): boolean {
			const entry = running.get(id);
			return entry !== undefined && limitsOf(entry.record).idleStop !== null;
		},
		/**
		 * Checks the budget before a start.
		 * @throws {ServiceFault} 409 if the user's budget for today is used up.
		 */
		admit(user: string, rate: number): void {
			const budget = budgetOf(user);
			if (budget === null || rate === 0) return;
			const spent = spentToday(user);
			if (spent >= budget)
				throw new ServiceFault(
					409,
					`Your daily budget of ${roundedPrice(budget)} is spent (${roundedPrice(spent)} today). Servers that cost money can start again tomorrow.`,
				);
		},
		/** Call when a server has started. `rate`: cost per hour. */
		started(record: ServerRecord, rate: number): void {
			running.set(record.id, {record, rate, countedTo: Date.now()});
			plans.delete(record.id);
			plan();
		},
		ended,
		/** Fields to add to a server in a list. Empty if it has no limits. */
		fieldsOf(record: ServerRecord): Readonly<Record<string, unknown>> {
			const {idleStop, maxRun} = limitsOf(record);
			const due = plans.get(record.id);
			return {
				...(idleStop !== null && {idle_stop: textOf(idleStop)}),
				...(maxRun !== null && {max_run: textOf(maxRun)}),
				...(due && {stops_at: stopsAt(record.id), stop_cause: due.cause, stops_soon: due.isSoon}),
			};
		},
		answer,
		/**
		 * Sets a server's limits.
		 * @throws {ServiceFault} 400 if a limit is invalid, 404 if there is no such server.
		 */
		async set(user: string, {server_name: name, idle_stop, max_run}: LimitsRequest): Promise<LimitsAnswer> {
			const {id, idle_stop: idle, max_run: run} = recordOf(user, name);
			registry.limited(id, limitIn('idle_stop', idle_stop, idle), limitIn('max_run', max_run, run));
			const entry = running.get(id);
			if (entry) running.set(id, {...entry, record: recordOf(user, name)});
			const live = pool.get(id);
			if (live) await examine(live);
			return answer(user);
		},
		/** Stores the costs so far. */
		close(): void {
			clearTimeout(timer);
			for (const id of [...running.keys()]) ended(id);
		},
	};
};

export type StopLimits = ReturnType<typeof createStopLimits>;
