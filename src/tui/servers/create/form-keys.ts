import {insert, type Editor} from '../../../text/editor/editor.ts';
import {replace} from '../../../text/editor/state.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {onOneLine} from '../../core/components/line-field.ts';
import {clamp} from '../../core/components/scroll.ts';
import {textKeys} from '../../core/components/text-field.tsx';
import type {KeyContext} from '../../core/feature.ts';
import {actionsOf, type KeyScope} from '../../core/keys/action.ts';
import {line} from '../../core/keys/binding-sets.ts';
import type {State} from '../../core/program.ts';
import {notices} from '../../core/store/notices.ts';
import {choiceAt, choicesOf} from './choices.ts';
import {formErrors, knowledge} from './errors.ts';
import {edited, fieldsOf, isSelected, movedTo, picked, type CreateForm, type FormField} from './form.ts';
import {dropForm, heightIn, labelUnlessSending, latest, set, unlessSending} from './open-form.ts';

/** True if Enter leads to the card: every field has a value, or the user came from the card. */
const isNearlyDone = ({suggested, returns}: CreateForm): boolean => suggested !== null || returns === true;

/** Moves to the next field, skipping fields that are complete. */
export const accept = (get: () => State): void => {
	const chosen = choicesOf(latest(get), knowledge(get()));
	const choice = latest(get).untouched ? undefined : chosen[choiceAt(latest(get), chosen)];
	const form = choice === undefined ? latest(get) : picked(latest(get), choice.id);
	const {at, untouched, editor} = form;
	if (at === 'review') return;
	const found = formErrors(form, knowledge(get()));
	const fields = fieldsOf(form, get().compute.value?.items);
	// Skips fields filled from the catalogue; the arrow keys reach them.
	const next = isNearlyDone(form) ? undefined : fields[fields.indexOf(at) + 1];
	if (found[at] !== undefined) set(get, {...movedTo(form, at), untouched, editor});
	else set(get, movedTo(form, next ?? fields.find(field => found[field] !== undefined) ?? 'review'));
};

const step = (get: () => State, by: number): void => {
	const form = latest(get);
	const fields = fieldsOf(form, get().compute.value?.items);
	const to = fields.indexOf(form.at as FormField) + by + fields.length;
	set(get, movedTo(form, fields[to % fields.length] ?? 'name'));
};

const move = (get: () => State, by: number): void => {
	const form = latest(get);
	if (form.at !== 'environment' && form.at !== 'compute')
		return Math.abs(by) === 1 ? step(get, by) : undefined;
	const choices = choicesOf(form, knowledge(get()));
	const choice = choices[clamp(choiceAt(form, choices) + by, 0, choices.length - 1)];
	if (choice !== undefined) set(get, picked(form, choice.id));
};

/** Access to the edited field. The port is edited by ink-text-input. */
const fieldOf = (at: KeyContext) => {
	const {get} = at;
	const port = textKeys(at, {
		draft: () => latest(get).editor,
		set: editor => set(get, edited(latest(get), editor, editor.text !== latest(get).editor.text)),
	});
	const write = (editor: Editor, isTyping: boolean): void => {
		const form = latest(get);
		if (form.at !== 'port') return set(get, edited(form, editor, isTyping));
		if (/\D/.test(editor.text)) return notices(get).notify('info', 'A port is a whole number: digits only');
		port.edit(editor);
	};
	const draft = (): Editor => latest(get).editor;
	/** Replaces the whole text of the field; undo restores it. */
	const over = (text: string): Editor => replace(draft(), 0, draft().text.length, text);
	return {port, write, draft, over};
};

const fieldKeys = (at: KeyContext) => {
	const {get} = at;
	const {write, draft, over} = fieldOf(at);
	const typing = editingKeys({draft, set: editor => write(editor, true)});
	const {left, right, wordLeft, wordRight, lineStart, lineEnd} = editingKeys({
		draft,
		set: editor => write(editor, false),
	});
	const orAll = (erase: () => void) => (): void =>
		isSelected(latest(get)) ? write(over(''), true) : erase();
	return {
		...typing,
		...{left, right, wordLeft, wordRight, lineStart, lineEnd},
		backspace: orAll(typing.backspace),
		delete: orAll(typing.delete),
		yank() {
			const {killed} = draft();
			return killed !== '' && isSelected(latest(get)) ? write(over(killed), true) : typing.yank();
		},
	};
};

const pageOf = ({rect}: KeyContext): number => Math.max(1, heightIn(rect) - 12);

export const formKeys: KeyScope = {
	where: 'form of a server',
	isText: true,
	isDialog: true,
	actions: {
		accept: {
			keys: ['enter'],
			label: 'next',
			hint: true,
			now: labelUnlessSending(form => (isNearlyDone(form) ? 'review' : undefined)),
			run: at => (latest(at.get).at === 'port' ? fieldOf(at).port.submit() : accept(at.get)),
		},
		next: {keys: ['tab'], label: 'next field', hint: true, now: unlessSending, run: ({get}) => step(get, 1)},
		previous: {
			keys: ['shift+tab'],
			label: 'previous field',
			hint: true,
			now: unlessSending,
			run: ({get}) => step(get, -1),
		},
		earlier: {keys: ['up'], label: 'Up in the list, or previous field', run: ({get}) => move(get, -1)},
		later: {
			keys: ['down'],
			label: 'list or next field',
			hint: true,
			now: unlessSending,
			run: ({get}) => move(get, 1),
		},
		pageUp: {keys: ['pageup'], label: 'Page up in the list', run: at => move(at.get, -pageOf(at))},
		pageDown: {keys: ['pagedown'], label: 'Page down in the list', run: at => move(at.get, pageOf(at))},
		...actionsOf(line, fieldKeys),
		cancel: {keys: ['esc'], label: 'close the form', now: unlessSending, run: ({get}) => dropForm(get)},
	},
	typed(at, text, isPasted = false) {
		const {write, draft, over} = fieldOf(at);
		const form = () => latest(at.get);
		// Each typed character of a port is checked separately, and a paste as a whole.
		const pieces = isPasted || form().at !== 'port' ? [onOneLine(text)] : [...text];
		for (const piece of pieces) write(isSelected(form()) ? over(piece) : insert(draft(), piece), true);
	},
};
