import {markdownEngine} from '../core/components/markdown.ts';
import {scrolling} from '../core/components/scroll.ts';
import {windowOf} from '../core/components/transcript.ts';
import type {ScreenSpec} from '../core/feature.ts';
import {replOf} from '../repl/transcript.ts';
import {runCommand} from './commands.ts';
import {conversationOf} from './conversation.ts';
import {layoutAssistant} from './layout.ts';
import {chat} from './conversations.ts';

/** The stored conversation of an offline server. */
export const offlineConversation: NonNullable<ScreenSpec['kept']> = (get, server, rect) => {
	const conversation = conversationOf(get(), server);
	const {length} = conversation.turns;
	if (length === 0) return null;
	const {cells, kernel} = replOf(get(), server);
	const {
		transcript: {blocks},
	} = layoutAssistant(
		get(),
		{
			...{conversation, cells, kernel, suggestions: null, engine: markdownEngine()},
			...{hasKeys: false, isTyping: false},
		},
		rect,
	);
	return {
		words: `${length} turn${length === 1 ? '' : 's'}`,
		blocks,
		top: conversation.top,
		moves: scrolling(
			() => conversationOf(get(), server).top,
			windowOf(blocks, null, rect.height).last,
			rect.height - 1,
			top => chat(get).changeConversation(server, {top}),
		),
		save: () => runCommand(get, server, {name: 'export', argument: ''}),
	};
};
