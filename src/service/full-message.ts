import type {EnginePool} from './engine-pool.ts';
import type {ServerRecord} from './registry.ts';

const minutes = (milliseconds: number): string => `${Math.max(0, Math.round(milliseconds / 60_000))} min`;

/** Says which servers are in the way, the one to let go first. Servers of other users are counted, never named. */
export const fullMessage = (own: readonly ServerRecord[], pool: EnginePool): string => {
	const all = pool.all();
	const mine = all.flatMap(live => {
		const record = own.find(({id}) => id === live.id);
		return record ? [{name: record.name, busy: live.queue.busy(), since: Date.now() - live.lastUsed}] : [];
	}).sort((a, b) => Number(a.busy) - Number(b.busy) || b.since - a.since);
	const listed = mine.map(({name, busy, since}) => `${name} (${busy ? 'running code' : `idle ${minutes(since)}`})`);
	const others = all.length - mine.length;
	if (others > 0) listed.push(`${others} of other users`);
	const [first] = mine;
	const advice = first && !first.busy
		? `Let ${first.name} go: leave it unused and it goes offline in about ${minutes(pool.idleAfter - first.since)}, its files kept`
		: 'Wait until one has been idle';
	return `${all.length} servers are live, as many as may be at once: ${listed.join(', ')}. ${advice} (a server goes offline by itself after ${minutes(pool.idleAfter)} without use; there is no stop).`;
};
