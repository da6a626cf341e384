import {type Conversation, chat} from './conversations.ts';
import {mentionsIn} from './attachments.ts';
import {suggestionsIn, type Suggestion} from './suggest.ts';
import {createEditor, insert, moveTo, setText, type Editor} from '../../text/editor/editor.ts';
import {replace} from '../../text/editor/state.ts';
import {foldsAfter, MOST_PASTED_LINES, outsideFolds} from '../../text/output/paste-folds.ts';
import {editingKeys, historyKeys} from '../core/components/editor-keys.ts';
import type {KeyContext, TextHandler} from '../core/feature.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {commandIn, runCommand} from './commands.ts';
import {conversationOf} from './conversation.ts';
import {messageQueue} from './queue.ts';
import {tasks} from './tasks.ts';
import {attaching} from './attached.ts';
import {route} from '../core/store/route.ts';
import {externalEditor} from '../files/saving/external-editor.ts';

/** The field of the current server's assistant. */
const fieldOf = ({get}: KeyContext) => {
	const server = get().current ?? '';
	const current = (): Conversation => conversationOf(get(), server);
	const change = (next: Partial<Conversation>): void => chat(get).changeConversation(server, next);
	const set = (draft: Editor): void => {
		const before = current();
		const folds = foldsAfter(before.folds, before.draft.text, draft.text);
		const cursor = outsideFolds(folds, draft.cursor, before.draft.cursor);
		change({draft: cursor === draft.cursor ? draft : moveTo(draft, cursor), folds, suggestedAt: 0});
	};
	return {server, current, change, set};
};

/**
 * The draft with a suggestion inserted. A space follows a mention, because text that is typed next
 * would otherwise become part of the mention.
 */
const withTaken = (
	draft: Editor,
	{from, to}: {readonly from: number; readonly to: number},
	{insert: text, command}: Suggestion,
): Editor => {
	if (command !== null) return replace(draft, from, to, text);
	const hasSpace = draft.text[to] === ' ';
	return replace(draft, from, hasSpace ? to + 1 : to, `${text} `);
};

/**
 * Removes the space after a completed mention if the user types line numbers, because they must
 * follow the file's name directly: @a.py#L1-20.
 */
const withoutSpaceBefore = (draft: Editor, typed: string): Editor => {
	const at = draft.cursor;
	const isLines = /^#(?:L|$)/.test(typed) && draft.text[at - 1] === ' ';
	return isLines && mentionsIn(draft.text).some(({to}) => to === at - 1)
		? replace(draft, at - 1, at, '')
		: draft;
};

/** Inserts typed or pasted text; a long paste is shown as a chip. */
export const takeText =
	(at: KeyContext): TextHandler =>
	text => {
		const {current, change, set} = fieldOf(at);
		const draft = withoutSpaceBefore(current().draft, text);
		const next = insert(draft, text);
		const added = next.text.slice(draft.cursor, next.cursor);
		set(next);
		if (added.split('\n').length <= MOST_PASTED_LINES) return;
		change({
			folds: [...current().folds, {from: draft.cursor, to: next.cursor}].sort((a, b) => a.from - b.from),
		});
	};

/** Effects of keys in the field: editing (long pastes are shown as chips), commands, sending. */
export const fieldEffects = (at: KeyContext) => {
	const {get} = at;
	const {server, current, change, set} = fieldOf(at);
	const access = {draft: () => current().draft, set};
	const editing = editingKeys(access);
	/** Deletes a chip as a whole; undo restores its text. */
	const withoutChip = (side: 'from' | 'to', otherwise: () => void) => (): void => {
		const {draft, folds} = current();
		const chip = folds.find(fold => fold[side] === draft.cursor);
		if (chip === undefined) otherwise();
		else set(replace(draft, chip.from, chip.to, ''));
	};
	const history = historyKeys(access, {
		entries: () => current().history,
		at: () => current().historyAt,
		stash: () => current().stash,
		set: next => change({...next, folds: [], ...(next.draft && {hiddenFor: next.draft.text})}),
	});
	return {
		...editing,
		...history,
		earlier: () =>
			current().draft.text === '' && messageQueue(get).takeBack(server) ? undefined : history.earlier(),
		backspace: withoutChip('to', editing.backspace),
		deleteWord: withoutChip('to', editing.deleteWord),
		delete: withoutChip('from', editing.delete),
		deleteWordAfter: withoutChip('from', editing.deleteWordAfter),
		newline: () => set(insert(current().draft, '\n')),
		send(): string | void {
			const {draft} = current();
			// Enter in an empty field only shows a pending decision, so that the key never decides
			// by accident.
			if (draft.text.trim() === '' && tasks(get).showPermit(server)) return;
			const command = commandIn(draft.text);
			if (command === null && draft.text.trim() !== '' && tasks(get).answerWork(server, draft.text.trim()))
				return set(createEditor());
			if (command === null) return attaching(get).sendQuestion(server);
			set(createEditor());
			return runCommand(get, server, command);
		},
		fold(): string | void {
			const {draft, folds} = current();
			if (folds.length === 0) return 'There is no folded text here';
			const here = folds.find(({from, to}) => draft.cursor === from || draft.cursor === to) ?? folds.at(-1);
			change({folds: folds.filter(each => each !== here)});
		},
		external() {
			const {text} = current().draft;
			void externalEditor(get)
				.editText(server, 'question', text)
				.then(edited => {
					if (edited !== null)
						change({draft: setText(current().draft, edited), folds: [], hiddenFor: edited});
				});
		},
		complete(): string | void {
			const {draft} = current();
			if (draft.cursor === 0) return at.act('anywhere', 'nextPane');
			return `There is nothing to complete: ${keyFor('assistant.complete')} goes to the next pane from an empty field, or after ${keyFor('assistant.leave')}`;
		},
		leave() {
			if (attaching(get).stopAnswer(server)) return;
			const {returnTo} = get();
			if (returnTo === null) route(get).focusPart('assistant', 'turns');
			else route(get).focus(returnTo);
		},
	};
};

/** Effects of keys in the suggestions above the field. */
export const suggestEffects = (at: KeyContext) => {
	const {get} = at;
	const {server, current, change, set} = fieldOf(at);
	const take = (isRun: boolean): string | void => {
		const found = suggestionsIn(get(), server);
		const choice = found?.choices[found.at];
		if (found === null || choice === undefined) return;
		const {draft} = current();
		if (choice.command !== null && isRun && !choice.insert.endsWith(' ')) {
			set(createEditor());
			return runCommand(get, server, {name: choice.command, argument: ''});
		}
		set(withTaken(draft, found, choice));
	};
	const step = (by: number) => (): void => {
		const found = suggestionsIn(get(), server);
		if (found !== null) change({suggestedAt: Math.max(0, Math.min(found.choices.length - 1, found.at + by))});
	};
	return {
		accept: () => take(true),
		complete: () => take(false),
		up: step(-1),
		down: step(1),
		close: () => change({hiddenFor: current().draft.text}),
	};
};
