import {createEditor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';
import {fit} from '../../text/width/width.ts';
import {part, type App} from '../core/app.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {notices} from '../core/store/notices.ts';
import {paint} from '../core/theme/theme.ts';
import type {Attached} from './attachments.ts';
import {isContext} from './context-file.ts';
import {chat} from './conversations.ts';
import {conversationAccess, isAsking, NOTHING_TYPED, type Conversation} from './conversation.ts';

type Queued = NonNullable<Conversation['queued']>;

export type MessageQueue = {
	/** Queues the field's text and attachments, after those of an already queued message. */
	add(server: string, attached: readonly Attached[]): void;
	/** Puts the queued message back into the field. False if there is none. */
	takeBack(server: string): boolean;
};

const joined = (...texts: readonly string[]): string => texts.filter(text => text !== '').join('\n\n');
const merged = (...all: readonly (readonly Attached[])[]): readonly Attached[] => [
	...new Map(all.flat().map(each => [each.mention, each])).values(),
];

/** Text that would be lost when the program ends: the queued message, then the field. */
export const textNotSent = ({queued, draft}: Pick<Conversation, 'queued' | 'draft'>): string =>
	joined(queued?.text ?? '', draft.text);

/** The queued message as a row above the field; no row without one. */
export const queuedLines = ({queued}: Pick<Conversation, 'queued'>, width: number): readonly string[] => {
	if (queued === null) return [];
	const hint = `  ${keyFor('assistant.earlier')} edits it`;
	const [first = '', ...rest] = queued.text.split('\n');
	const text = label(rest.length === 0 ? first : `${first} …`, 400);
	const room = Math.max(4, width - ' queued '.length - hint.length - 1);
	return [`${paint('accent', ' queued ')}${fit(text, Math.min(room, text.length))}${paint('dim', hint)}`];
};

/** Messages that wait for the end of an answer. */
export const messageQueue = part('messageQueue', ({get, set, subscribe}: App): MessageQueue => {
	const {of, change} = conversationAccess(set, get);
	const takeBack = (server: string): boolean => {
		const {queued} = of(server);
		if (queued === null) return false;
		change(server, ({draft, attached}) => ({
			queued: null,
			draft: createEditor(joined(queued.text, draft.text)),
			folds: [],
			attached: merged(queued.attached, attached),
		}));
		return true;
	};
	const send = (server: string, {text, attached}: Queued): void => {
		change(server, () => ({queued: null}));
		const carried = attached.flatMap(({packed}) => packed ?? []);
		void chat(get).ask(server, text, {carried});
	};
	subscribe((state, old) => {
		if (state.conversations === old.conversations && state.works === old.works) return;
		for (const [server, conversation] of state.conversations) {
			const {queued, turns} = conversation;
			if (queued === null || isAsking(conversation) || conversation.comparison !== null) continue;
			if (state.works.get(server)) continue;
			const how = turns.at(-1)?.state;
			if (how === 'done' || how === 'incomplete') send(server, queued);
			// After a stop or a failure the user may want to change the message, so it is not sent.
			else if (takeBack(server))
				notices(get).notify('info', 'The queued message is in the field again: it was not sent');
		}
	});
	return {
		add(server, attached) {
			const {draft, queued, turns} = of(server);
			const sent = turns.at(-1)?.carried ?? [];
			const isNew = ({mention}: Attached): boolean =>
				!isContext({mention}) || !sent.some(each => each.mention === mention);
			change(server, () => ({
				...NOTHING_TYPED,
				queued: {
					text: joined(queued?.text ?? '', draft.text.trim()),
					attached: merged(queued?.attached ?? [], attached.filter(isNew)),
				},
			}));
		},
		takeBack,
	};
});
