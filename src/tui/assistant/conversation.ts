import type {ChatAnswer} from '../../api/client-types.ts';
import type {Failure, Reply} from '../../api/failure.ts';
import type {Message, Usage} from '../../contract/assistant.ts';
import {leftOutText} from '../../text/answer-end.ts';
import type {ModelName} from '../../contract/model-names.ts';
import {MODELS} from '../../contract/names.ts';
import type {ConversationSummary} from '../../storage/conversations.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {cutMiddle} from '../../text/cut-middle.ts';
import type {Fold} from '../../text/output/paste-folds.ts';
import {SUMMARY_REQUEST} from '../../text/summary-request.ts';
import {mentionsIn, mentionOf, messageText, type Attached, type Packed} from './attachments.ts';
import {contextToSend, type ContextFile} from './context-file.ts';
import type {State} from '../core/program.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';

/** `cut`: the program ended before the answer did. */
export type TurnState = 'waiting' | 'streaming' | 'done' | 'incomplete' | 'stopped' | 'failed' | 'cut';

/** A code block: the turn's id, and which of the blocks in its answer, from 0. */
export type BlockPlace = {readonly turn: number; readonly block: number};
/** A code block of an answer, counted from 0, that was run, and the id of the cell that came of it. */
export type BlockRun = {readonly block: number; readonly cell: number};

/** A question and its answer as far as it came. */
export type Turn = {
	readonly id: number;
	readonly question: string;
	/** What the message carried behind the question. */
	readonly carried: readonly Packed[];
	readonly model: string;
	readonly answer: string;
	/** What the model thought: shown, and never sent. */
	readonly reasoning: string;
	readonly state: TurnState;
	readonly failure: Failure | null;
	/** Why it is not whole, of a turn from an earlier run of the program. */
	readonly notes: string | null;
	readonly finishReason: string | null;
	/** Sentence about stream lines outside the answer's text; empty if there are none. */
	readonly leftOut: string;
	/** null: not sent by the service. */
	readonly usage: Usage | null;
	readonly askedAt: number;
	readonly firstTextAt: number | null;
	/** Asked again or edited since: it stays on screen and is not sent any more. */
	readonly replaced: boolean;
	readonly runs: readonly BlockRun[];
};

/** The same question to several models, until one of the answers is taken. */
export type Comparison = {
	readonly question: string;
	readonly carried: readonly Packed[];
	/** The turn that is asked again. */
	readonly replaces: number | null;
	/** The question stands in the field, until an answer is taken. */
	readonly isFromField: boolean;
	/** One of each model; their ids are negative. */
	readonly answers: readonly Turn[];
	readonly chosen: number;
	/** First line of each answer on screen; null follows its end. */
	readonly tops: readonly (number | null)[];
};

export type Conversation = {
	/** Null until it has been written. */
	readonly id: string | null;
	readonly turns: readonly Turn[];
	readonly draft: Editor;
	/** Long pastes in the draft that are shown as chips. */
	readonly folds: readonly Fold[];
	/** The draft for which suggestions were sent away, and the one under the cursor. */
	readonly hiddenFor: string | null;
	readonly suggestedAt: number;
	/** The question that was sent last. */
	readonly sent: string | null;
	readonly history: readonly string[];
	readonly historyAt: number;
	readonly stash: string;
	readonly model: string;
	/** First line of the transcript on screen; null follows the end. */
	readonly top: number | null;
	/** What is carried explicitly, and what the question's mentions have been found to be. */
	readonly attached: readonly Attached[];
	/** What the server says of itself to assistants, as far as it is known. */
	readonly context: ContextFile | null;
	/** The code block that the keys act on; null is the last. */
	readonly chosenBlock: BlockPlace | null;
	/** A turn, and words in it, to be scrolled to. */
	readonly goTo: {readonly turn: number; readonly text: string} | null;
	/** The row that was found last, the `number`th of `count`. */
	readonly found: {
		readonly block: number;
		readonly row: number;
		readonly number: number;
		readonly count: number;
	} | null;
	/** Answers are shown as they were sent. */
	readonly raw: boolean;
	/** What models thought is unfolded. */
	readonly showsThinking: boolean;
	/** The turn whose question is being edited: sending replaces it and all after it. */
	readonly editing: number | null;
	/** The question that was not sent for a mention that leads nowhere: sent again unchanged, it goes as it is. */
	readonly refused: string | null;
	readonly comparison: Comparison | null;
	/** The models that were asked together last. */
	readonly comparedWith: readonly string[];
};

/** Starts with a model whose stream says when it ends and what it cost. */
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

/** The field once what was in it has been sent. */
export const NOTHING_TYPED = {
	draft: createEditor(),
	folds: [],
	stash: '',
	attached: [],
	editing: null,
	refused: null,
} as const satisfies Partial<Conversation>;

/** The model to ask: the one chosen, as long as the profile has it. */
export const modelIn = (models: readonly ModelName[], chosen: string): string =>
	models.some(({id}) => id === chosen) ? chosen : (models[0]?.id ?? chosen);

/** The conversations on disk. What answers a sentence could not be done, or says what was. */
export type ConversationLibrary = {
	/** Newest first. */
	list(server: string): readonly ConversationSummary[];
	takeUp(server: string, id: string): string | void;
	/** Goes on in a copy. */
	copy(server: string): string;
	remove(server: string, id: string): string | void;
};

export type ConversationsState = {readonly conversations: ByServer<Conversation>};

export const conversationOf = ({conversations}: ConversationsState, server: string): Conversation =>
	conversations.get(server) ?? EMPTY_CONVERSATION;

export const isAnswering = (turn: Turn | undefined): boolean =>
	turn?.state === 'waiting' || turn?.state === 'streaming';

/** Whether an answer is under way. */
export const isAsking = (conversation: Pick<Conversation, 'turns' | 'comparison'> | undefined): boolean =>
	isAnswering(conversation?.turns.at(-1)) || (conversation?.comparison?.answers.some(isAnswering) ?? false);

/** The turns with those from `replaces` on marked as asked again. */
export const withReplaced = (turns: readonly Turn[], replaces: number | null): readonly Turn[] => {
	const from = replaces === null ? turns.length : turns.findIndex(each => each.id === replaces);
	return turns.map((each, index) => (index < from || each.replaced ? each : {...each, replaced: true}));
};

/** A question that has just been asked. */
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

/** What a turn is once its answer has ended. */
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

/** How the question of a task begins. */
export const TASK_PREFIX = '/work ';

/** The question of a turn whose answer stands for all before it. */
export const SUMMARY_QUESTION = '/compact';

/** Whether the turns before this one are folded into its answer. */
export const isSummary = (turn: Turn | undefined): boolean =>
	turn?.question === SUMMARY_QUESTION && turn.state === 'done' && turn.answer !== '' && !turn.replaced;

const unfolded = (turns: readonly Turn[]): readonly Turn[] =>
	turns.slice(Math.max(0, turns.findLastIndex(isSummary)));

/** The turns that go along with the next question, which may replace some. */
export const turnsBefore = ({turns, editing}: Pick<Conversation, 'turns' | 'editing'>): readonly Turn[] =>
	unfolded(withReplaced(turns, editing).filter(turn => !turn.replaced && !isAnswering(turn)));

export type MessageContext = Pick<Conversation, 'attached' | 'draft' | 'context' | 'turns' | 'editing'>;

/** What the next message carries, in the order of the tray: what the server says of itself, what a key put there, then what the question mentions. */
export const messageContextOf = (conversation: MessageContext): readonly Attached[] => {
	const {attached, draft} = conversation;
	// The first message of a task stands alone.
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

/** UTF-16 units of a message of which a summary is made: what is summed up may be more than the model reads. */
const MOST_SUMMED_UP = 8000;

/** The whole conversation as the service wants it: it keeps no history. Turns that were replaced or folded are left out. */
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

/** Reads and changes the conversation of a server. */
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
