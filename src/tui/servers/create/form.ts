import type {Failure} from '../../../api/failure.ts';
import {DEFAULT_PORT} from '../../../contract/names.ts';
import type {ComputeOption} from '../../../contract/compute.ts';
import type {CreateRequest, ServerItem} from '../../../contract/servers.ts';
import {gpuModel} from '../../../query/option.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';

export const FORM_FIELDS = ['name', 'environment', 'compute', 'port'] as const;
export type FormField = (typeof FORM_FIELDS)[number];
export type FormValues = Readonly<Record<FormField, string>>;

/** The form for a new server, or for the start of an offline one, as filled in so far. On `review` all is valid and one key sends it. */
export type CreateForm = FormValues & {
	/** The offline server that it starts; null: it creates one. */
	readonly server: ServerItem | null;
	readonly at: FormField | 'review';
	/** Text of the field that has the keys. */
	readonly editor: Editor;
	/** The name that was made up for an offer of the catalogue; null: none was. With it all fields are filled, and one key leads to the end. */
	readonly suggested: string | null;
	/** Nothing was typed into that field yet, see `isSelected`. */
	readonly untouched: boolean;
	/** What narrows the list below that field. */
	readonly typed: string;
	/** The id under the cursor of that list; null: the first. */
	readonly pick: string | null;
	/** Fields that were left once: what is wrong with them is shown. */
	readonly seen: ReadonlySet<FormField>;
	/** Regions that the offer was looked for in. */
	readonly regions: readonly string[];
	/** The catalogue is asked once more, the request is under way, or its answer was lost and the list is asked. */
	readonly sending: 'checking' | 'asking' | 'looking' | null;
	/** What came of the last try. */
	readonly refusal: string | null;
	/** Of the call that was refused. */
	readonly failure?: Failure | undefined;
	/** The values that it was opened with after it had been cancelled; undefined for a form that was opened anew. */
	readonly reopened?: FormValues | undefined;
	/** Stands below the compute field, such as that an option is gone and this is the nearest. */
	readonly hint: string | null;
};

/** An empty form, or one with some fields filled. */
export const newForm = ({
	name = '',
	environment = 'ai',
	compute = 'svc-medium',
	port = String(DEFAULT_PORT),
	hint = null,
	regions = [],
	suggested = null,
}: Partial<FormValues & Pick<CreateForm, 'hint' | 'regions' | 'suggested'>> = {}): CreateForm => ({
	name,
	environment,
	compute,
	port,
	server: null,
	at: 'name',
	editor: createEditor(name),
	suggested,
	untouched: true,
	typed: '',
	pick: null,
	seen: new Set(),
	regions,
	sending: null,
	refusal: null,
	hint,
});

/** A form that starts a server with what it had the last time: ready to be sent, unless the service did not tell that. */
export const startForm = (server: ServerItem): CreateForm => {
	const {name, environment, server_request: compute, port} = server;
	const form: CreateForm = {
		...newForm({name, environment, compute, port: String(port ?? DEFAULT_PORT)}),
		server,
		at: 'review',
		editor: createEditor(),
	};
	const untold = (['environment', 'compute'] as const).find(field => form[field] === '');
	return untold === undefined ? form : movedTo(form, untold);
};

/** `trainer-2` for another `trainer`: the first name of that kind that is free. */
const copyName = (name: string, taken: readonly string[]): string => {
	const [, stem = name, number = '1'] = /^(.*?)(?:-(\d{1,4}))?$/s.exec(name) ?? [];
	const names = new Set(taken.map(each => each.toLowerCase()));
	let next = Number(number) + 1;
	while (names.has(`${stem}-${next}`.toLowerCase())) next++;
	return `${stem}-${next}`;
};

/** A name for a server on such an offer: `h100`, or `h100-2` where that is taken. */
export const nameFor = (option: Pick<ComputeOption, 'name'>, taken: readonly string[]): string => {
	const words = gpuModel(option)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.slice(0, 40)
		.replaceAll(/^-+|-+$/g, '');
	const name = words === '' ? 'server' : words;
	return taken.some(each => each.toLowerCase() === name) ? copyName(`${name}-1`, taken) : name;
};

/** Nobody has written anything into it. */
export const isAsOpened = ({name, suggested, untouched, seen}: CreateForm): boolean =>
	untouched && seen.size === 0 && name === (suggested ?? '');

/** Cancelled a second time without a change: the user does not want it. */
const isLeftAgain = ({reopened, ...form}: CreateForm): boolean =>
	reopened !== undefined && FORM_FIELDS.every(field => form[field] === reopened[field]);

/** Closing it would lose something. */
export const isWorthKeeping = (form: CreateForm): boolean =>
	form.server === null && form.name !== '' && !isAsOpened(form) && !isLeftAgain(form);

/** A form for another server like this one. */
export const copyForm = (
	{name, environment, server_request: compute, port}: ServerItem,
	servers: readonly ServerItem[],
): CreateForm =>
	newForm({
		name: copyName(
			name,
			servers.map(each => each.name),
		),
		environment,
		compute,
		port: String(port ?? DEFAULT_PORT),
	});

/** The fields that can be changed. */
export const fieldsOf = ({server}: Pick<CreateForm, 'server'>): readonly FormField[] =>
	server === null ? FORM_FIELDS : FORM_FIELDS.slice(1);

/** The form with the keys in another field, or at its end. */
export const movedTo = (form: CreateForm, at: CreateForm['at']): CreateForm => ({
	...form,
	at,
	editor: createEditor(at === 'review' ? '' : form[at]),
	untouched: true,
	typed: '',
	pick: at === 'review' ? null : form[at],
	seen: form.at === 'review' ? form.seen : new Set([...form.seen, form.at]),
	refusal: null,
});

/** The next letter replaces what the field holds, which is shown. A name that somebody made up is only added to, not one that we did. */
export const isSelected = ({at, untouched, editor, suggested}: CreateForm): boolean =>
	untouched && at !== 'review' && editor.text !== '' && (at !== 'name' || editor.text === suggested);

/** The form after a change to the text of its field. */
export const edited = (form: CreateForm, editor: Editor, isTyping: boolean): CreateForm => {
	const {at} = form;
	if (at === 'review') return form;
	if (!isTyping) return {...form, editor, untouched: false};
	// While an entry of a list is looked for, what is typed is no entry yet.
	const seen =
		at === 'environment' || at === 'compute'
			? new Set([...form.seen].filter(field => field !== at))
			: form.seen;
	return {
		...form,
		editor,
		[at]: editor.text,
		untouched: false,
		typed: editor.text,
		pick: null,
		seen,
		hint: at === 'compute' ? null : form.hint,
	};
};

/** The form with an entry of the list below its field in the field. */
export const picked = (form: CreateForm, id: string): CreateForm =>
	form.at === 'review'
		? form
		: {
				...form,
				[form.at]: id,
				editor: createEditor(id),
				untouched: true,
				pick: id,
				hint: form.at === 'compute' ? null : form.hint,
			};

export const requestOf = ({name, environment, compute, port}: CreateForm): CreateRequest => ({
	server_name: name,
	environment,
	server_request: compute,
	port: Number(port),
});
