import {evaluateRequest, evaluationIn, isAbort, type KernelMessage} from '../../kernel/messages.ts';
import type {EvaluateHow, Evaluated} from '../client-types.ts';
import type {Channel} from './channel.ts';

/** Time after which a request that the kernel has not begun counts as waiting, in ms. */
const WAITING_MS = 300;
/** Attempts to evaluate an expression. The kernel drops it each time that a cell fails. */
const MOST_ABORTED = 5;

/** Evaluates expressions without a cell. They wait for the cells of all clients. */
export type Evaluation = {
	evaluate(expression: string, how?: EvaluateHow): Promise<Evaluated>;
	/** Handles a message about a request that is not a cell. */
	see(message: KernelMessage): void;
	/** Ends all requests, because their replies are lost. */
	end(): void;
};

type Asked = {readonly end: (end: Evaluated | 'aborted') => void; readonly begin: () => void};

export const createEvaluation = (channel: Channel): Evaluation => {
	const asked = new Map<string, Asked>();
	const askOnce = async (
		expression: string,
		{signal, onWait}: EvaluateHow,
	): Promise<Evaluated | 'aborted'> => {
		const left = Promise.withResolvers<Evaluated>();
		const leave = (): void => left.resolve({kind: 'left'});
		if (signal?.aborted) return {kind: 'left'};
		signal?.addEventListener('abort', leave, {once: true});
		const waiting = setTimeout(() => onWait?.(true), WAITING_MS);
		let request: string | null = null;
		const ask = async (): Promise<Evaluated | 'aborted'> => {
			if (!(await channel.ready())) return {kind: 'lost'};
			const {promise, resolve} = Promise.withResolvers<Evaluated | 'aborted'>();
			const made = evaluateRequest(channel.session(), expression);
			request = made.id;
			asked.set(made.id, {
				end: resolve,
				begin() {
					clearTimeout(waiting);
					onWait?.(false);
				},
			});
			return channel.ask(made) ? promise : {kind: 'lost'};
		};
		const end = await Promise.race([ask(), left.promise]);
		clearTimeout(waiting);
		signal?.removeEventListener('abort', leave);
		if (request !== null) asked.delete(request);
		return end;
	};
	return {
		async evaluate(expression, how = {}) {
			for (let aborted = 0; aborted < MOST_ABORTED; aborted++) {
				const end = await askOnce(expression, how);
				if (end !== 'aborted') return end;
			}
			return {kind: 'lost'};
		},
		see(message) {
			const {msg_type: type, content, parent_header: parent} = message;
			const found = asked.get(parent.msg_id);
			if (type === 'status' && content['execution_state'] === 'busy') found?.begin();
			if (type === 'execute_reply') found?.end(isAbort(message) ? 'aborted' : evaluationIn(message));
		},
		end() {
			for (const {end} of asked.values()) end({kind: 'lost'});
		},
	};
};
