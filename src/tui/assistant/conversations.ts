import {createEditor} from '../../text/editor/editor.ts';
import {MODELS} from '../../contract/names.ts';
import {keyFor} from '../../text/key-name.ts';
import {messageText, type Packed} from './attachments.ts';
import {isContext} from './context-file.ts';
import {
	conversationAccess,
	answerInProgress,
	finishedTurn,
	SUMMARY_QUESTION,
	isAnswering,
	isAsking,
	isSummary,
	messagesOf,
	modelIn,
	newTurn,
	turnsBefore,
	withReplaced,
	type Conversation,
	type ConversationLibrary,
	type ConversationsState,
	type Turn,
} from './conversation.ts';
import {textPerFrame} from '../core/store/batch.ts';
import {replacedBy, withEntry} from '../core/store/typed-field.ts';

export {
	EMPTY_CONVERSATION,
	isAnswering,
	isAsking,
	modelIn,
	messageContextOf,
	type Conversation,
	type Turn,
	type TurnState,
} from './conversation.ts';
import {messageOf} from '../../text/errors.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

/** `replaces`: this turn and all later ones are no longer sent. */
export type AskOptions = {
	readonly carried?: readonly Packed[];
	readonly model?: string;
	readonly replaces?: number | null;
};

export type AssistantState = ConversationsState & {
	/** Null until the state folder has been opened. */
	readonly library: ConversationLibrary | null;
};

export type Chat = {
	setLibrary(library: ConversationLibrary): void;
	setConversationId(server: string, id: string | null): void;
	/** Starts a new conversation; the old one stays on disk. If it fails, returns the reason. */
	newConversation(server: string): string | void;
	/** Replaces the conversation with a stored one, and keeps the draft. */
	openConversation(
		server: string,
		saved: {readonly id: string; readonly model: string; readonly turns: readonly Omit<Turn, 'id'>[]},
	): void;
	ask(server: string, question: string, options?: AskOptions): Promise<void>;
	/** Adds a turn whose answer comes from a task, not from a chat request. Returns its id. */
	addTurn(server: string, question: string, model: string, carried?: readonly Packed[]): number;
	/**
	 * Puts the last question back into the field. Sending that text replaces the old turn. If it
	 * fails, returns the reason.
	 */
	editQuestion(server: string): string | void;
	/**
	 * Asks the model for a summary, which later requests include instead of the turns so far. If
	 * the last turn is such a summary, discards it, so that the earlier turns are sent again.
	 */
	foldTurns(server: string): string | void;
	/** Stops the stream and keeps the text received so far. False if no stream was in progress. */
	stopStream(server: string): boolean;
	/**
	 * Empties the field and adds its text to the history as the newest entry. False if the field
	 * was empty.
	 */
	stashQuestion(server: string): boolean;
	/** Replaces the text of the field. The old text becomes the newest entry of the history. */
	replaceQuestion(server: string, text: string): void;
	setModel(server: string, model: string): void;
	/** Requests the model names from the local service, once, if the profile lists none. */
	nameModels(): Promise<void>;
	/** Writes the conversation as markdown to a new local file, and reports the path. */
	exportConversation(server: string, path: string): Promise<void>;
	changeConversation(
		server: string,
		change: Partial<
			Pick<
				Conversation,
				| 'draft'
				| 'folds'
				| 'hiddenFor'
				| 'suggestedAt'
				| 'history'
				| 'historyAt'
				| 'stash'
				| 'top'
				| 'raw'
				| 'showsThinking'
				| 'chosenBlock'
				| 'goTo'
				| 'found'
			>
		>,
	): void;
};

/** View of a conversation that was just opened. */
const NOT_LOOKED_AT = {top: null, chosenBlock: null, goTo: null, found: null, editing: null} as const;

/** A conversation as a document for people without this program. */
const asMarkdown = (turns: readonly Turn[]): string =>
	turns
		.filter(turn => !turn.replaced)
		.map(
			turn =>
				`## ${turn.question.trim().split('\n', 1)[0] ?? ''}\n\n${messageText(turn.question, turn.carried)}\n\n**${turn.model}**${turn.state === 'done' ? '' : ' (incomplete)'}\n\n${turn.answer.trimEnd()}\n`,
		)
		.join('\n');

const firstAssistant = (): AssistantState => ({conversations: new Map(), library: null});

export const chat = part(
	'chat',
	({get, set, deps: {client, now}}: App): Chat => {
		let lastId = 0;
		let areNamed = false;
		const streams = new Map<string, AbortController>();
		const {of, change, changeTurn} = conversationAccess(set, get);

		const stream = async (server: string, {id, model}: Turn): Promise<void> => {
			const request = new AbortController();
			streams.set(server, request);
			const {turns} = of(server);
			const text = textPerFrame(more =>
				changeTurn(server, id, old => ({
					answer: old.answer + more,
					state: 'streaming',
					firstTextAt: old.firstTextAt ?? now(),
				})),
			);
			const thought = textPerFrame(more =>
				changeTurn(server, id, ({reasoning}) => ({reasoning: reasoning + more, state: 'streaming'})),
			);
			const reply = await (
				await client()
			).chat(server, model, messagesOf(turns), {
				signal: request.signal,
				onText: text.add,
				onThought: thought.add,
			});
			await Promise.all([thought, text].map(async part => part.end(request.signal)));
			if (streams.get(server) === request) streams.delete(server);
			changeTurn(server, id, () => finishedTurn(reply, request.signal.aborted));
		};

		return {
			setLibrary: library => set({library}),
			setConversationId: (server, id) => change(server, () => ({id})),
			newConversation(server) {
				const {turns} = of(server);
				if (turns.length === 0) return 'This conversation is new already';
				if (isAnswering(turns.at(-1))) return answerInProgress();
				change(server, () => ({...NOT_LOOKED_AT, id: null, turns: []}));
			},
			openConversation(server, {id, model, turns}) {
				const numbered = turns.map((turn): Turn => ({...turn, id: ++lastId}));
				const asked = turns.map(turn => turn.question);
				change(server, ({history}) => {
					const known = [...asked.filter(question => !history.includes(question)), ...history];
					return {
						...NOT_LOOKED_AT,
						id,
						model,
						sent: asked.at(-1) ?? null,
						turns: numbered,
						history: known,
						historyAt: known.length,
					};
				});
			},
			async ask(
				server,
				question,
				{carried = [], model = modelIn(get().models, of(server).model), replaces = null} = {},
			) {
				const turn = newTurn(++lastId, {question, carried, model, askedAt: now()});
				const {turns, history} = of(server);
				change(server, () => ({
					...withEntry(history, question),
					turns: [...withReplaced(turns, replaces), turn],
					sent: question,
					top: null,
					chosenBlock: null,
				}));
				await stream(server, turn);
			},
			addTurn(server, question, model, carried = []) {
				const turn = newTurn(++lastId, {question, carried, model, askedAt: now()});
				change(server, ({history, turns}) => ({
					...withEntry(history, question),
					turns: [...turns, turn],
					sent: question,
					top: null,
					chosenBlock: null,
				}));
				return turn.id;
			},
			editQuestion(server) {
				const last = of(server).turns.at(-1);
				if (last === undefined) return 'Nothing has been asked yet';
				if (streams.has(server)) return answerInProgress();
				if (of(server).draft.text.trim() !== '')
					return `The field holds a question already: send it or set it aside with ${keyFor('always.interrupt')}`;
				const text = isSummary(last) ? last.answer : last.question;
				change(server, () => ({
					draft: createEditor(text),
					folds: [],
					hiddenFor: text,
					editing: last.id,
					// Omits the server's `AGENTS.md`: its current version is attached instead.
					attached: last.carried
						.filter(packed => !isContext(packed))
						.map(packed => ({
							mention: packed.mention,
							attachment: null,
							explicit: true,
							packed,
							problem: null,
						})),
				}));
			},
			foldTurns(server) {
				if (isAsking(of(server))) return answerInProgress();
				if (of(server).comparison !== null) return 'You are comparing answers. Choose one first';
				const {turns} = of(server);
				const summary = turns.at(-1);
				if (summary !== undefined && isSummary(summary)) {
					changeTurn(server, summary.id, () => ({replaced: true}));
					return 'The earlier turns are sent again';
				}
				if (!turnsBefore({turns, editing: null}).some(({answer}) => answer !== ''))
					return 'There is nothing to summarise yet';
				void chat(get).ask(server, SUMMARY_QUESTION);
			},
			stopStream(server) {
				const request = streams.get(server);
				request?.abort();
				return request !== undefined;
			},
			stashQuestion(server) {
				const {draft, history} = of(server);
				if (draft.text.trim() === '') return false;
				change(server, () => ({
					...withEntry(history, draft.text),
					draft: createEditor(),
					folds: [],
					editing: null,
				}));
				return true;
			},
			replaceQuestion: (server, text) => change(server, old => ({...replacedBy(old, text), folds: []})),
			setModel: (server, model) => change(server, () => ({model})),
			async nameModels() {
				if (!get().isLocal || get().models.length > 0 || areNamed) return;
				areNamed = true;
				const reply = await (await client()).modelNames();
				// The ids serve as names if the service does not respond.
				if (!reply.ok || reply.value.length === 0) return;
				set({models: MODELS.map(id => reply.value.find(each => each.id === id) ?? {id, name: id})});
			},
			async exportConversation(server, path) {
				try {
					const {writeNewFile} = await import('../../machine/local-file.ts');
					notices(get).notify(
						'good',
						`The conversation is in ${await writeNewFile(path, asMarkdown(of(server).turns))}`,
					);
				} catch (error) {
					notices(get).notify('bad', messageOf(error));
				}
			},
			changeConversation: (server, next) => change(server, () => next),
		};
	},
	firstAssistant,
);
