import {randomUUID} from 'node:crypto';
import {explainFailure} from '../../api/failure.ts';
import type {Conversations, SavedConversation, SavedTurn} from '../../storage/conversations.ts';
import type {ServiceStorage} from '../../storage/service-storage.ts';
import {answerInProgress, isAnswering, conversationOf, type Conversation, type Turn} from './conversation.ts';
import type {State, Store} from '../core/program.ts';
import {messageOf} from '../../text/errors.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';
import {notices} from '../core/store/notices.ts';
import {chat} from './conversations.ts';

/** Longest delay until an arriving answer is on disk, in ms. */
const PACE = {atLatest: 1000};

const savedTurn = ({id: _, failure, notes, runs, usage, ...turn}: Turn): SavedTurn => ({
	...turn,
	carried: [...turn.carried],
	runs: runs.map(run => run.block),
	problem: failure === null ? notes : explainFailure(failure).what,
	usage: usage && {promptTokens: usage.promptTokens, completionTokens: usage.completionTokens},
});

const asSaved = (server: string, id: string, {model, turns}: Conversation): SavedConversation => ({
	id,
	server,
	model,
	turns: turns.map(savedTurn),
});

/** A restored turn. An answer that was in progress when the program ended is marked as `cut`. */
const restored = ({problem, runs, state, ...turn}: SavedTurn): Omit<Turn, 'id'> => ({
	...turn,
	state: state === 'waiting' || state === 'streaming' ? 'cut' : state,
	failure: null,
	notes: problem,
	runs: runs.map(block => ({block, cell: -1})),
});

/**
 * Starts to write conversations to files. When a server becomes current, restores its last
 * conversation, unless the user has already asked something. Provides the store with functions that
 * list, open, copy and delete conversations.
 */
export const persistConversations = (store: Store, keeper: ServiceStorage, files: Conversations): void => {
	const written = new Map<string, readonly Turn[]>();
	let hasFailed = false;
	const seen = new Set<string>();

	const writeOne = (server: string, conversation: Conversation): void => {
		const {turns} = conversation;
		if (turns.length === 0 || written.get(server) === turns) return;
		let id = conversation.id ?? randomUUID();
		// If another program writes to this conversation, this program continues in a copy.
		if (!files.write(asSaved(server, id, conversation))) {
			id = randomUUID();
			files.write(asSaved(server, id, conversation));
		}
		written.set(server, turns);
		if (id !== conversation.id) chat(store.getState).setConversationId(server, id);
	};
	const saver = keeper.saver(() => {
		for (const [server, conversation] of store.getState().conversations) {
			try {
				writeOne(server, conversation);
			} catch (error) {
				if (!hasFailed)
					notices(store.getState).notify(
						'bad',
						`The conversation cannot be saved: ${storageErrorText(error)}`,
					);
				hasFailed = true;
			}
		}
	}, PACE);
	const takeUp = (server: string, id: string): string | void => {
		try {
			const found = files.read(server, id);
			if (found === null) return 'This conversation has been deleted';
			chat(store.getState).openConversation(server, {
				id,
				model: found.model,
				turns: found.turns.map(restored),
			});
			written.set(server, store.getState().conversations.get(server)?.turns ?? []);
		} catch (error) {
			return messageOf(error);
		}
	};
	const onChange = (state: State, previous: State | undefined): void => {
		const {current} = state;
		if (current !== null && !seen.has(current)) {
			seen.add(current);
			const [newest] = (state.conversations.get(current)?.turns.length ?? 0) === 0 ? files.list(current) : [];
			if (newest !== undefined) {
				const reason = takeUp(current, newest.id);
				if (reason !== undefined) notices(store.getState).notify('bad', reason);
			}
		}
		if (state.conversations === previous?.conversations) return;
		for (const [server, {turns}] of state.conversations) {
			const before = previous?.conversations.get(server)?.turns;
			if (turns === before || turns === written.get(server) || turns.length === 0) continue;
			// Writes at once when a question was asked or an answer has ended.
			const isUrgent =
				turns.length !== before?.length || isAnswering(before.at(-1)) !== isAnswering(turns.at(-1));
			if (isUrgent) saver.flush();
			else saver.changed();
		}
	};

	chat(store.getState).setLibrary({
		list: files.list,
		takeUp(server, id) {
			if (isAnswering(store.getState().conversations.get(server)?.turns.at(-1))) return answerInProgress();
			saver.flush();
			return takeUp(server, id);
		},
		copy(server) {
			saver.flush();
			const now = conversationOf(store.getState(), server);
			if (now.turns.length === 0) return 'There is nothing to copy yet';
			chat(store.getState).setConversationId(server, null);
			written.delete(server);
			saver.flush();
			return 'This is a copy: new questions leave the original unchanged';
		},
		remove(server, id) {
			try {
				files.remove(server, id);
			} catch (error) {
				return `The conversation cannot be deleted: ${storageErrorText(error)}`;
			}
			if (store.getState().conversations.get(server)?.id === id) chat(store.getState).newConversation(server);
		},
	});
	store.subscribe(onChange);
	onChange(store.getState(), undefined);
};
