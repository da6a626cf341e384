import {readContext} from '../../work/server-context.ts';
import type {Packed} from './attachments.ts';
import {isContext, contextDecisionOf} from './context-file.ts';
import {conversationAccess} from './conversation.ts';
import {part, type App} from '../core/app.ts';

export type QuestionContext = {
	/** Looks whether the server says something of itself to assistants, and whether that is another text by now. */
	findContext(server: string): Promise<void>;
	/** As above, for whom nothing goes along later: waits a few seconds at most. False: it is not known by then. */
	awaitContext(server: string, signal: AbortSignal): Promise<boolean>;
	/** What the person says of the very text that they were shown; `ask`: it is shown before the next question. */
	ruleContext(server: string, packed: Packed, ruling: 'agreed' | 'refused' | 'ask'): void;
};

/** Milliseconds in which a server that is well has answered. */
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
	const look = async (server: string): Promise<boolean> => {
		const packed = await readContext(await client(), server);
		if (packed === undefined) return false;
		const ruled = saidOf(server);
		// What a conversation has carried has been seen, in the next one too.
		for (const {text} of of(server).turns.flatMap(({carried}) => carried.filter(isContext)))
			ruled.agreed.add(text);
		change(server, () => ({context: packed && {packed, ruling: contextDecisionOf(packed, ruled)}}));
		return true;
	};
	const lookOnce = async (server: string): Promise<boolean> => {
		const running = looks.get(server) ?? look(server).finally(() => looks.delete(server));
		looks.set(server, running);
		return running;
	};
	return {
		async findContext(server) {
			await lookOnce(server);
		},
		async awaitContext(server, signal) {
			const over = AbortSignal.any([signal, AbortSignal.timeout(WAITS)]);
			return Promise.race([
				lookOnce(server),
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
