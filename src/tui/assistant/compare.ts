import {keyFor} from '../../text/key-name.ts';
import {
	conversationAccess,
	NOTHING_TYPED,
	finishedTurn,
	isAnswering,
	messagesOf,
	newTurn,
	withReplaced,
	type Comparison,
	type Turn,
} from './conversation.ts';
import {oncePerFrame} from '../core/store/batch.ts';
import {withEntry} from '../core/store/typed-field.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

/** Maximum number of models that can be asked together. */
export const MOST_COMPARED = 5;

export type ModelComparison = {
	beginComparison(
		server: string,
		models: readonly string[],
		asked: Pick<Comparison, 'question' | 'carried' | 'replaces' | 'isFromField'>,
	): void;
	/** Stops the streams and keeps the text received so far. False if no stream was in progress. */
	stopComparison(server: string): boolean;
	changeComparison(server: string, change: Partial<Pick<Comparison, 'chosen' | 'tops'>>): void;
	/**
	 * Makes the chosen answer the last turn of the conversation, which continues with its model. If
	 * it fails, returns the reason.
	 */
	adoptAnswer(server: string): string | void;
	/** Closes the comparison without a choice, and leaves the conversation unchanged. */
	leaveComparison(server: string): void;
};

type Piece = {readonly id: number; readonly text: string; readonly isThought: boolean};

export const modelComparison = part(
	'modelComparison',
	({get, set, deps: {client, now}}: App): ModelComparison => {
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
			// Collects the text of all answers, to update the store once per frame.
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
						each.id === turn.id ? {...each, ...finishedTurn(reply, signal.aborted)} : each,
					);
				}),
			);
			if (running.get(server) === request) running.delete(server);
		};

		return {
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
				if (turn.answer === '') return 'There is no answer here to continue with';
				modelComparison(get).stopComparison(server);
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
				notices(get).notify(
					'info',
					`The conversation continues with ${turn.model}; the other answers are discarded`,
				);
			},
			leaveComparison(server) {
				const {comparison} = of(server);
				if (comparison === null) return;
				modelComparison(get).stopComparison(server);
				change(server, () => ({comparison: null}));
				notices(get).notify(
					'info',
					`No answer was chosen: ${comparison.isFromField ? 'the question is in the field' : 'the conversation is as it was'}`,
				);
			},
		};
	},
);
