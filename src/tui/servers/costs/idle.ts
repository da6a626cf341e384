import type {ServerItem} from '../../../contract/servers.ts';
import {allFeatures} from '../../core/features.ts';
import type {State} from '../../core/program.ts';
import {isAttached} from '../ask-to-start.ts';
import {rateOf} from './rentals.ts';

/** Time without use after which the user is notified about a server that costs money, in ms. */
export const IDLE_AFTER = 40 * 60_000;

const GOES_ON: ReadonlySet<string> = new Set(['queued', 'kernel', 'running', 'detached']);

/**
 * Time since this program last ran something on the server, in ms since the epoch; null if
 * something runs. Activity of other programs is unknown.
 */
const unusedSince = (state: State, server: string, began: number): number | null => {
	const ran = allFeatures().flatMap(({runs}) => runs?.(state, server) ?? []);
	if (ran.some(each => GOES_ON.has(each.state))) return null;
	if (state.jobs.get(server)?.value?.some(({isRunning}) => isRunning)) return null;
	const since = Math.max(began, state.rentals.get(server)?.since ?? 0);
	return ran.reduce((last, {startedAt, endedAt}) => Math.max(last, endedAt ?? startedAt ?? 0), since);
};

/**
 * Ready servers that cost money and seem idle to this program, with the start of the idle time.
 * `began`: start of the program. All times are in ms since the epoch.
 */
export const idleServers = (state: State, began: number, now: number): ReadonlyMap<string, number> =>
	new Map(
		(state.servers.value?.items ?? []).flatMap((server: ServerItem) => {
			if (server.status !== 'ready' || isAttached(server) || rateOf(state, server) === 0) return [];
			const since = unusedSince(state, server.name, began);
			return since !== null && now - since >= IDLE_AFTER ? [[server.name, since] as const] : [];
		}),
	);
