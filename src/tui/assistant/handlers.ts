import {scrolling} from '../core/components/scroll.ts';
import type {At, KeyHandlers, ScopeHandlers} from '../core/room.ts';
import {answerKeys} from './answer-handlers.ts';
import {comparison} from './compare-handlers.ts';
import {layoutNow} from './layout.ts';
import {fieldKeys, suggest, takeText} from './question-handlers.ts';
import {conversationOf} from './conversation.ts';

const scroll =
	({get, rect}: At, key: keyof ReturnType<typeof scrolling>) =>
	(): void => {
		const server = get().current ?? '';
		const {last, room} = layoutNow(get(), server, rect);
		scrolling(
			() => conversationOf(get(), server).top,
			last,
			room - 1,
			top => get().changeConversation(server, {top}),
		)[key]();
	};

const assistant: KeyHandlers<'assistant'> = at => {
	const {model, compare, tray, conversations} = answerKeys(at);
	return {
		...fieldKeys(at),
		scrollUp: scroll(at, 'pageUp'),
		scrollDown: scroll(at, 'pageDown'),
		model,
		compare,
		tray,
		conversations,
		typed: takeText(at),
	};
};

const turns: KeyHandlers<'turns'> = at => ({
	up: scroll(at, 'up'),
	down: scroll(at, 'down'),
	pageUp: scroll(at, 'pageUp'),
	pageDown: scroll(at, 'pageDown'),
	first: scroll(at, 'first'),
	last: scroll(at, 'last'),
	...answerKeys(at),
});

export const assistantHandlers: ScopeHandlers = {assistant, suggest, turns, comparison};
