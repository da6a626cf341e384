import {otherLanguage} from '../../text/python/run-language.ts';
import {scrolling} from '../core/components/scroll.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionsOf, type KeyScopes} from '../core/keys/action.ts';
import {replOf} from '../repl/transcript.ts';
import {answerEffects} from './answer-effects.ts';
import {commandIn} from './commands.ts';
import {comparisonEffects} from './compare-effects.ts';
import {conversationOf, isAsking} from './conversation.ts';
import {chat} from './conversations.ts';
import {layoutNow} from './layout.ts';
import {fieldEffects, suggestEffects, takeText} from './question-effects.ts';
import {cellChangeKeys} from './dialogs/cell-change.tsx';
import {modelKeys} from './dialogs/compare-models.tsx';
import {packetKeys} from './dialogs/explain-packet.tsx';
import {permitKeys} from './dialogs/permit.tsx';
import {contextKeys} from './dialogs/server-context.tsx';
import {backTo} from '../core/keys/esc-ladder.ts';
import {editing, reading, type Tab} from '../core/keys/binding-sets.ts';

export const assistantTab: Tab = {
	id: 'assistant',
	title: 'Assistant',
	short: 'Chat',
	jump: '6',
	pane: {name: 'assistant', sentence: 'The assistant', dock: 'ctrl+x c', part: 'assistant'},
};

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

const questionEffects = (at: KeyContext) => {
	const {model, compare, tray, conversations, thinking} = answerEffects(at);
	return {
		...fieldEffects(at),
		...{model, compare, tray, conversations, thinking},
		scrollUp: () => scroll(at).pageUp(),
		scrollDown: () => scroll(at).pageDown(),
	};
};

const conversationIn = ({get}: KeyContext) => conversationOf(get(), get().current ?? '');

const sendLabel = (at: KeyContext): string | null | undefined => {
	const {get} = at;
	const conversation = conversationIn(at);
	const {text} = conversation.draft;
	const isEmpty = text.trim() === '';
	const work = get().works.get(get().current ?? '');
	if (work?.waits && isEmpty) return 'decide';
	if (work?.asks && !isEmpty) return 'answer';
	if (isEmpty) return null;
	return isAsking(conversation) && commandIn(text) === null ? 'queue' : undefined;
};
const needsAnswer = (at: KeyContext): null | undefined => {
	const conversation = conversationIn(at);
	return conversation.turns.length === 0 || isAsking(conversation) ? null : undefined;
};
const needsComparedAnswer = (at: KeyContext): null | undefined => {
	const {comparison} = conversationIn(at);
	return comparison?.answers[comparison.chosen]?.answer === '' ? null : undefined;
};
const leaveLabel = ({get}: KeyContext): string | undefined => {
	const {returnTo} = get();
	return returnTo === null ? undefined : backTo(returnTo);
};
const codeIn = ({get, rect}: KeyContext) => layoutNow(get(), get().current ?? '', rect).transcript.chosen;
const needsCode = (at: KeyContext): null | undefined => (codeIn(at) === undefined ? null : undefined);
/** Null if the selected code is in another language than the kernel's. */
const needsOurCode = (at: KeyContext): null | undefined => {
	const chosen = codeIn(at);
	const {kernel} = replOf(at.get(), at.get().current ?? '');
	return chosen === undefined || otherLanguage(chosen.code.language, kernel) !== undefined ? null : undefined;
};

export const assistantKeys: KeyScopes = {
	assistant: {
		where: 'assistant, typing',
		name: 'Assistant',
		screen: 'assistant',
		part: 'assistant',
		isText: true,
		actions: actionsOf(
			{
				send: {keys: ['enter'], label: 'send', hint: true, writes: true, now: sendLabel},
				...editing,
				model: {keys: ['ctrl+x m'], label: 'model', hint: true},
				compare: {keys: ['ctrl+x a'], label: 'ask several models', writes: true},
				tray: {keys: ['ctrl+x t'], label: 'attachments'},
				conversations: {keys: ['ctrl+x h'], label: 'conversations'},
				thinking: {keys: ['ctrl+t'], label: 'Show or hide what the model thought'},
				fold: {keys: ['ctrl+o'], label: 'Expand or collapse pasted text'},
				external: {keys: ['ctrl+x e', 'ctrl+x ctrl+e'], label: 'edit in $EDITOR'},
				complete: {keys: ['tab'], label: 'Next pane from an empty field'},
				leave: {keys: ['esc'], label: 'read the answers', now: leaveLabel},
			},
			questionEffects,
		),
		typed: (at, text) => takeText(at)(text),
	},
	suggest: {
		where: 'assistant, list after @ or /',
		actions: actionsOf(
			{
				accept: {keys: ['enter'], label: 'accept', hint: true},
				complete: {keys: ['tab'], label: 'complete', hint: true},
				up: {keys: ['up', 'ctrl+p'], label: 'Suggestion above'},
				down: {keys: ['down', 'ctrl+n'], label: 'Suggestion below'},
				close: {keys: ['esc'], label: 'close suggestions'},
			},
			suggestEffects,
		),
	},
	turns: {
		where: 'assistant, reading',
		name: 'Assistant, reading',
		screen: 'assistant',
		part: 'turns',
		actions: actionsOf(
			{
				...reading,
				edit: {keys: ['enter', 'i'], label: 'ask', hint: true},
				previousBlock: {keys: ['['], label: 'Previous code block'},
				nextBlock: {keys: [']'], label: 'Next code block'},
				copyBlock: {keys: ['y'], label: 'copy', hint: true, now: needsCode},
				runBlock: {keys: ['r', 'space enter'], label: 'run', hint: true, writes: true, now: needsOurCode},
				writeBlock: {keys: ['w', 'space w'], label: 'write', hint: true, writes: true, now: needsCode},
				putBlock: {keys: ['a'], label: 'put in the REPL'},
				addCell: {keys: ['b'], label: 'Add the code to the open notebook as a cell', now: needsCode},
				changeCell: {
					keys: ['D'],
					label: 'Show the code as a change of the selected notebook cell',
					now: needsCode,
				},
				copyAnswer: {keys: ['Y'], label: 'Copy the last answer'},
				raw: {keys: ['v'], was: ['M'], label: 'Raw or formatted Markdown'},
				thinking: {keys: ['T', 'ctrl+t'], label: 'Show or hide what the model thought'},
				retry: {keys: ['R'], label: 'ask again', hint: true, writes: true, now: needsAnswer},
				retryWith: {keys: ['O'], label: 'Ask again with another model', writes: true},
				compare: {keys: ['C', 'space a'], label: 'Ask several models', writes: true},
				editQuestion: {keys: ['e', 'space e'], label: 'Edit the last question'},
				model: {keys: ['space m'], was: ['m'], label: 'model'},
				tray: {keys: ['space t'], was: ['t'], label: 'attachments'},
				conversations: {keys: ['space h'], was: ['c'], label: 'conversations'},
				place: {keys: ['o', 'space O'], label: 'Open a file named in the answers'},
				find: {keys: ['/'], label: 'Find in the conversation'},
				findNext: {keys: ['n'], label: 'Next match'},
				findPrevious: {keys: ['N'], label: 'Previous match'},
			},
			at => ({...scroll(at), ...answerEffects(at)}),
		),
	},
	comparison: {
		where: 'assistant, answers side by side',
		name: 'Assistant, answers side by side',
		isPassing: true,
		actions: actionsOf(
			{
				...reading,
				left: {keys: ['left', 'h'], label: 'Previous answer'},
				right: {keys: ['right', 'l'], label: 'next answer', hint: true},
				adopt: {keys: ['enter'], label: 'continue with this answer', hint: true},
				copyAnswer: {keys: ['y'], label: 'copy', hint: true, now: needsComparedAnswer},
				thinking: {keys: ['T', 'ctrl+t'], label: 'Show or hide what the models thought'},
				leave: {keys: ['esc'], label: 'choose none'},
			},
			comparisonEffects,
		),
	},
	models: modelKeys,
	permit: permitKeys,
	context: contextKeys,
	packet: packetKeys,
	cellChange: cellChangeKeys,
};
