import {meaningOf} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';

/**
 * Time after a change in which an unknown state may change again, in ms. After that, the state
 * counts as final: `läuft` may be a service's word for running.
 */
const SETTLING = 120_000;

/**
 * Returns a function that receives each list and returns true if a server may change soon, which
 * justifies frequent polls.
 */
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
