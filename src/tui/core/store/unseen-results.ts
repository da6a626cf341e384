import type {Deps} from './deps.ts';
import type {Pane, State} from '../program.ts';
import {screenSpec} from '../features.ts';
import {part, type App} from '../app.ts';

/** Results of a pane's work that arrived while the pane was off screen. */
export type SeenState = {
	/**
	 * Number of results by server and pane at the time when the pane left the screen; null while it
	 * is visible.
	 */
	readonly seen: ReadonlyMap<string, number | null>;
	/** Start of the program in ms since the epoch. Results from earlier runs do not count. */
	readonly began: number;
};

export type SeenWork = {
	showPane(server: string, pane: Pane): void;
	leavePane(server: string, pane: Pane): void;
};

const keyOf = (server: string, pane: Pane): string => `${pane} ${server}`;

const endedIn = (state: State, server: string, pane: Pane) =>
	screenSpec(pane).ended?.(state, server) ?? {count: 0, failed: false};

/** Outcome of the pane's work that finished off screen, or null. */
export const unseenResult = (state: State, server: string, pane: Pane): 'good' | 'bad' | null => {
	const before = state.seen.get(keyOf(server, pane));
	if (before === null) return null;
	const {count, failed} = endedIn(state, server, pane);
	return count > (before ?? 0) ? (failed ? 'bad' : 'good') : null;
};

export const isOnScreen = ({seen}: Pick<SeenState, 'seen'>, server: string, pane: Pane): boolean =>
	seen.get(keyOf(server, pane)) === null;

const firstSeen = ({now}: Deps): SeenState => ({seen: new Map(), began: now()});

export const seenWork = part(
	'seenWork',
	({get, set}: App): SeenWork => ({
		showPane: (server, pane) => set({seen: new Map(get().seen).set(keyOf(server, pane), null)}),
		leavePane: (server, pane) =>
			set({seen: new Map(get().seen).set(keyOf(server, pane), endedIn(get(), server, pane).count)}),
	}),
	firstSeen,
);
