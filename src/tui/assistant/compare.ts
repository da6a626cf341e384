import {keyFor} from '../../text/key-name.ts';
import {
	conversationAccess,
	NOTHING_TYPED,
	ended,
	isAnswering,
	isAsking,
	messagesOf,
	newTurn,
	withReplaced,
	type Comparing,
	type Comparison,
	type Turn,
} from './conversation.ts';
import type {Slice} from '../core/program.ts';
import {oncePerFrame} from '../core/store/batch.ts';
import type {Deps} from '../core/store/deps.ts';
import {withEntry} from '../core/store/typed-field.ts';

/** Models that can be asked together. */
export const MOST_COMPARED = 5;

export type CompareSlice = Comparing & {
	/** Asks several models what is in the field, or the last question again when it is empty. A sentence says why it cannot be done. */
	compareModels(server: string, models: readonly string[]): string | void;
	changeComparison(server: string, change: Partial<Pick<Comparison, 'chosen' | 'tops'>>): void;
	/** The chosen answer becomes the turn of the conversation, which goes on with its model. A sentence says why it cannot. */
	adoptAnswer(server: string): string | void;
	/** Takes no answer: the conversation is as it was. */
	leaveComparison(server: string): void;
};

type Piece = {readonly id: number; readonly text: string; readonly isThought: boolean};

export const createCompareSlice =
	({client, now}: Deps): Slice<CompareSlice> =>
	(set, get) => {
		const {of, change} = conversationAccess(set, get);
		const running = new Map<string, AbortController>();
		let lastId = 0;
		const changeAnswers = (server: string, how: (turn: Turn) => Turn): void =>
			change(server, ({comparison}) => ({
				comparison: comparison && {...comparison, answers: comparison.answers.map(how)},
			}));

		const ask = async (
			server: string,
			answers: readonly Turn[],
			before: readonly Turn[],
			request: AbortController,
		): Promise<void> => {
			// One update of the store for all of them.
			const text = oncePerFrame<Piece>(batch =>
				changeAnswers(server, turn => {
					const own = batch.filter(({id}) => id === turn.id);
					if (own.length === 0) return turn;
					const more = (isThought: boolean): string =>
						own
							.filter(each => each.isThought === isThought)
							.map(each => each.text)
							.join('');
					const answer = turn.answer + more(false);
					return {
						...turn,
						answer,
						reasoning: turn.reasoning + more(true),
						state: 'streaming',
						firstTextAt: turn.firstTextAt ?? (answer === '' ? null : now()),
					};
				}),
			);
			const reached = await client();
			await Promise.all(
				answers.map(async turn => {
					const {signal} = request;
					const reply = await reached.chat(server, turn.model, messagesOf([...before, turn]), {
						signal,
						onText: piece => text.add({id: turn.id, text: piece, isThought: false}),
						onThought: piece => text.add({id: turn.id, text: piece, isThought: true}),
					});
					text.end();
					changeAnswers(server, each =>
						each.id === turn.id ? {...each, ...ended(reply, signal.aborted)} : each,
					);
				}),
			);
			if (running.get(server) === request) running.delete(server);
		};

		return {
			compareModels(server, models) {
				const {draft, turns, comparison} = of(server);
				if (isAsking(of(server))) return `An answer is under way: ${keyFor('global.back')} stops it`;
				if (comparison !== null) return 'Answers are being compared already: go on with one of them first';
				const asked = [...new Set(models)].slice(0, MOST_COMPARED);
				if (asked.length < 2) return 'Mark two models or more: each answers the same question';
				change(server, () => ({comparedWith: asked}));
				if (draft.text.trim() !== '') return get().sendQuestion(server, asked);
				const last = turns.at(-1);
				if (last === undefined) return 'Type a question first: the same goes to all of them';
				get().beginComparison(server, asked, {
					question: last.question,
					carried: last.carried,
					replaces: last.id,
					isFromField: false,
				});
			},
			beginComparison(server, models, asked) {
				const {question, carried, replaces} = asked;
				const answers = models.map(model => newTurn(--lastId, {question, carried, model, askedAt: now()}));
				const request = new AbortController();
				running.set(server, request);
				change(server, () => ({comparison: {...asked, answers, chosen: 0, tops: answers.map(() => null)}}));
				void ask(server, answers, withReplaced(of(server).turns, replaces), request);
			},
			stopComparison(server) {
				const request = running.get(server);
				request?.abort();
				running.delete(server);
				return request !== undefined;
			},
			changeComparison: (server, next) =>
				change(server, ({comparison}) => ({comparison: comparison && {...comparison, ...next}})),
			adoptAnswer(server) {
				const {comparison} = of(server);
				const turn = comparison?.answers[comparison.chosen];
				if (comparison === null || turn === undefined) return 'There are no answers to choose from';
				if (isAnswering(turn))
					return `This answer is not complete yet: ${keyFor('comparison.leave')} stops the answers`;
				if (turn.answer === '') return 'There is no answer here to go on with';
				get().stopComparison(server);
				const {question, replaces, isFromField} = comparison;
				change(server, ({turns, history}) => ({
					...withEntry(history, question),
					comparison: null,
					turns: [...withReplaced(turns, replaces), turn],
					model: turn.model,
					sent: question,
					top: null,
					chosenBlock: null,
					...(isFromField && NOTHING_TYPED),
				}));
				get().notify(
					'info',
					`The conversation continues with ${turn.model}; the other answers are discarded`,
				);
			},
			leaveComparison(server) {
				const {comparison} = of(server);
				if (comparison === null) return;
				get().stopComparison(server);
				change(server, () => ({comparison: null}));
				get().notify(
					'info',
					`No answer was chosen: ${comparison.isFromField ? 'the question is in the field' : 'the conversation is as it was'}`,
				);
			},
		};
	};
