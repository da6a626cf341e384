import type {Hub} from '../../engines/jupyterhub/hub.ts';
import type {Caller} from '../servers.ts';

const MOST = 1000;
/** Maximum duration of a start, in ms. */
const LONGEST = 3_600_000;

/** Progress messages of starting servers. Each copy of the service subscribes separately. */
export const createHubProgress = (hub: Hub) => {
	const starts = new Map<string, {said: string | null; readonly stop: AbortController}>();
	return {
		of(caller: Caller, name: string): string | null {
			const id = `${caller.user}/${name}`;
			const known = starts.get(id);
			if (known || starts.size >= MOST) return known?.said ?? null;
			const stop = new AbortController();
			const start: {said: string | null; readonly stop: AbortController} = {said: null, stop};
			starts.set(id, start);
			const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST)]);
			void (async () => {
				for await (const said of hub.progress(caller.key, caller.user, name, signal)) start.said = said;
			})()
				// The stream was closed by the hub or the service. The next list of servers shows
				// the state.
				.catch(() => {})
				.finally(() => starts.delete(id));
			return null;
		},
		close() {
			for (const {stop} of starts.values()) stop.abort();
		},
	};
};

export type HubProgress = ReturnType<typeof createHubProgress>;
