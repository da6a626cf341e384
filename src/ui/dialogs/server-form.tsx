import {useEffect} from 'react';
import {edited, fieldsOf, formErrors, movedTo, picked, type CreateForm, type FormField, type FormKnowledge} from '../../store/create-form.ts';
import {choiceAt, choicesOf} from '../../store/form-choices.ts';
import {rateOf} from '../../store/rentals.ts';
import type {State} from '../../store/store.ts';
import {createEditor, insert, type Editor} from '../../text/editor.ts';
import {label} from '../../text/safe.ts';
import {editingKeys} from '../components/editor-keys.ts';
import {onOneLine} from '../components/line-field.ts';
import {clamp} from '../components/scroll.ts';
import {CursorAt} from '../frame/cursor.tsx';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {boxPlace, DialogBox} from './dialog-box.tsx';
import {formLines} from './form-lines.ts';

const WIDTH = 96;
const ROWS = 24;

const knowledge = ({servers, environments, compute, isLocal}: Pick<State, 'servers' | 'environments' | 'compute' | 'isLocal'>): FormKnowledge =>
	({servers: servers.value?.items ?? [], environments: environments.value?.items, compute: compute.value?.items, isLocal});

/** The form for a new server or for the start of an offline one: fields, then a page that another key than Enter sends. */
export const ServerForm = ({form, body}: {readonly form: CreateForm; readonly body: Rect}) => {
	const get = useGetState();
	const servers = useApp(state => state.servers);
	const environments = useApp(state => state.environments);
	const compute = useApp(state => state.compute);
	const isLocal = useApp(state => state.isLocal);
	const rentals = useApp(state => state.rentals);
	const known = knowledge({servers, environments, compute, isLocal});
	useEffect(() => {
		if (get().environments.status === 'idle') void get().refreshEnvironments();
		if (get().compute.status === 'idle') void get().refreshCompute();
	}, [get]);
	/** The form at the moment of a key: a burst sends several before the next frame. */
	const latest = (): CreateForm => {
		const dialog = get().dialogs.at(-1);
		return dialog?.kind === 'create' ? dialog.form : form;
	};
	const set = (next: CreateForm): void => get().changeDialog({kind: 'create', form: next});
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const height = Math.min(ROWS, body.height - 2);
	const page = Math.max(1, height - 12);

	const write = (editor: Editor, isTyping: boolean): void => {
		const now = latest();
		if (now.at === 'port' && /\D/.test(editor.text)) return get().notify('info', 'A port is a whole number: digits only');
		set(edited(now, editor, isTyping));
	};
	/** To the next field, over a field that cannot be sent to it. */
	const accept = (): void => {
		const chosen = choicesOf(latest(), knowledge(get()));
		const choice = latest().untouched ? undefined : chosen[choiceAt(latest(), chosen)];
		if (choice !== undefined) set(picked(latest(), choice.id));
		const {at} = latest();
		if (at === 'review') return;
		const found = formErrors(latest(), knowledge(get()));
		const fields = fieldsOf(latest());
		const next = fields[fields.indexOf(at) + 1];
		if (found[at] !== undefined) set({...movedTo(latest(), at), untouched: latest().untouched, editor: latest().editor});
		else set(movedTo(latest(), next ?? fields.find(field => found[field] !== undefined) ?? 'review'));
	};
	const step = (by: number): void => {
		const fields = fieldsOf(latest());
		set(movedTo(latest(), fields[(fields.indexOf(latest().at as FormField) + by + fields.length) % fields.length] ?? 'name'));
	};
	const move = (by: number) => (): void => {
		const {at} = latest();
		if (at !== 'environment' && at !== 'compute') return Math.abs(by) === 1 ? step(by) : undefined;
		const choices = choicesOf(latest(), knowledge(get()));
		const choice = choices[clamp(choiceAt(latest(), choices) + by, 0, choices.length - 1)];
		if (choice !== undefined) set(picked(latest(), choice.id));
	};
	const {left, right, wordLeft, wordRight, lineStart, lineEnd, undo, redo, ...erasing} = editingKeys({draft: () => latest().editor, set: editor => write(editor, true)});
	const moving = editingKeys({draft: () => latest().editor, set: editor => write(editor, false)});
	useKeys('form', {
		accept,
		next: () => step(1),
		previous: () => step(-1),
		earlier: move(-1),
		later: move(1),
		pageUp: move(-page),
		pageDown: move(page),
		...erasing,
		undo, redo,
		left: moving.left, right: moving.right, wordLeft: moving.wordLeft, wordRight: moving.wordRight, lineStart: moving.lineStart, lineEnd: moving.lineEnd,
		cancel() {
			if (latest().server === null && latest().name !== '') get().keepForm(latest());
			get().closeDialog();
			if (latest().server === null && latest().name !== '') return 'Nothing was sent; c opens the form again as it was';
		},
	}, text => write(insert(latest().untouched ? createEditor() : latest().editor, onOneLine(text)), true));
	useKeys('confirm', {
		yes() {
			if (latest().sending !== null) return 'The request is under way';
			void get().rent();
		},
		no() {
			if (latest().server !== null) return get().closeDialog();
			if (latest().sending !== null) return 'The request is under way';
			set(movedTo(latest(), 'name'));
		},
	});
	useKeys('review', {
		change() {
			if (latest().sending !== null) return 'The request is under way';
			set(movedTo(latest(), latest().server === null ? 'name' : 'compute'));
		},
	});

	const before = form.server === null ? undefined : rateOf({rentals, compute}, form.server);
	const {lines, cursor} = formLines({form, errors: formErrors(form, known), known, before, choices: choicesOf(form, known), width, height});
	const title = form.server === null ? 'New server' : `Start ${label(form.name, 40)}?`;
	const place = boxPlace(body, WIDTH, lines.length);
	return (
		<>
			<DialogBox title={title} body={body} width={WIDTH} lines={lines}/>
			{cursor !== null && <CursorAt x={place.left + 2 + Math.min(cursor.x, width)} y={place.top + 1 + cursor.y}/>}
		</>
	);
};
