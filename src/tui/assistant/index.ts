import {dialog, screen} from '../core/feature.ts';
import {label} from '../../text/safe.ts';
import type {Scope, State} from '../core/program.ts';
import type {ErrorPacket} from '../cells/error-packet.ts';
import {conversationOf, isAnswering, isAsking} from './conversation.ts';
import {fieldSource} from '../core/store/draft-source.ts';
import {attaching} from './attached.ts';
import {modelComparison} from './compare.ts';
import type {Packed} from './attachments.ts';
import {codeBlocks, type CellChange} from './blocks.ts';
import {questionContext} from './context.ts';
import {ChangeCell} from './dialogs/cell-change.tsx';
import {CompareModels} from './dialogs/compare-models.tsx';
import {conversations, deleteConversation, findTurn} from './dialogs/conversations.tsx';
import {ServerContext} from './dialogs/server-context.tsx';
import {ExplainPacket} from './dialogs/explain-packet.tsx';
import {modelPicker} from './dialogs/model-picker.ts';
import {Permit} from './dialogs/permit.tsx';
import {tray} from './dialogs/message-context.ts';
import {writePath} from '../files/saving/write-path.ts';
import {offlineConversation} from './offline-conversation.ts';
import {messageQueue, textNotSent} from './queue.ts';
import {assistantKeys, assistantTab} from './keys.ts';
import {AssistantScreen} from './screen.tsx';
import {chat, type AssistantState} from './conversations.ts';
import {suggestionsIn} from './suggest.ts';
import type {PermitQuestion} from './work.ts';
import {tasks, type WorkState} from './tasks.ts';
import {conversationFind} from './find.ts';
import {assistantCommands} from './line-commands.ts';
import {attach, restoreQuestion} from '../files/ports.ts';
import {route} from '../core/store/route.ts';
import {explainError} from '../cells/ports.ts';
import {turnsOf} from '../repl/ports.ts';

declare module '../core/program.ts' {
	interface State extends AssistantState, WorkState {}
	interface Scopes {
		assistant: true;
		suggest: true;
		turns: true;
		comparison: true;
		models: true;
		permit: true;
		context: true;
		packet: true;
		cellChange: true;
	}
	interface Panes {
		assistant: 'assistant' | 'turns';
	}
	interface Dialogs {
		/** Code of an answer that would replace the source of a notebook's cell. */
		'cell-change': {change: CellChange; top?: number};
		/** Everything that a request to explain an error sends. */
		explain: {server: string; packet: ErrorPacket; top?: number};
		/**
		 * The server's `AGENTS.md`, before it is sent with the typed text. `models`: set if several
		 * models are asked.
		 */
		context: {
			server: string;
			packed: Packed;
			change: 'new' | 'changed';
			models?: readonly string[];
			/** Goal of a task that starts after the user's decision. */
			goal?: string;
			top?: number;
		};
		/** A step of a task that needs the user's decision. */
		permit: {server: string; question: PermitQuestion; top?: number};
		/** `again`: asks the last question again with the chosen model. */
		model: {server: string; again: boolean};
		/** Choice of the models that answer one question. */
		'compare-models': {server: string; at?: number; marked?: readonly string[]};
		/** Asks for the path of the file to write a code block to. */
		'write-path': {server: string; code: string};
		conversations: {server: string};
		'delete-conversation': {server: string};
		'find-turn': {server: string; text: string};
		/** Context of the next question to a server's assistant. */
		tray: {server: string};
	}
}

const fieldDrafts = fieldSource(
	state => state.conversations,
	({sent}) => sent,
	(state, server, change) => chat(state.app).changeConversation(server, change),
);
/** Source of the question field. Its unsent text starts with a queued message, if any. */
const questionSource: typeof fieldDrafts = {
	...fieldDrafts,
	unsent(state, server) {
		const conversation = conversationOf(state, server);
		if (conversation.queued === null) return fieldDrafts.unsent(state, server);
		const text = textNotSent(conversation);
		return {text, cursor: text.length};
	},
};

const assistantScopes = (state: State): readonly Scope[] => {
	if (state.conversations.get(state.current ?? '')?.comparison) return ['comparison'];
	if (state.paneFocus.assistant === 'turns') return ['turns'];
	return suggestionsIn(state, state.current ?? '') === null ? ['assistant'] : ['suggest', 'assistant'];
};

export const assistant = screen({
	...assistantTab,
	command: {does: 'Show the assistant'},
	parts: [
		chat,
		attaching,
		modelComparison,
		questionContext,
		codeBlocks,
		messageQueue,
		tasks,
		attach.provide((app, attachment) => {
			const reason = attaching(app).addAttachment(attachment);
			if (reason === undefined) route(app).focusForNow('assistant', 'assistant');
			return reason;
		}),
		restoreQuestion.provide((app, server, question) => chat(app).replaceQuestion(server, question)),
		explainError.provide((app, packet) => attaching(app).explainError(packet)),
		turnsOf.provide(({get}, server) => get().conversations.get(server)?.turns ?? []),
	],
	keys: assistantKeys,
	scopes: assistantScopes,
	stop: (state, server) => attaching(state.app).stopAnswer(server),
	stops(state, server, top) {
		const conversation = conversationOf(state, server);
		if (state.works.get(server)?.looks) return top === 'suggest' ? undefined : 'cancel the task';
		return top !== 'suggest' && isAsking(conversation)
			? state.works.get(server)
				? state.works.get(server)?.isStopping
					? 'stop it now'
					: 'stop the task'
				: conversation.comparison
					? 'stop the answers'
					: 'stop the answer'
			: undefined;
	},
	hasContent(state, server) {
		const {turns, draft, comparison} = conversationOf(state, server);
		return turns.length > 0 || draft.text !== '' || comparison !== null || state.works.has(server);
	},
	inDock(state, server) {
		const {turns, attached} = conversationOf(state, server);
		const counted = (count: number, what: string): string =>
			count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
		const path = label(state.viewers.get(server)?.path ?? '', 40);
		const about = turns.length > 0 || path === '' ? '' : `ask about ${path}`;
		return [about, counted(turns.length, 'turn'), counted(attached.length, 'attachment')]
			.filter(each => each !== '')
			.join(' · ');
	},
	waits: (state, server) => state.works.get(server)?.waits != null || state.works.get(server)?.asks === true,
	isBusy: (state, server) => isAsking(conversationOf(state, server)),
	ended(state, server) {
		const ended = conversationOf(state, server).turns.filter(
			turn => turn.askedAt >= state.began && !isAnswering(turn),
		);
		const how = ended.at(-1)?.state;
		return {count: ended.length, failed: how === 'failed' || how === 'incomplete'};
	},
	failure: (state, server) =>
		conversationOf(state, server).turns.findLast(({failure, replaced}) => failure !== null && !replaced)
			?.failure,
	tabDoes: (state, server, top) =>
		top === 'assistant' && conversationOf(state, server).draft.cursor > 0 ? null : undefined,
	drafts: {question: questionSource},
	stash: (state, server) =>
		state.paneFocus.assistant === 'assistant' && chat(state.app).stashQuestion(server)
			? 'assistant.earlier'
			: undefined,
	kept: offlineConversation,
	commands: assistantCommands,
	finds: [conversationFind],
	dialogs: [
		dialog({kind: 'permit', saysKeys: () => true, scope: 'permit', Dialog: Permit}),
		dialog({kind: 'explain', saysKeys: () => true, scope: 'packet', Dialog: ExplainPacket}),
		dialog({kind: 'cell-change', saysKeys: () => true, scope: 'cellChange', Dialog: ChangeCell}),
		dialog({kind: 'context', saysKeys: () => true, scope: 'context', Dialog: ServerContext}),
		modelPicker,
		dialog({kind: 'compare-models', scope: 'models', Dialog: CompareModels}),
		writePath,
		conversations,
		deleteConversation,
		findTurn,
		tray,
	],
	Screen: AssistantScreen,
});
