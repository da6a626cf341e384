import {setTimeout as sleep} from 'node:timers/promises';
import type {AttachedServer} from './store.ts';

/** What was said so long ago still holds. */
const FRESH_MS = 2000;
/** A list does not wait longer for a server that is silent. */
const PATIENCE_MS = 1500;

type State = {at: number; says: string | null; asking: Promise<string | null> | null};

const SILENT = 'It has not answered yet: look again in a moment.';

/** Whether attached servers answer: null, or a sentence why one is offline. `ask` never rejects. */
export const createHealth = (ask: (server: AttachedServer) => Promise<string | null>) => {
	const states = new Map<string, State>();
	const idOf = ({url, token, authority = ''}: AttachedServer): string => `${url} ${token} ${authority}`;

	const renew = (server: AttachedServer, state: State): Promise<string | null> => {
		state.asking ??= ask(server).then(says => {
			Object.assign(state, {at: performance.now(), says, asking: null});
			return says;
		});
		return state.asking;
	};
	return {
		async of(server: AttachedServer): Promise<string | null> {
			const id = idOf(server);
			const state = states.get(id) ?? {at: -Infinity, says: SILENT, asking: null};
			states.set(id, state);
			if (performance.now() - state.at < FRESH_MS) return state.says;
			return Promise.race([
				renew(server, state),
				sleep(PATIENCE_MS, undefined, {ref: false}).then(() => state.says),
			]);
		},
		/** What is known of it is out of date. */
		doubt(server: AttachedServer): void {
			states.delete(idOf(server));
		},
	};
};
