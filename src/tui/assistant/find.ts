// Conversations by title, for the palette.
import {wordsTest} from '../../query/text-filter.ts';
import {label} from '../../text/safe.ts';
import {agoText} from '../core/components/age.ts';
import type {Find} from '../core/feature.ts';
import {lastResult} from '../core/store/last-result.ts';
import {route} from '../core/store/route.ts';
import type {ConversationLibrary} from './conversation.ts';

/** Stored conversations, read once per dialog. `_dialog`, its number, is part of the cache key. */
const listed = lastResult((library: ConversationLibrary, server: string, _dialog: number) =>
	library.list(server),
);

export const conversationFind: Find = {
	order: 5,
	prefix: '&',
	name: 'chats',
	screen: 'assistant',
	section: () => 'Conversations',
	hits(get, words) {
		const {library, current, dialogCount} = get();
		if (library === null || current === null) return [];
		const isWanted = wordsTest(words);
		return listed(library, current, dialogCount)
			.filter(({title}) => isWanted(title))
			.map(({id, title, changedAt}) => ({
				name: title,
				choice: {
					id: `conversation ${id}`,
					text: label(title, 200),
					note: agoText(changedAt, Date.now()),
					enterLabel: 'open',
					choose() {
						const reason = library.takeUp(current, id);
						if (reason !== undefined) return reason;
						route(get).go('assistant');
					},
				},
			}));
	},
};
