import type {ChatAnswer} from '../../api/client-types.ts';
import type {Failure, Reply} from '../../api/failure.ts';
import type {Message, Usage} from '../../contract/assistant.ts';
import {leftOutText} from '../../text/answer-end.ts';
import type {ModelName} from '../../contract/model-names.ts';
import {MODELS} from '../../contract/names.ts';
import {keyFor} from '../../text/key-name.ts';
import type {ConversationSummary} from '../../storage/conversations.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {cutMiddle} from '../../text/cut-middle.ts';
import type {Fold} from '../../text/output/paste-folds.ts';
import {SUMMARY_REQUEST} from '../../text/summary-request.ts';
import {mentionsIn, mentionOf, messageText, type Attached, type Packed} from './attachments.ts';
import {contextToSend, type ContextFile} from './context-file.ts';
import type {State} from '../core/program.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';

/** `cut`: the program ended before the answer was complete. */
export type TurnState = 'waiting' | 'streaming' | 'done' | 'incomplete' | 'stopped' | 'failed' | 'cut';

/** A code block: the turn's id, and the index of the block in its answer. */
export type BlockPlace = {readonly turn: number; readonly block: number};
/** A code block of an answer that was run, with the id of its cell. */
export type BlockRun = {readonly block: number; readonly cell: number};

/** A question and its answer so far. */
export type Turn = {
	readonly id: number;
	readonly question: string;
	/** Attachments, which follow the question in the message. */
	readonly carried: readonly Packed[];
	readonly model: string;
	readonly answer: string;
	/** The model's thinking. Shown, but never sent back. */
	readonly reasoning: string;
	readonly state: TurnState;
	readonly failure: Failure | null;
	/**
	 * Problem shown below the answer if `failure` is null: why a task failed, or the saved problem
	 * of a restored turn. Null if there was none.
	 */
	readonly notes: string | null;
	readonly finishReason: string | null;
	/** Sentence about stream lines that are not text of the answer; empty if there were none. */
	readonly leftOut: string;
	/** Token counts; null if the service sent none. */
	readonly usage: Usage | null;
	readonly askedAt: number;
	readonly firstTextAt: number | null;
	/**
	 * True if the question was asked again or edited later. The turn stays on screen but is no
	 * longer sent.
	 */
	readonly replaced: boolean;
	readonly runs: readonly BlockRun[];
};

/** Answers of several models to one question, until the user chooses an answer. */
export type Comparison = {
	readonly question: string;
	readonly carried: readonly Packed[];
	/** Id of the turn that the answers replace; null for a new question. */
	readonly replaces: number | null;
	/** True if the question stays in the field until the user chooses an answer. */
	readonly isFromField: boolean;
	/** Answers of the models, one turn each, with negative ids. */
	readonly answers: readonly Turn[];
	readonly chosen: number;
	/** First visible line of each answer; null follows its end. */
	readonly tops: readonly (number | null)[];
};

export type Conversation = {
	/** Id in storage. Null until the conversation has been stored. */
	readonly id: string | null;
	readonly turns: readonly Turn[];
	readonly draft: Editor;
	/** Long pastes in the draft that are shown as chips. */
	readonly folds: readonly Fold[];
	/**
	 * `hiddenFor`: text for which the user closed the suggestions. `suggestedAt`: index of the
	 * selected suggestion.
	 */
	readonly hiddenFor: string | null;
	readonly suggestedAt: number;
	/** The latest question that was sent. */
	readonly sent: string | null;
	readonly history: readonly string[];
	readonly historyAt: number;
	readonly stash: string;
	readonly model: string;
	/** First visible line of the transcript; null follows the end. */
	readonly top: number | null;
	/** Explicit attachments, and the files and cells that the question mentions. */
	readonly attached: readonly Attached[];
	/** Message to send when the answer in progress ends; null for none. */
	readonly queued: {readonly text: string; readonly attached: readonly Attached[]} | null;
	/** The server's `AGENTS.md`, if known. */
	readonly context: ContextFile | null;
	/** Selected code block; null for the last one. */
	readonly chosenBlock: BlockPlace | null;
	/** Turn to scroll to, and the text to find in it. */
	readonly goTo: {readonly turn: number; readonly text: string} | null;
	/** Row of the current search hit. `number`: position among all `count` hits, from 1. */
	readonly found: {
		readonly block: number;
		readonly row: number;
		readonly number: number;
		readonly count: number;
	} | null;
	/** True if answers are shown as markdown source. */
	readonly raw: boolean;
	/** True if the thinking of models is unfolded. */
	readonly showsThinking: boolean;
	/** Turn whose question is being edited: sending replaces it and all later turns. */
	readonly editing: number | null;
	/**
	 * Question that was not sent because a mentioned file or cell could not be attached. Sending it
	 * again unchanged sends it without that attachment.
	 */
	readonly refused: string | null;
	readonly comparison: Comparison | null;
	/** Models of the latest comparison. */
	readonly comparedWith: readonly string[];
};

/** A conversation without turns. Its default model streams a finish reason and token counts. */
export const EMPTY_CONVERSATION: Conversation = {
	id: null,
	turns: [],
	draft: createEditor(),
	folds: [],
	hiddenFor: null,
	suggestedAt: 0,
	sent: null,
	history: [],
	historyAt: 0,
	stash: '',
	model: MODELS[1],
	top: null,
	attached: [],
	queued: null,
	context: null,
	chosenBlock: null,
	goTo: null,
	found: null,
	raw: false,
	showsThinking: false,
	editing: null,
	refused: null,
	comparison: null,
	comparedWith: [],
};

/** State of the field after its text was sent. */
export const NOTHING_TYPED = {
	draft: createEditor(),
	folds: [],
	stash: '',
	attached: [],
	editing: null,
	refused: null,
} as const satisfies Partial<Conversation>;

/** Model to ask: the chosen one if the profile has it, else the first model of the profile. */
export const modelIn = (models: readonly ModelName[], chosen: string): string =>
	models.some(({id}) => id === chosen) ? chosen : (models[0]?.id ?? chosen);

/** The stored conversations. A returned sentence is an error, or reports what was done. */
export type ConversationLibrary = {
	/** Newest first. */
	list(server: string): readonly ConversationSummary[];
	takeUp(server: string, id: string): string | void;
	/** Copies the current conversation, and continues in the copy. */
	copy(server: string): string;
	remove(server: string, id: string): string | void;
};

export type ConversationsState = {readonly conversations: ByServer<Conversation>};

export const conversationOf = ({conversations}: ConversationsState, server: string): Conversation =>
	conversations.get(server) ?? EMPTY_CONVERSATION;

export const isAnswering = (turn: Turn | undefined): boolean =>
	turn?.state === 'waiting' || turn?.state === 'streaming';

/** Error sentence for a question that is sent while an answer is in progress. */
export const answerInProgress = (): string => `An answer is in progress. ${keyFor('global.back')} stops it`;

/** True while an answer is in progress. */
export const isAsking = (conversation: Pick<Conversation, 'turns' | 'comparison'> | undefined): boolean =>
	isAnswering(conversation?.turns.at(-1)) || (conversation?.comparison?.answers.some(isAnswering) ?? false);

/** The turns, with turn `replaces` and all later ones marked as replaced. */
export const withReplaced = (turns: readonly Turn[], replaces: number | null): readonly Turn[] => {
	const from = replaces === null ? turns.length : turns.findIndex(each => each.id === replaces);
	return turns.map((each, index) => (index < from || each.replaced ? each : {...each, replaced: true}));
};

/** A turn that waits for its answer. */
export const newTurn = (
	id: number,
	{question, carried, model, askedAt}: Pick<Turn, 'question' | 'carried' | 'model' | 'askedAt'>,
): Turn => ({
	id,
	question,
	carried,
	model,
	answer: '',
	state: 'waiting',
	failure: null,
	notes: null,
	finishReason: null,
	leftOut: '',
	usage: null,
	askedAt,
	reasoning: '',
	firstTextAt: null,
	replaced: false,
	runs: [],
});

/** Changes to a turn after its answer has ended. */
export const finishedTurn = (reply: Reply<ChatAnswer>, isStopped: boolean): Partial<Turn> => {
	if (isStopped) return {state: 'stopped'};
	if (!reply.ok) return {state: 'failed', failure: reply.failure};
	const {content, complete, problem, finishReason, usage, notes} = reply.value;
	return {
		answer: content,
		reasoning: notes?.reasoning ?? '',
		leftOut: notes ? leftOutText(notes) : '',
		state: complete && problem === null ? 'done' : 'incomplete',
		failure: problem,
		finishReason,
		usage,
	};
};

/** Start of a question that starts a task. */
export const TASK_PREFIX = '/work ';

/** Question of a turn whose answer summarises all earlier turns. */
export const SUMMARY_QUESTION = '/compact';

/** True if the answer of this turn replaces the earlier turns. */
export const isSummary = (turn: Turn | undefined): boolean =>
	turn?.question === SUMMARY_QUESTION && turn.state === 'done' && turn.answer !== '' && !turn.replaced;

const unfolded = (turns: readonly Turn[]): readonly Turn[] =>
	turns.slice(Math.max(0, turns.findLastIndex(isSummary)));

/** Earlier turns that the next request includes. Omits turns that the edited question replaces. */
export const turnsBefore = ({turns, editing}: Pick<Conversation, 'turns' | 'editing'>): readonly Turn[] =>
	unfolded(withReplaced(turns, editing).filter(turn => !turn.replaced && !isAnswering(turn)));

export type MessageContext = Pick<Conversation, 'attached' | 'draft' | 'context' | 'turns' | 'editing'>;

/**
 * Context of the next message in this order: `AGENTS.md`, explicit attachments, attachments that
 * the question mentions.
 */
export const messageContextOf = (conversation: MessageContext): readonly Attached[] => {
	const {attached, draft} = conversation;
	// The first message of a task includes no earlier turns, so their attachments do not count.
	if (draft.text.startsWith(TASK_PREFIX)) return contextToSend(conversation, []);
	const explicit = attached.filter(each => each.explicit);
	const mentioned = mentionsIn(draft.text).map(({attachment}): Attached => {
		const mention = mentionOf(attachment);
		return (
			attached.find(each => each.mention === mention) ?? {
				mention,
				attachment,
				explicit: false,
				packed: null,
				problem: null,
			}
		);
	});
	const context = contextToSend(conversation, turnsBefore(conversation));
	const all = new Map([...context, ...explicit, ...mentioned].map(each => [each.mention, each]));
	return [...all.values()];
};

/**
 * Longest message in a request for a summary, in UTF-16 units. Longer messages are cut, because the
 * whole conversation may exceed the model's context.
 */
const MOST_SUMMED_UP = 8000;

/**
 * The whole conversation as messages, because the service stores no conversations. Omits turns that
 * were replaced or summarised.
 */
export const messagesOf = (turns: readonly Turn[]): readonly Message[] => {
	const sent = unfolded(turns.filter(turn => !turn.replaced));
	const last = sent.at(-1);
	const isFolding = last?.question === SUMMARY_QUESTION && !isSummary(last);
	const text = (said: string): string => (isFolding ? cutMiddle(said, MOST_SUMMED_UP) : said);
	return sent
		.filter(turn => !isFolding || turn === last || turn.answer !== '')
		.flatMap(turn => [
			{
				role: 'user',
				content: text(
					turn.question === SUMMARY_QUESTION ? SUMMARY_REQUEST : messageText(turn.question, turn.carried),
				),
			},
			...(turn.answer === '' ? [] : [{role: 'assistant', content: text(turn.answer)}]),
		]);
};

export const conversationAccess = (set: (next: ConversationsState) => void, get: () => State) => {
	const change = (server: string, how: (old: Conversation) => Partial<Conversation>): void =>
		set({
			conversations: changed(get().conversations, server, EMPTY_CONVERSATION, old => ({...old, ...how(old)})),
		});
	return {
		of: (server: string): Conversation => conversationOf(get(), server),
		change,
		changeTurn: (server: string, id: number, how: (turn: Turn) => Partial<Turn>): void =>
			change(server, ({turns}) => ({
				turns: turns.map(turn => (turn.id === id ? {...turn, ...how(turn)} : turn)),
			})),
	};
};
