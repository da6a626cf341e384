import type {ComputeOption} from '../../contract/compute.ts';
import type {Environment} from '../../contract/environments.ts';
import {canBeServerName, DEFAULT_PORT} from '../../contract/names.ts';
import type {CreateRequest, ServerItem} from '../../contract/servers.ts';
import {mayBeHad, offerOf} from '../../query/offers.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';

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
	/** Stands below the compute field, such as that an option is gone and this is the nearest. */
	readonly hint: string | null;
};

const opened = {
	regions: [],
	untouched: true,
	typed: '',
	seen: new Set<FormField>(),
	sending: null,
	refusal: null,
} as const;

/** An empty form, or one with some fields filled. */
export const newForm = ({
	name = '',
	environment = 'ai',
	compute = 'svc-medium',
	port = String(DEFAULT_PORT),
	hint = null,
	regions = [],
}: Partial<FormValues & Pick<CreateForm, 'hint' | 'regions'>> = {}): CreateForm => ({
	name,
	environment,
	compute,
	port,
	server: null,
	at: 'name',
	editor: createEditor(name),
	pick: null,
	hint,
	...opened,
	regions,
});

/** A form that starts a server with what it had the last time: ready to be sent, unless the service did not tell that. */
export const startForm = (server: ServerItem): CreateForm => {
	const {name, environment, server_request: compute, port} = server;
	const form: CreateForm = {
		name,
		environment,
		compute,
		port: String(port ?? DEFAULT_PORT),
		server,
		at: 'review',
		editor: createEditor(),
		pick: null,
		hint: null,
		...opened,
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

/** The next letter replaces what the field holds, which is shown. A name that somebody made up is only added to. */
export const isSelected = ({at, untouched, editor}: CreateForm): boolean =>
	untouched && at !== 'name' && at !== 'review' && editor.text !== '';

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

/** What the form is checked against; a list that has not come yet checks nothing. */
export type FormKnowledge = {
	readonly servers: readonly ServerItem[];
	readonly environments: readonly Environment[] | undefined;
	readonly compute: readonly ComputeOption[] | undefined;
	readonly isLocal: boolean;
};

const nameError = ({name, server}: CreateForm, {servers, isLocal}: FormKnowledge): string | undefined => {
	if (server !== null) return undefined;
	if (name === '') return 'Give the server a name';
	if (!canBeServerName(name, isLocal))
		return isLocal
			? 'Letters, digits and inner hyphens only, at most 63'
			: 'A name cannot be . or .. and cannot hold /';
	const folded = name.toLowerCase();
	return servers.some(taken => taken.name.toLowerCase() === folded)
		? `${name} exists already: choose another name`
		: undefined;
};

const environmentError = (
	{environment: id, server}: CreateForm,
	{environments}: FormKnowledge,
): string | undefined => {
	if (id === '') return 'Choose an environment';
	if (
		environments === undefined ||
		id === server?.environment ||
		environments.some(each => each.environment_id === id)
	)
		return undefined;
	return `No environment ${id}: ↑ ↓ choose one of the list`;
};

const computeError = (
	{compute: id, server}: CreateForm,
	{compute, servers}: FormKnowledge,
): string | undefined => {
	if (id === '') return 'Choose a compute option';
	// What a server had before may still be had although the list does not hold it: the service knows.
	if (compute === undefined || id === server?.server_request) return undefined;
	const offer = offerOf(id, compute);
	if (offer !== undefined) {
		if (mayBeHad(offer)) return undefined;
		return typeof offer['note'] === 'string'
			? `Not available in any region now: ${label(offer['note'], 200)}`
			: 'Not available in any region now: ↑ ↓ choose another';
	}
	// The id of an own option is only guessed from its name (the list holds none), so an unknown one may still be right. What other servers
	// run on is offered below the field: the service has taken it.
	return id.startsWith('svc-') || servers.some(each => each.server_request === id)
		? undefined
		: `No compute option ${id}: ↑ ↓ choose one of the list`;
};

const portError = ({port}: CreateForm): string | undefined =>
	/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535
		? undefined
		: 'A port is a whole number from 1 to 65535';

/** One sentence for each field that cannot be sent. */
export const formErrors = (form: CreateForm, known: FormKnowledge): Partial<Record<FormField, string>> => {
	const found = {
		name: nameError(form, known),
		environment: environmentError(form, known),
		compute: computeError(form, known),
		port: portError(form),
	};
	return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
};

/** What is wrong with a field as far as it is to be shown: not before something was typed or the field was left. */
export const shownError = (
	form: CreateForm,
	field: FormField,
	errors: Partial<Record<FormField, string>>,
): string | undefined => {
	const isTyped =
		form.at === field &&
		!form.untouched &&
		form[field] !== '' &&
		field !== 'environment' &&
		field !== 'compute';
	return form.seen.has(field) || isTyped ? errors[field] : undefined;
};

export const requestOf = ({name, environment, compute, port}: CreateForm): CreateRequest => ({
	server_name: name,
	environment,
	server_request: compute,
	port: Number(port),
});
