import {EMPTY_CONVERSATION} from '../../../store/assistant.ts';
import type {Handlers} from '../../keys/dispatch.ts';
import {useGetState} from '../../store-context.ts';
import type {PlacedCode, Transcript} from './transcript-blocks.ts';

const NO_CODE = 'There is no code in the answers here';

type AnswerAction = 'previousBlock' | 'nextBlock' | 'copyBlock' | 'runBlock' | 'writeBlock' | 'putBlock' | 'copyAnswer' | 'raw' | 'retry' | 'retryWith' | 'editQuestion' | 'edit' | 'model' | 'tray' | 'conversations' | 'find';

/** What the keys do with answers and the code in them. `now` lays out the conversation as it is when the key comes. */
export const useAnswerKeys = (server: string, now: () => Transcript, room: number): Pick<Handlers<'turns'>, AnswerAction> => {
	const get = useGetState();
	const current = () => get().conversations.get(server) ?? EMPTY_CONVERSATION;
	const onBlock = (act: (placed: PlacedCode) => string | void) => (): string | void => {
		const {chosen} = now();
		return chosen === undefined ? NO_CODE : act(chosen);
	};
	const step = (by: number) => (): string | void => {
		const {codes, chosen, blocks} = now();
		if (chosen === undefined) return NO_CODE;
		const next = codes[codes.indexOf(chosen) + by];
		if (next === undefined) return by < 0 ? 'There is no code block before this one' : 'There is no code block after this one';
		const total = blocks.reduce((sum, lines) => sum + lines.length, 0);
		// The box with a row or two around it comes into view.
		const last = Math.max(0, total - room);
		const top = current().top ?? last;
		const isInView = next.row >= top && next.row + next.code.rows <= top + room;
		const to = Math.max(0, next.row - 2);
		get().changeConversation(server, {chosenBlock: {turn: next.turn, block: next.block}, ...(!isInView && {top: to >= last ? null : to})});
	};
	return {
		previousBlock: step(-1),
		nextBlock: step(1),
		copyBlock: onBlock(({code}) => get().copy(code.code, 'The code')),
		runBlock: onBlock(({turn, block, code}) => get().runBlock(server, {turn, block}, code.code)),
		writeBlock: onBlock(({code}) => get().openDialog({kind: 'write-path', server, code: code.code})),
		putBlock: onBlock(({code}) => {
			get().putIntoRepl(server, code.code);
			get().go('repl');
			get().focusPart('repl', 'repl');
		}),
		copyAnswer() {
			const last = current().turns.findLast(turn => turn.answer !== '');
			return last === undefined ? 'There is no answer yet' : get().copy(last.answer, 'The answer');
		},
		raw: () => get().changeConversation(server, {raw: !current().raw, top: null}),
		retry: () => get().retry(server),
		retryWith: () => (current().turns.length === 0 ? 'Nothing has been asked yet' : get().openDialog({kind: 'model', server, again: true})),
		editQuestion() {
			const reason = get().editQuestion(server);
			if (reason !== undefined) return reason;
			get().focusPart('assistant', 'assistant');
		},
		edit: () => get().focusPart('assistant', 'assistant'),
		model: () => get().openDialog({kind: 'model', server, again: false}),
		conversations: () => get().openDialog({kind: 'conversations', server}),
		find: () => (current().turns.length === 0 ? 'Nothing has been asked yet' : get().openDialog({kind: 'find-turn', server, text: current().goTo?.text ?? ''})),
		tray: () => get().openDialog({kind: 'tray', server}),
	};
};
