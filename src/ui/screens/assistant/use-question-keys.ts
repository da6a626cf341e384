import {EMPTY_CONVERSATION, type Conversation} from '../../../store/assistant.ts';
import {suggestionsIn} from '../../../store/assistant-suggest.ts';
import {createEditor, insert, moveTo, setText, type Editor} from '../../../text/editor.ts';
import {replace} from '../../../text/editor-state.ts';
import {foldsAfter, MOST_PASTED_LINES, outsideFolds} from '../../../text/folds.ts';
import {editingKeys, historyKeys} from '../../components/editor-keys.ts';
import type {Handlers} from '../../keys/dispatch.ts';
import {useGetState} from '../../store-context.ts';
import {commandIn, runCommand} from './commands.ts';

type FieldAction = Exclude<keyof Handlers<'assistant'>, 'scrollUp' | 'scrollDown' | 'model' | 'compare' | 'tray' | 'conversations'>;

export type QuestionKeys = {
	readonly field: Pick<Handlers<'assistant'>, FieldAction>;
	readonly suggest: Handlers<'suggest'>;
	readonly type: (text: string) => void;
};

/** What the keys do in the field of the assistant: editing with chips for long pastes, suggestions, commands, sending. */
export const useQuestionKeys = (server: string): QuestionKeys => {
	const get = useGetState();
	const current = (): Conversation => get().conversations.get(server) ?? EMPTY_CONVERSATION;
	const change = (next: Parameters<ReturnType<typeof get>['changeConversation']>[1]): void => get().changeConversation(server, next);
	const set = (draft: Editor): void => {
		const before = current();
		const folds = foldsAfter(before.folds, before.draft.text, draft.text);
		const cursor = outsideFolds(folds, draft.cursor, before.draft.cursor);
		change({draft: cursor === draft.cursor ? draft : moveTo(draft, cursor), folds, suggestedAt: 0});
	};
	const access = {draft: () => current().draft, set};
	const editing = editingKeys(access);
	/** A chip goes as a whole; undo brings its text back. */
	const withoutChip = (side: 'from' | 'to', otherwise: () => void) => (): void => {
		const {draft, folds} = current();
		const chip = folds.find(fold => fold[side] === draft.cursor);
		if (chip === undefined) otherwise();
		else set(replace(draft, chip.from, chip.to, ''));
	};
	const type = (text: string): void => {
		const {draft} = current();
		const next = insert(draft, text);
		const added = next.text.slice(draft.cursor, next.cursor);
		set(next);
		if (added.split('\n').length <= MOST_PASTED_LINES) return;
		change({folds: [...current().folds, {from: draft.cursor, to: next.cursor}].sort((a, b) => a.from - b.from)});
	};
	const take = (isRun: boolean): string | void => {
		const found = suggestionsIn(get(), server);
		const choice = found?.choices[found.at];
		if (found === null || choice === undefined) return;
		const {draft} = current();
		if (choice.command !== null && isRun && !choice.insert.endsWith(' ')) {
			set(createEditor());
			return runCommand(get, server, {name: choice.command, argument: ''});
		}
		// No space behind it: lines of a file may follow, as in #L1-20.
		set(replace(draft, found.from, found.to, choice.insert));
	};
	const step = (by: number) => (): void => {
		const found = suggestionsIn(get(), server);
		if (found !== null) change({suggestedAt: Math.max(0, Math.min(found.choices.length - 1, found.at + by))});
	};
	return {
		type,
		field: {
			...editing,
			...historyKeys(access, {entries: () => current().history, at: () => current().historyAt, stash: () => current().stash, set: next => change({...next, folds: [], ...(next.draft && {hiddenFor: next.draft.text})})}),
			backspace: withoutChip('to', editing.backspace),
			deleteWord: withoutChip('to', editing.deleteWord),
			delete: withoutChip('from', editing.delete),
			newline: () => set(insert(current().draft, '\n')),
			send() {
				const {draft} = current();
				const command = commandIn(draft.text);
				if (command === null) return get().sendQuestion(server);
				set(createEditor());
				return runCommand(get, server, command);
			},
			fold() {
				const {draft, folds} = current();
				if (folds.length === 0) return 'There is no folded text here';
				const here = folds.find(({from, to}) => draft.cursor === from || draft.cursor === to) ?? folds.at(-1);
				change({folds: folds.filter(each => each !== here)});
			},
			external() {
				const {text} = current().draft;
				void get().editText(server, 'question', text).then(edited => {
					if (edited !== null) change({draft: setText(current().draft, edited), folds: [], hiddenFor: edited});
				});
			},
			leave() {
				if (!get().stopAnswer(server)) get().focusPart('assistant', 'turns');
			},
		},
		suggest: {
			accept: () => take(true),
			complete: () => take(false),
			up: step(-1),
			down: step(1),
			close: () => change({hiddenFor: current().draft.text}),
		},
	};
};
