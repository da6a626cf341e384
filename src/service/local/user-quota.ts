import type {EnginePool} from './engine-pool.ts';
import type {ServerRecord} from './registry.ts';
import {noMemoryFor, processesOf, shareOf, type MemoryCapacity} from './memory-capacity.ts';

const minutes = (milliseconds: number): string => `${Math.max(0, Math.round(milliseconds / 60_000))} min`;
const counted = (count: number): string => `${count} server${count === 1 ? '' : 's'}`;

export type UserQuota = {
	/** Number of servers that the user can still start. */
	readonly left: number;
	/** Reason why the user can start none, as a sentence. Null if any can be started. */
	readonly full: string | null;
};

/** Number of processes of these servers, including those of their additional kernels. */
export const processCount = (own: readonly ServerRecord[], pool: EnginePool): number =>
	own.reduce((sum, {id}) => {
		const live = pool.get(id);
		return sum + (live ? processesOf(live).length : 0);
	}, 0);

/**
 * Quota of a user. `own`: records of the user's servers. `users`: number of the service's users.
 */
export const userQuota = (
	own: readonly ServerRecord[],
	{room, pool, users}: {readonly room: MemoryCapacity; readonly pool: EnginePool; readonly users: number},
): UserQuota => {
	const servers = own.filter(({id}) => pool.get(id) !== undefined).length;
	const mine = processCount(own, pool);
	const share = shareOf(room, users);
	const left = Math.max(0, Math.min(room.free, share - mine));
	if (left > 0) return {left, full: null};
	const running = mine === servers ? counted(servers) : `${counted(servers)} with ${mine} Python processes`;
	return {
		left,
		full:
			mine >= share && room.free > 0
				? `You are running ${running}, your share of this machine's memory (${counted(room.whole)} for ${users} users).`
				: noMemoryFor('server', room),
	};
};

/**
 * Appends a list of the user's live servers, in the order in which to stop them. Servers of other
 * users are only counted.
 */
export const fullMessage = (full: string, own: readonly ServerRecord[], pool: EnginePool): string => {
	const mine = own
		.flatMap(({id, name}) => {
			const live = pool.get(id);
			return live ? [{name, busy: live.queue.busy(), since: Date.now() - live.lastUsed}] : [];
		})
		.sort((a, b) => Number(a.busy) - Number(b.busy) || b.since - a.since);
	const listed = mine.map(
		({name, busy, since}) => `${name} (${busy ? 'running code' : `idle ${minutes(since)}`})`,
	);
	const others = pool.all().length - mine.length;
	if (others > 0) listed.push(`${others} of other users`);
	if (listed.length === 0)
		return `${full} Close other programs on its machine, or give the service more memory, then start it again.`;
	const [first] = mine;
	const advice =
		first && !first.busy
			? `Leave ${first.name} unused: it goes offline in about ${minutes(pool.idleAfter - first.since)} and keeps its files`
			: 'Wait until one has been idle';
	return `${full} Running: ${listed.join(', ')}. ${advice} (servers go offline automatically after ${minutes(pool.idleAfter)} without use).`;
};
