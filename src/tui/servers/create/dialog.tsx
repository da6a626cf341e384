import {useEffect} from 'react';
import {
	edited,
	fieldsOf,
	isSelected,
	losesText,
	movedTo,
	newForm,
	picked,
	type CreateForm,
	type FormField,
} from './form.ts';
import {choiceAt, choicesOf} from './choices.ts';
import {jobTimeOf} from '../../../query/job-time.ts';
import {computeIdOf} from '../../../query/option.ts';
import {rateOf} from '../costs/rentals.ts';
import type {State} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import {actionsOf, type KeyScope} from '../../core/keys/action.ts';
import {line} from '../../core/keys/binding-sets.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {insert, type Editor} from '../../../text/editor/editor.ts';
import {replace} from '../../../text/editor/state.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {onOneLine} from '../../core/components/line-field.ts';
import {TextField, textKeys} from '../../core/components/text-field.tsx';
import {clamp} from '../../core/components/scroll.ts';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {useFields, useGetState} from '../../core/store-context.ts';
import {boxPlace, CARD_WIDTH, DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {formLines, HEAD} from './lines.ts';
import {formErrors, type FormKnowledge} from './errors.ts';
import {ALTERNATIVES, alternativesIn, cardLines, cardTitle} from './card.ts';
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
	servers: servers.value?.items,
	environments: environments.value?.items,
	compute: compute.value?.items,
	isLocal,
});

const NO_FORM = newForm();
/** The form at the time of the key: a burst sends several before the next frame. */
const latest = (get: () => State): CreateForm => topDialog(get(), 'create')?.form ?? NO_FORM;
const set = (get: () => State, form: CreateForm): void => route(get).changeDialog({kind: 'create', form});

const UNDER_WAY = 'The request has been sent; waiting for the response';

/** Enters a field from the card; Enter returns. */
const toField = (get: () => State, field: FormField): string | void => {
	const form = latest(get);
	if (form.sending !== null) return UNDER_WAY;
	if (!fieldsOf(form, get().compute.value?.items).includes(field)) return 'A server keeps its name';
	set(get, {...movedTo(form, field), returns: true});
};

/** Puts an alternative of the card into the form. */
const replaceOption = (get: () => State, at: number): string | void => {
	const form = latest(get);
	const option = alternativesIn(form, get().compute.value?.items)[at];
	if (option === undefined) return 'There is no such alternative';
	set(get, {...form, compute: computeIdOf(option).id, hint: null, refusal: null, isRequoted: false});
};

/** Closes the form. What was typed is gone, so that the next one is empty. */
const dropForm = (get: () => State): string | void => {
	const form = latest(get);
	renting(get).keepForm(null);
	route(get).closeDialog();
	if (losesText(form)) return 'Nothing was sent, and the form is empty again';
};

/** Null while the form is being sent: its keys have no use then. */
const unlessSending = ({get}: KeyContext): null | undefined =>
	latest(get).sending === null ? undefined : null;

const field = (key: string, name: FormField, label: string) =>
	({keys: [key], label, now: unlessSending, run: ({get}: KeyContext) => toField(get, name)}) as const;

const isJob = (get: () => State): boolean =>
	jobTimeOf(latest(get).compute, get().compute.value?.items) !== undefined;

const alternative = (name: (typeof ALTERNATIVES)[number]) => {
	const at = ALTERNATIVES.indexOf(name);
	return {
		keys: [String(at + 1)],
		label: `Take alternative ${at + 1} instead`,
		now: unlessSending,
		run: ({get}: KeyContext) => replaceOption(get, at),
	} as const;
};

/** The card at the end of a form. Enter spends nothing. */
export const reviewKeys: KeyScope = {
	where: 'end of a form',
	isDialog: true,
	actions: {
		rent: {
			keys: ['y'],
			label: 'rent',
			hint: true,
			now: unlessSending,
			run({get}) {
				const form = latest(get);
				if (form.sending !== null) return UNDER_WAY;
				const found = formErrors(form, knowledge(get()));
				const wrong = fieldsOf(form, get().compute.value?.items).find(each => found[each] !== undefined);
				if (wrong !== undefined) {
					set(get, {...movedTo(form, wrong), seen: new Set([...form.seen, wrong]), returns: true});
					return found[wrong];
				}
				void renting(get).rent();
			},
		},
		name: field('n', 'name', 'Change the name'),
		environment: field('e', 'environment', 'Change the environment'),
		compute: field('c', 'compute', 'Change the compute option'),
		port: field('p', 'port', 'Change the port'),
		time: {
			...field('t', 'time', 'Change the time limit of a job'),
			now: at => (isJob(at.get) ? unlessSending(at) : null),
			run: ({get}) => (isJob(get) ? toField(get, 'time') : 'Only a job in a queue has a time limit'),
		},
		first: alternative('first'),
		second: alternative('second'),
		third: alternative('third'),
		explain: {
			keys: ['enter'],
			label: 'Show which key rents',
			now: unlessSending,
			run: ({get}) => `${keyFor('review.rent')} ${latest(get).server === null ? 'rents' : 'starts'} it`,
		},
		cancel: {
			keys: ['esc'],
			label: 'back',
			hint: true,
			// The user may leave a start in progress.
			now: at => (latest(at.get).server === null ? unlessSending(at) : undefined),
			run: ({get}) => dropForm(get),
		},
	},
};

/** True if Enter leads to the card: the form is filled, or the field was entered from there. */
const isNearlyDone = ({suggested, returns}: CreateForm): boolean => suggested !== null || returns === true;

/** Moves to the next field, skipping fields that are complete. */
const accept = (get: () => State): void => {
	const chosen = choicesOf(latest(get), knowledge(get()));
	const choice = latest(get).untouched ? undefined : chosen[choiceAt(latest(get), chosen)];
	const form = choice === undefined ? latest(get) : picked(latest(get), choice.id);
	const {at, untouched, editor} = form;
	if (at === 'review') return;
	const found = formErrors(form, knowledge(get()));
	const fields = fieldsOf(form, get().compute.value?.items);
	// Fields filled from the catalogue are skipped; the arrow keys reach them.
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

/** The edited field; ink-text-input edits the port. */
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
			now: at => unlessSending(at) ?? (isNearlyDone(latest(at.get)) ? 'review' : undefined),
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
		// A port is checked key by key, a paste as a whole.
		const pieces = isPasted || form().at !== 'port' ? [onOneLine(text)] : [...text];
		for (const piece of pieces) write(isSelected(form()) ? over(piece) : insert(draft(), piece), true);
	},
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
	const errors = formErrors(form, known);
	const before = form.server === null ? undefined : rateOf({rentals, compute}, form.server);
	if (form.at === 'review')
		return (
			<DialogBox
				title={cardTitle(form)}
				body={body}
				width={CARD_WIDTH}
				lines={[...cardLines({form, errors, known, before, width: lineWidth(body, CARD_WIDTH)})]}
			/>
		);
	const width = lineWidth(body, WIDTH);
	const height = heightIn(body);
	const {lines, cursor, room, position} = formLines({
		form,
		errors,
		known,
		before,
		choices: choicesOf(form, known),
		width,
		height,
	});
	const place = boxPlace(body, WIDTH, lines.length, height);
	return (
		<>
			<DialogBox
				title={cardTitle(form)}
				body={body}
				width={WIDTH}
				lines={lines}
				most={height}
				position={position}
			>
				{form.at === 'port' && (
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
			<CursorAt x={place.left + 2 + Math.min(cursor.x, width)} y={place.top + 1 + cursor.y} />
		</>
	);
};
