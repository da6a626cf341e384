import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import TextInput from 'ink-text-input';
import {useEffect} from 'react';
import {computeSuggestions, FORM_FIELDS, formErrors, formValues, offerOf, requestOf, type CreateForm, type FormField, type FormKnowledge} from '../../store/create-form.ts';
import {explainFailure} from '../../store/remote.ts';
import type {State} from '../../store/store.ts';
import * as edit from '../../text/editor.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width.ts';
import {wrap} from '../../text/wrap.ts';
import {Row} from '../components/rows.tsx';
import {CursorAt} from '../frame/cursor.tsx';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 72;
const HEAD = 14;
const CHOICES = 6;
/** Row of each field inside the box; its error stands in the row below. */
const ROW: Readonly<Record<FormField, number>> = {name: 1, environment: 3, compute: 5, port: 7};
const BELOW = 9;

const knowledge = (state: State): FormKnowledge => ({
	names: (state.servers.value?.items ?? []).map(server => server.name),
	environments: state.environments.value?.items,
	compute: state.compute.value?.items,
	isLocal: state.isLocal,
});

/** The form for a new server: four fields, then a summary that one other key sends. */
export const CreateDialog = ({form, body}: {readonly form: CreateForm; readonly body: Rect}) => {
	const get = useGetState();
	const known = knowledge(useApp(state => state));
	useEffect(() => {
		if (get().environments.status === 'idle') void get().refreshEnvironments();
		if (get().compute.status === 'idle') void get().refreshCompute();
	}, [get]);
	const errors = formErrors(form, known);
	const values = formValues(form);
	/** The form at the moment of a key: a burst sends several before the next frame. */
	const latest = (): CreateForm => {
		const dialog = get().dialogs.at(-1);
		return dialog?.kind === 'create' ? dialog.form : form;
	};
	const change = (next: Partial<CreateForm>): void => get().changeDialog({kind: 'create', form: {...latest(), ...next}});
	const ownField = ({at}: CreateForm): 'name' | 'compute' | null => (at === 'name' || at === 'compute' ? at : null);
	const own = ownField(form);
	const suggestions = form.at === 'compute' ? computeSuggestions(form.typed, known.compute ?? []) : [];

	const onOwn = (operation: (editor: edit.Editor) => edit.Editor, typing: boolean): void => {
		const field = ownField(latest());
		if (field === null) return;
		const editor = operation(latest()[field]);
		change({[field]: editor, ...(typing && {typed: editor.text, pick: 0})});
	};
	/** Leaves the field for another; Enter goes on to the summary once every field can be sent. */
	const leave = (to: CreateForm['at']): void => {
		const {at, seen} = latest();
		change({at: to, seen: at === 'review' ? seen : new Set([...seen, at]), refusal: null});
	};
	const after = (step: number): FormField => FORM_FIELDS[(FORM_FIELDS.indexOf(latest().at as FormField) + step + FORM_FIELDS.length) % FORM_FIELDS.length] ?? 'name';
	const accept = (next: Partial<CreateForm> = {}): void => {
		change(next);
		const {at} = latest();
		const found = formErrors(latest(), known);
		if (at !== 'port') return leave(found[at as FormField] ? at : after(1));
		leave(FORM_FIELDS.find(field => found[field] !== undefined) ?? 'review');
	};
	const suggest = (step: number): void => {
		const {typed, pick, compute} = latest();
		const ids = computeSuggestions(typed, known.compute ?? []);
		// An editor turns CR into LF: an id that holds one must not hold the list up.
		const to = compute.text === edit.createEditor(ids[pick] ?? '').text ? pick + step : pick;
		const id = ids[to];
		if (id !== undefined) change({compute: edit.createEditor(id), pick: to});
	};
	useKeys('form', {
		accept: () => accept(),
		next: () => leave(after(1)),
		previous: () => leave(after(-1)),
		earlier: () => (latest().at === 'compute' ? suggest(-1) : leave(after(-1))),
		later: () => (latest().at === 'compute' ? suggest(1) : leave(after(1))),
		left: () => onOwn(edit.left, false),
		right: () => onOwn(edit.right, false),
		backspace: () => onOwn(edit.backspace, true),
		killToStart: () => onOwn(edit.killToLineStart, true),
		cancel: () => get().closeDialog(),
	}, text => onOwn(editor => edit.insert(editor, text.split(/[\r\n]/)[0] ?? ''), true));
	useKeys('confirm', {
		yes() {
			if (latest().sending) return 'The request is under way';
			change({sending: true, refusal: null});
			void get().createServer(requestOf(latest())).then(reply => {
				if (reply.ok) return get().closeDialog();
				const {what, next} = explainFailure(reply.failure);
				change({sending: false, at: 'name', refusal: `${what} ${next}`});
			});
		},
		no: () => change({at: 'name'}),
	});

	const offer = offerOf(values.compute, known.compute);
	const field = (name: FormField, shown: string): string[] => [
		`${form.at === name ? paint('accent', glyph.cursor) : ' '} ${paint(form.at === name ? 'own' : 'dim', name.padEnd(HEAD - 2))}${shown}`,
		form.seen.has(name) && errors[name] !== undefined ? `${' '.repeat(HEAD)}${paint('bad', label(errors[name], 300))}` : '',
	];
	// A low terminal has room for the field that has the keys, or for the summary.
	const low = body.height - 2 < BELOW + CHOICES;
	const rowOf = (name: FormField): number => (low ? 1 : ROW[name]);
	const below = low ? 3 : BELOW;
	const rate = offer === undefined ? '' : `   ${paint('dim', `${offer.hourly_price.toFixed(2)} /h`)}`;
	const fields = {
		name: field('name', label(values.name, 63)),
		environment: field('environment', form.at === 'environment' ? '' : label(form.environment)),
		compute: field('compute', `${label(values.compute, 60)}${form.at === 'compute' ? '' : rate}`),
		port: field('port', form.at === 'port' ? '' : label(form.port, 8)),
	};
	const lines = ['', ...FORM_FIELDS.filter(name => !low || name === form.at).flatMap(name => fields[name])];
	const choices = suggestions.slice(Math.max(0, form.pick - CHOICES + 1), Math.max(CHOICES, form.pick + 1)).map(id => {
		const price = offerOf(id, known.compute)?.hourly_price.toFixed(2) ?? '';
		const text = `${' '.repeat(HEAD)}${fit(label(id, 60), 40)} ${price.padStart(8)} /h`;
		return id === values.compute ? paint('own', text) : paint('dim', text);
	});
	const review = [
		`  This creates ${paint('own', label(values.name, 40))} and starts it${offer === undefined ? '.' : ` at ${paint('own', `${offer.hourly_price.toFixed(2)} /h`)}.`}`,
		'',
		form.sending ? paint('busy', '  creating …') : `  ${paint('accent', 'y')} create it   ${paint('accent', 'esc')} change something`,
	];
	const refusal = form.refusal === null ? [] : wrap(label(form.refusal, 600), WIDTH - 8).map(line => `  ${paint('bad', line)}`);
	const last = form.at === 'review' ? review : refusal.length > 0 ? refusal : choices;
	const rows = [...lines, ...last, ...Array.from({length: CHOICES - last.length}, () => '')];
	const width = Math.min(WIDTH, body.width - 4);
	const left = Math.floor((body.width - width) / 2) + 2;
	const top = body.y + Math.max(0, Math.floor((body.height - Math.min(rows.length, body.height - 2) - 2) / 3)) + 1;
	const at = (row: number) => ({position: 'absolute', top: top + row, left: left + HEAD} as const);
	return (
		<>
			<DialogBox title="New server" body={body} width={WIDTH} lines={rows}/>
			{own !== null && <CursorAt x={left + HEAD + Math.min(width - HEAD - 4, cellWidth(label(form[own].text.slice(0, form[own].cursor), 63)))} y={top + rowOf(own)}/>}
			{form.at === 'environment' && (
				<>
					<Box {...at(rowOf('environment'))}><Row text={paint('dim', '↑ ↓ and Enter choose')}/></Box>
					<Box {...at(below)}>
						<SelectInput limit={CHOICES} initialIndex={Math.max(0, (known.environments ?? []).findIndex(each => each.environment_id === form.environment))}
							items={(known.environments ?? []).map(each => ({key: each.environment_id, value: each.environment_id, label: fit(`${fit(label(each.environment_id, 24), 16)} ${label(each.name, 40)}`, width - HEAD - 8)}))}
							onSelect={({value}) => accept({environment: value})} onHighlight={({value}) => change({environment: value})}/>
					</Box>
				</>
			)}
			{form.at === 'port' && (
				<Box {...at(rowOf('port'))} width={8}>
					<TextInput value={form.port} onChange={port => change({port: port.replaceAll(/\D/g, '').slice(0, 5)})} onSubmit={() => accept()}/>
				</Box>
			)}
		</>
	);
};


