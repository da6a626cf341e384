import {useEffect} from 'react';
import {
	edited,
	fieldsOf,
	isSelected,
	isWorthKeeping,
	movedTo,
	newForm,
	picked,
	type CreateForm,
	type FormField,
} from './form.ts';
import {choiceAt, choicesOf} from './choices.ts';
import {rateOf} from '../costs/rentals.ts';
import type {State} from '../../core/program.ts';
import type {KeyHandlers, ScopeHandlers} from '../../core/feature.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {insert, type Editor} from '../../../text/editor/editor.ts';
import {replace} from '../../../text/editor/state.ts';
import {label} from '../../../text/safe.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {onOneLine} from '../../core/components/line-field.ts';
import {TextField, textKeys} from '../../core/components/text-field.tsx';
import {clamp} from '../../core/components/scroll.ts';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {useFields, useGetState} from '../../core/store-context.ts';
import {boxPlace, DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {formLines, HEAD} from './lines.ts';
import {formErrors, type FormKnowledge} from './errors.ts';
import {renting} from './submit.ts';
import {notices} from '../../core/store/notices.ts';
import {environmentList} from '../../environments/environments.ts';
import {catalogue} from '../../compute/catalogue.ts';

const WIDTH = 96;
const ROWS = 24;
const heightIn = (body: Rect): number => Math.min(ROWS, body.height - 2);

const knowledge = ({
	servers,
	environments,
	compute,
	isLocal,
}: Pick<State, 'servers' | 'environments' | 'compute' | 'isLocal'>): FormKnowledge => ({
	servers: servers.value?.items ?? [],
	environments: environments.value?.items,
	compute: compute.value?.items,
	isLocal,
});

const NO_FORM = newForm();
/** The form at the time of the key: a burst sends several before the next frame. */
const latest = (get: () => State): CreateForm => topDialog(get(), 'create')?.form ?? NO_FORM;
const set = (get: () => State, form: CreateForm): void => route(get).changeDialog({kind: 'create', form});

const UNDER_WAY = 'The request is under way';

/** Returns from the last page to the fields. */
const backToFields = (get: () => State): string | void => {
	const form = latest(get);
	if (form.sending !== null) return UNDER_WAY;
	set(get, movedTo(form, form.server === null ? 'name' : 'compute'));
};

const confirm: KeyHandlers<'confirm'> = ({get}) => ({
	yes() {
		if (latest(get).sending !== null) return UNDER_WAY;
		void renting(get).rent();
	},
	no: () => (latest(get).server === null ? backToFields(get) : route(get).closeDialog()),
});

/** Moves to the next field, skipping fields that are complete. */
const accept = (get: () => State): void => {
	const chosen = choicesOf(latest(get), knowledge(get()));
	const choice = latest(get).untouched ? undefined : chosen[choiceAt(latest(get), chosen)];
	const form = choice === undefined ? latest(get) : picked(latest(get), choice.id);
	const {at, untouched, editor} = form;
	if (at === 'review') return;
	const found = formErrors(form, knowledge(get()));
	const fields = fieldsOf(form);
	// Fields filled from the catalogue are skipped; the arrow keys reach them.
	const next = form.suggested === null ? fields[fields.indexOf(at) + 1] : undefined;
	if (found[at] !== undefined) set(get, {...movedTo(form, at), untouched, editor});
	else set(get, movedTo(form, next ?? fields.find(field => found[field] !== undefined) ?? 'review'));
};

const step = (get: () => State, by: number): void => {
	const form = latest(get);
	const fields = fieldsOf(form);
	const to = fields.indexOf(form.at as FormField) + by + fields.length;
	set(get, movedTo(form, fields[to % fields.length] ?? 'name'));
};

const move = (get: () => State, by: number) => (): void => {
	const form = latest(get);
	if (form.at !== 'environment' && form.at !== 'compute')
		return Math.abs(by) === 1 ? step(get, by) : undefined;
	const choices = choicesOf(form, knowledge(get()));
	const choice = choices[clamp(choiceAt(form, choices) + by, 0, choices.length - 1)];
	if (choice !== undefined) set(get, picked(form, choice.id));
};

/** Handlers of the fields; ink-text-input edits the last one. */
const fieldKeys: KeyHandlers<'form'> = at => {
	const {get, rect} = at;
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
	const typing = editingKeys({draft, set: editor => write(editor, true)});
	const {left, right, wordLeft, wordRight, lineStart, lineEnd} = editingKeys({
		draft,
		set: editor => write(editor, false),
	});
	/** Replaces the whole text of the field; undo restores it. */
	const over = (text: string): Editor => replace(draft(), 0, draft().text.length, text);
	const orAll = (erase: () => void) => (): void =>
		isSelected(latest(get)) ? write(over(''), true) : erase();
	const page = Math.max(1, heightIn(rect) - 12);
	return {
		...typing,
		...{left, right, wordLeft, wordRight, lineStart, lineEnd},
		accept: () => (latest(get).at === 'port' ? port.submit() : accept(get)),
		next: () => step(get, 1),
		previous: () => step(get, -1),
		earlier: move(get, -1),
		later: move(get, 1),
		pageUp: move(get, -page),
		pageDown: move(get, page),
		backspace: orAll(typing.backspace),
		delete: orAll(typing.delete),
		yank() {
			const {killed} = draft();
			return killed !== '' && isSelected(latest(get)) ? write(over(killed), true) : typing.yank();
		},
		cancel() {
			const form = latest(get);
			const isKept = isWorthKeeping(form);
			if (isKept) renting(get).keepForm(form);
			route(get).closeDialog();
			if (form.reopened !== undefined && !isKept) return 'Nothing was sent, and the form is empty again';
			if (isKept) return `Nothing was sent; ${keyFor('servers.create')} opens the form again as it was`;
		},
		typed(text, isPasted = false) {
			// A port is checked key by key, a paste as a whole.
			const pieces = isPasted || latest(get).at !== 'port' ? [onOneLine(text)] : [...text];
			for (const piece of pieces) write(isSelected(latest(get)) ? over(piece) : insert(draft(), piece), true);
		},
	};
};

export const formHandlers: ScopeHandlers = {
	form: fieldKeys,
	confirm,
	review: ({get}) => ({change: () => backToFields(get)}),
};

/**
 * The form for a new server or for the start of an offline one: the fields, then a page that a key
 * other than Enter submits.
 */
export const ServerForm = ({form, body}: {readonly form: CreateForm; readonly body: Rect}) => {
	const get = useGetState();
	const {rentals, compute, ...lists} = useFields('servers', 'environments', 'compute', 'isLocal', 'rentals');
	const known = knowledge({...lists, compute});
	useEffect(() => {
		if (get().environments.status === 'idle') void environmentList(get).refreshEnvironments();
		if (get().compute.status === 'idle') void catalogue(get).refreshCompute();
	}, [get]);
	const width = lineWidth(body, WIDTH);
	const height = heightIn(body);
	const before = form.server === null ? undefined : rateOf({rentals, compute}, form.server);
	const {lines, cursor, room, position} = formLines({
		form,
		errors: formErrors(form, known),
		known,
		before,
		choices: choicesOf(form, known),
		width,
		height,
	});
	const title = form.server === null ? 'New server' : `Start ${label(form.name, 40)}?`;
	const place = boxPlace(body, WIDTH, lines.length, height);
	return (
		<>
			<DialogBox title={title} body={body} width={WIDTH} lines={lines} most={height} position={position}>
				{form.at === 'port' && cursor !== undefined && (
					<TextField
						editor={form.editor}
						left={1 + HEAD}
						top={cursor.y}
						width={room}
						isSelected={isSelected(form)}
						onSubmit={() => accept(get)}
					/>
				)}
			</DialogBox>
			{cursor !== undefined && (
				<CursorAt x={place.left + 2 + Math.min(cursor.x, width)} y={place.top + 1 + cursor.y} />
			)}
		</>
	);
};
