import {scrolling} from '../core/components/scroll.ts';
import type {KeyContext, KeyHandlers, ScopeHandlers, ScreenSpec} from '../core/feature.ts';
import {replOf} from '../repl/transcript.ts';
import {otherLanguage} from '../../text/python/run-language.ts';
import {answerKeys} from './answer-handlers.ts';
import {comparison} from './compare-handlers.ts';
import {layoutNow} from './layout.ts';
import {commandIn} from './commands.ts';
import {fieldKeys, suggest, takeText} from './question-handlers.ts';
import {conversationOf, isAsking} from './conversation.ts';
import {chat} from './conversations.ts';

const scroll = ({get, rect}: KeyContext) => {
	const server = get().current ?? '';
	const {last, room} = layoutNow(get(), server, rect);
	return scrolling(
		() => conversationOf(get(), server).top,
		last,
		room - 1,
		top => chat(get).changeConversation(server, {top}),
	);
};

const assistant: KeyHandlers<'assistant'> = at => {
	const {model, compare, tray, conversations, thinking} = answerKeys(at);
	return {
		...fieldKeys(at),
		...{model, compare, tray, conversations, thinking},
		scrollUp: () => scroll(at).pageUp(),
		scrollDown: () => scroll(at).pageDown(),
		typed: takeText(at),
	};
};

const turns: KeyHandlers<'turns'> = at => ({...scroll(at), ...answerKeys(at)});

const NEED_CODE: ReadonlySet<string> = new Set(['copyBlock', 'runBlock', 'writeBlock']);

/** Label of a key: its effect on the typed text or the code in the answers. */
export const assistantLabel: NonNullable<ScreenSpec['labelNow']> = (state, {scope, action, server, rect}) => {
	const conversation = conversationOf(state, server);
	const work = state.works.get(server);
	if (scope === 'assistant' && action === 'send' && work?.waits && conversation.draft.text.trim() === '')
		return 'decide';
	if (scope === 'assistant' && action === 'send' && work?.asks && conversation.draft.text.trim() !== '')
		return 'answer';
	if (scope === 'assistant' && action === 'send')
		return conversation.draft.text.trim() === '' ||
			(isAsking(conversation) && commandIn(conversation.draft.text) === null)
			? null
			: undefined;
	if (scope === 'comparison' && action === 'copyAnswer')
		return conversation.comparison?.answers[conversation.comparison.chosen]?.answer === '' ? null : undefined;
	if (scope !== 'turns') return undefined;
	if (action === 'retry') return conversation.turns.length === 0 || isAsking(conversation) ? null : undefined;
	if (!NEED_CODE.has(action)) return undefined;
	const {chosen} = layoutNow(state, server, rect).transcript;
	if (chosen === undefined) return null;
	return action === 'runBlock' &&
		otherLanguage(chosen.code.language, replOf(state, server).kernel) !== undefined
		? null
		: undefined;
};

export const assistantHandlers: ScopeHandlers = {assistant, suggest, turns, comparison};
