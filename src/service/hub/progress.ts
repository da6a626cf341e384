import type {Hub} from '../../engines/jupyterhub/hub.ts';
import type {Caller} from '../servers.ts';

const MOST = 1000;
/** Milliseconds: no start takes longer. */
const LONGEST = 3_600_000;

/** What the hub says of servers while they start. A copy listens for itself, from the first list in which a server starts: nothing that a second copy would miss. */
export const createHubProgress = (hub: Hub) => {
	const heard = new Map<string, {said: string | null; readonly stop: AbortController}>();
	return {
		/** What was last said; null as long as nothing was. */
		of(caller: Caller, name: string): string | null {
			const id = `${caller.user}/${name}`;
			const known = heard.get(id);
			if (known || heard.size >= MOST) return known?.said ?? null;
			const stop = new AbortController();
			const start: {said: string | null; readonly stop: AbortController} = {said: null, stop};
			heard.set(id, start);
			const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST)]);
			void (async () => {
				for await (const said of hub.progress(caller.key, caller.user, name, signal)) start.said = said;
			})()
				// The hub has gone, or we have: the list tells.
				.catch(() => {})
				.finally(() => heard.delete(id));
			return null;
		},
		close() {
			for (const {stop} of heard.values()) stop.abort();
		},
	};
};

export type HubProgress = ReturnType<typeof createHubProgress>;
