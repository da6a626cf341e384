import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import {agoText} from '../../core/components/age.ts';
import type {DialogProps} from '../../core/program.ts';
import {useApp} from '../../core/store-context.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {conversationOf} from '../conversation.ts';
import {chat} from '../conversations.ts';

/** Conversations with the assistant of a server, newest first; Enter opens one. */
export const conversations = chooser({kind: 'conversations'}, ({get}, {server}) => {
	const {id: current} = conversationOf(get(), server);
	const choices = (get().library?.list(server) ?? []).map(({id, title, turns, changedAt}): Choice => ({
		text: `${id === current ? glyph.chosen : glyph.notChosen} ${title}`,
		note: `${turns} turn${turns === 1 ? '' : 's'}   ${agoText(changedAt, Date.now())}`,
		choose: () => (id === current ? 'This conversation is already open' : get().library?.takeUp(server, id)),
	}));
	return {
		title: `Conversations ${choices.length}`,
		width: 100,
		enterLabel: 'open',
		empty: 'No conversations yet.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});

const DeleteConversation = ({server, body}: DialogProps<'delete-conversation'>) => {
	const {turns} = useApp(state => conversationOf(state, server));
	return (
		<QuestionBox
			title="Delete this conversation?"
			body={body}
			text={() => [
				label(turns[0]?.question ?? '', 200),
				paint('dim', `${turns.length} turn${turns.length === 1 ? '' : 's'}; this cannot be undone.`),
			]}
			yes="delete"
		/>
	);
};

/** Asks before a conversation is deleted. */
export const deleteConversation = question({
	kind: 'delete-conversation',
	onYes(get, {server}) {
		const {id} = conversationOf(get(), server);
		if (id === null) return chat(get).newConversation(server);
		return get().library?.remove(server, id) ?? 'The conversation is deleted';
	},
	Dialog: DeleteConversation,
});

const MOST = 200;

/** Lines of questions and answers that contain the typed text; Enter scrolls there. */
export const findTurn = chooser({kind: 'find-turn'}, ({get}, {server, text: initial}) => ({
	title: 'Find in the conversation',
	width: 110,
	enterLabel: 'go there',
	prompt: '/',
	initial,
	empty: 'Nothing matches.',
	untyped: 'Type what to find.',
	choicesFor(typed) {
		if (typed === '') return [];
		// Case matters only if the typed text has a capital.
		const isSmall = typed === typed.toLowerCase();
		const {turns} = conversationOf(get(), server);
		return turns
			.flatMap(({id, question, answer}, index) =>
				`${question}\n${answer}`.split('\n').map(line => ({turn: id, number: index + 1, line: line.trim()})),
			)
			.filter(({line}) => (isSmall ? line.toLowerCase() : line).includes(typed) && line !== '')
			.slice(0, MOST)
			.map(({turn, number, line}) => ({
				text: line.slice(0, 300),
				note: `turn ${number}`,
				choose: () => chat(get).changeConversation(server, {goTo: {turn, text: typed}}),
			}));
	},
}));
