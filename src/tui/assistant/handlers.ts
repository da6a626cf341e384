import {scrolling} from '../core/components/scroll.ts';
import type {At, KeyHandlers, ScopeHandlers} from '../core/room.ts';
import {answerKeys} from './answer-handlers.ts';
import {comparison} from './compare-handlers.ts';
import {layoutNow} from './layout.ts';
import {fieldKeys, suggest, takeText} from './question-handlers.ts';
import {conversationOf} from './conversation.ts';

const scroll = ({get, rect}: At) => {
	const server = get().current ?? '';
	const {last, room} = layoutNow(get(), server, rect);
	return scrolling(
		() => conversationOf(get(), server).top,
		last,
		room - 1,
		top => get().changeConversation(server, {top}),
	);
};

const assistant: KeyHandlers<'assistant'> = at => {
	const {model, compare, tray, conversations} = answerKeys(at);
	return {
		...fieldKeys(at),
		...{model, compare, tray, conversations},
		scrollUp: () => scroll(at).pageUp(),
		scrollDown: () => scroll(at).pageDown(),
		typed: takeText(at),
	};
};

const turns: KeyHandlers<'turns'> = at => ({...scroll(at), ...answerKeys(at)});

export const assistantHandlers: ScopeHandlers = {assistant, suggest, turns, comparison};
