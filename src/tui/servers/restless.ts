import {meaningOf} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';

/** How long an unknown state may become another one soon, in ms. It may also be the last one, as `läuft` is. */
const SETTLING = 120_000;

/** Answers a function that takes each list, and says if one of its servers may change soon: it is worth frequent polls. */
export const watchStates = (now: () => number): ((items: readonly ServerItem[]) => boolean) => {
	let states = '';
	let changedAt = 0;
	return items => {
		const seen = JSON.stringify(items.map(({name, status}) => [name, status]).sort());
		if (seen !== states) changedAt = now();
		states = seen;
		const isSettling = now() - changedAt < SETTLING;
		return items.some(({status}) => {
			const meaning = meaningOf(status);
			return meaning === 'coming' || meaning === 'ending' || (meaning === 'unknown' && isSettling);
		});
	};
};
