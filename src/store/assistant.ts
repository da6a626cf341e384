import type {StateCreator} from 'zustand/vanilla';
import type {Failure} from '../api/failure.ts';
import type {Message, Usage} from '../contract/assistant.ts';
import {MODELS} from '../contract/names.ts';
import {createEditor, type Editor} from '../text/editor.ts';
import {oncePerFrame} from './batch.ts';
import {changed, type ByServer} from './by-server.ts';
import type {Deps} from './deps.ts';

export type TurnState = 'waiting' | 'streaming' | 'done' | 'incomplete' | 'stopped' | 'failed';

/** A question and its answer as far as it came. */
export type Turn = {
	readonly id: number;
	readonly question: string;
	readonly model: string;
	readonly answer: string;
	readonly state: TurnState;
	readonly failure: Failure | null;
	readonly finishReason: string | null;
	/** null: not sent by the service. */
	readonly usage: Usage | null;
	readonly askedAt: number;
	readonly firstTextAt: number | null;
};

export type Conversation = {
	readonly turns: readonly Turn[];
	readonly draft: Editor;
	readonly history: readonly string[];
	readonly historyAt: number;
	readonly stash: string;
	readonly model: string;
	/** First line of the transcript on screen; null follows the end. */
	readonly top: number | null;
};

/** Starts with a model whose stream says when it ends and what it cost. */
export const EMPTY_CONVERSATION: Conversation = {turns: [], draft: createEditor(), history: [], historyAt: 0, stash: '', model: MODELS[1], top: null};

export type AssistantSlice = {
	readonly conversations: ByServer<Conversation>;
	ask(server: string, question: string): Promise<void>;
	/** Ends the stream and keeps the part received. True when there was one. */
	stopAnswer(server: string): boolean;
	/** Empties the field and keeps what was in it as the newest entry of the history. True when there was something. */
	stashQuestion(server: string): boolean;
	nextModel(server: string): void;
	changeConversation(server: string, change: Partial<Pick<Conversation, 'draft' | 'history' | 'historyAt' | 'stash' | 'top'>>): void;
};

export const isAnswering = (turn: Turn | undefined): boolean => turn?.state === 'waiting' || turn?.state === 'streaming';

/** The whole conversation as the service wants it: it keeps no history. */
const messagesOf = (turns: readonly Turn[], question: string): Message[] => [
	...turns.flatMap(turn => [
		{role: 'user', content: turn.question},
		...(turn.answer === '' ? [] : [{role: 'assistant', content: turn.answer}]),
	]),
	{role: 'user', content: question},
];

export const createAssistantSlice = ({client, now}: Deps): StateCreator<AssistantSlice, [], [], AssistantSlice> => (set, get) => {
	let lastId = 0;
	const streams = new Map<string, AbortController>();
	const conversationOf = (server: string): Conversation => get().conversations.get(server) ?? EMPTY_CONVERSATION;
	const change = (server: string, how: (old: Conversation) => Partial<Conversation>): void =>
		set({conversations: changed(get().conversations, server, EMPTY_CONVERSATION, old => ({...old, ...how(old)}))});
	const changeTurn = (server: string, id: number, how: (turn: Turn) => Partial<Turn>): void =>
		change(server, ({turns}) => ({turns: turns.map(turn => (turn.id === id ? {...turn, ...how(turn)} : turn))}));

	return {
		conversations: new Map(),
		async ask(server, question) {
			const {turns, model, history} = conversationOf(server);
			const id = ++lastId;
			const turn: Turn = {id, question, model, answer: '', state: 'waiting', failure: null, finishReason: null, usage: null, askedAt: now(), firstTextAt: null};
			const entries = [...history, question];
			change(server, () => ({turns: [...turns, turn], draft: createEditor(), history: entries, historyAt: entries.length, stash: '', top: null}));
			const stream = new AbortController();
			streams.set(server, stream);
			const text = oncePerFrame<string>(batch => changeTurn(server, id, old => ({
				answer: old.answer + batch.join(''),
				state: 'streaming',
				firstTextAt: old.firstTextAt ?? now(),
			})));
			const reply = await (await client()).chat(server, model, messagesOf(turns, question), {signal: stream.signal, onText: text.add});
			text.end();
			if (streams.get(server) === stream) streams.delete(server);
			changeTurn(server, id, () => {
				if (stream.signal.aborted) return {state: 'stopped'};
				if (!reply.ok) return {state: 'failed', failure: reply.failure};
				const {content, complete, problem, finishReason, usage} = reply.value;
				return {answer: content, state: complete && problem === null ? 'done' : 'incomplete', failure: problem, finishReason, usage};
			});
		},
		stopAnswer(server) {
			const stream = streams.get(server);
			stream?.abort();
			return stream !== undefined;
		},
		stashQuestion(server) {
			const {draft, history} = conversationOf(server);
			if (draft.text.trim() === '') return false;
			const kept = [...history, draft.text];
			change(server, () => ({draft: createEditor(), history: kept, historyAt: kept.length, stash: ''}));
			return true;
		},
		nextModel(server) {
			const at = MODELS.indexOf(conversationOf(server).model as (typeof MODELS)[number]);
			change(server, () => ({model: MODELS[(at + 1) % MODELS.length] ?? MODELS[1]}));
		},
		changeConversation: (server, next) => change(server, () => next),
	};
};
