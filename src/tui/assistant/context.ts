import {readContext} from '../../work/server-context.ts';
import type {Packed} from './attachments.ts';
import {isContext, contextDecisionOf} from './context-file.ts';
import {conversationAccess} from './conversation.ts';
import {part, type App} from '../core/app.ts';

export type QuestionContext = {
	/** Checks whether the server has an `AGENTS.md` for assistants, and whether it has changed. */
	findContext(server: string): Promise<void>;
	/**
	 * Same as `findContext` with a time limit of a few seconds. A task waits for the file, because
	 * only its first message can include it. False if the result is still unknown.
	 */
	awaitContext(server: string, signal: AbortSignal): Promise<boolean>;
	/**
	 * Records the user's decision about this exact text. `ask` forgets the decision, so that the
	 * text is shown before the next question.
	 */
	ruleContext(server: string, packed: Packed, ruling: 'agreed' | 'refused' | 'ask'): void;
};

/** Longest wait for the file, in ms: a healthy server responds within this time. */
const WAITS = 4000;

export const questionContext = part('questionContext', ({get, set, deps: {client}}: App): QuestionContext => {
	const {of, change} = conversationAccess(set, get);
	const looks = new Map<string, Promise<boolean>>();
	const said = new Map<string, {readonly agreed: Set<string>; readonly refused: Set<string>}>();
	const saidOf = (server: string) => {
		const known = said.get(server) ?? {agreed: new Set<string>(), refused: new Set<string>()};
		said.set(server, known);
		return known;
	};
	const loadContext = async (server: string): Promise<boolean> => {
		const packed = await readContext(await client(), server);
		if (packed === undefined) return false;
		const ruled = saidOf(server);
		// The user agreed to every version of the file that this conversation already includes.
		for (const {text} of of(server).turns.flatMap(({carried}) => carried.filter(isContext)))
			ruled.agreed.add(text);
		change(server, () => ({context: packed && {packed, ruling: contextDecisionOf(packed, ruled)}}));
		return true;
	};
	const loadContextOnce = async (server: string): Promise<boolean> => {
		const running = looks.get(server) ?? loadContext(server).finally(() => looks.delete(server));
		looks.set(server, running);
		return running;
	};
	return {
		async findContext(server) {
			await loadContextOnce(server);
		},
		async awaitContext(server, signal) {
			const over = AbortSignal.any([signal, AbortSignal.timeout(WAITS)]);
			return Promise.race([
				loadContextOnce(server),
				new Promise<false>(resolve => over.addEventListener('abort', () => resolve(false), {once: true})),
			]);
		},
		ruleContext(server, packed, ruling) {
			const {agreed, refused} = saidOf(server);
			agreed.delete(packed.text);
			refused.delete(packed.text);
			if (ruling === 'agreed') agreed.add(packed.text);
			if (ruling === 'refused') refused.add(packed.text);
			const {context} = of(server);
			if (context?.packed.text === packed.text)
				change(server, () => ({
					context: {packed: context.packed, ruling: ruling === 'ask' ? 'new' : ruling},
				}));
		},
	};
});
