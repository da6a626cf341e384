import {isAnswering, type ConversationsState} from '../../assistant/conversation.ts';
import {hasFailed, isPending, type CellsSlice} from '../../repl/slice.ts';
import type {Deps} from './deps.ts';
import type {Pane, Slice} from '../program.ts';

/** What of a pane's work came to its end while the pane was not on screen. */
export type SeenSlice = {
	/** By server and pane: how much had ended when it was left; null while it is on screen. */
	readonly seen: ReadonlyMap<string, number | null>;
	/** Answers of earlier programs are no news. ms since the epoch. */
	readonly began: number;
	showPane(server: string, pane: Pane): void;
	leavePane(server: string, pane: Pane): void;
};

type Needs = SeenSlice & Pick<CellsSlice, 'repls'> & ConversationsState;

const keyOf = (server: string, pane: Pane): string => `${pane} ${server}`;

type Ended = {readonly count: number; readonly failed: boolean};
const NOTHING: Ended = {count: 0, failed: false};

/** What ended since the program began, and whether the last of it failed. */
const endedIn = ({repls, conversations, began}: Needs, server: string, pane: Pane): Ended => {
	if (pane === 'repl') {
		const ended = (repls.get(server)?.cells ?? []).filter(cell => cell.earlier === null && !isPending(cell));
		const last = ended.at(-1);
		return last ? {count: ended.length, failed: hasFailed(last)} : NOTHING;
	}
	if (pane === 'assistant') {
		const ended = (conversations.get(server)?.turns ?? []).filter(
			turn => turn.askedAt >= began && !isAnswering(turn),
		);
		const last = ended.at(-1);
		return last
			? {count: ended.length, failed: last.state === 'failed' || last.state === 'incomplete'}
			: NOTHING;
	}
	return NOTHING;
};

/** How that ended which nobody has seen; null when there is nothing of the kind. */
export const unseenIn = (state: Needs, server: string, pane: Pane): 'good' | 'bad' | null => {
	const before = state.seen.get(keyOf(server, pane));
	if (before === null) return null;
	const {count, failed} = endedIn(state, server, pane);
	return count > (before ?? 0) ? (failed ? 'bad' : 'good') : null;
};

export const createSeenSlice =
	({now}: Deps): Slice<SeenSlice> =>
	(set, get) => ({
		seen: new Map(),
		began: now(),
		showPane: (server, pane) => set({seen: new Map(get().seen).set(keyOf(server, pane), null)}),
		leavePane: (server, pane) =>
			set({seen: new Map(get().seen).set(keyOf(server, pane), endedIn(get(), server, pane).count)}),
	});
