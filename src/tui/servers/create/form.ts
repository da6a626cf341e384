import type {Failure} from '../../../api/failure.ts';
import {DEFAULT_PORT} from '../../../contract/names.ts';
import type {ComputeOption} from '../../../contract/compute.ts';
import type {CreateRequest, ServerItem} from '../../../contract/servers.ts';
import {jobTimeOf} from '../../../query/job-time.ts';
import {gpuModel} from '../../../query/option.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';
import {label} from '../../../text/safe.ts';

export const FORM_FIELDS = ['name', 'environment', 'compute', 'time', 'port'] as const;
export type FormField = (typeof FORM_FIELDS)[number];
export type FormValues = Readonly<Record<FormField, string>>;

/**
 * The form for a new server or for the start of an offline server, with the values so far. On
 * `review` all values are valid and one key submits the form.
 */
export type CreateForm = FormValues & {
	/** The offline server to start; null for a new server. */
	readonly server: ServerItem | null;
	readonly at: FormField | 'review';
	/** Text of the focused field. */
	readonly editor: Editor;
	/**
	 * Name generated from an option of the catalogue; null for none. If set, every field has a
	 * value and one key leads to the last page.
	 */
	readonly suggested: string | null;
	/** True until the user types into the focused field, see `isSelected`. */
	readonly untouched: boolean;
	/** Filter of the list below the focused field. */
	readonly typed: string;
	/** Selected id of the list below the focused field; null for the first. */
	readonly pick: string | null;
	/** Fields that the user has left at least once. Only their errors are shown. */
	readonly seen: ReadonlySet<FormField>;
	/** Regions in which the user searched for the option. */
	readonly regions: readonly string[];
	/**
	 * `checking`: reads the catalogue again; `asking`: the request is in progress; `looking`: the
	 * response was lost, and the list is polled.
	 */
	readonly sending: 'checking' | 'asking' | 'looking' | null;
	/** Outcome of the latest try. */
	readonly refusal: string | null;
	/** Failure of the refused request. */
	readonly failure?: Failure | undefined;
	/**
	 * A recent press of the rent key. Nothing has been sent yet, because a letter that follows
	 * shows that the press was part of a word.
	 */
	readonly confirmed?: {readonly text: string} | undefined;
	/** Text of the rent key, if pressed before the card was on screen. That press did nothing. */
	readonly early?: string | undefined;
	/** Form that the user closed within the last minute. One key restores it. */
	readonly dropped?: CreateForm | undefined;
	/** True if the user came from the card, to which Enter returns. */
	readonly returns?: boolean;
	/** Title of the card, if the form is neither for a new server nor for a start. */
	readonly title?: string;
	/** True if the price has changed since the user saw it. */
	readonly isRequoted?: boolean;
	/** Line below the compute field, for example that an option is gone and what replaces it. */
	readonly hint: string | null;
};

/** An empty form, or one with some fields filled. */
export const newForm = ({
	name = '',
	environment = 'ai',
	compute = 'svc-medium',
	time = '',
	port = String(DEFAULT_PORT),
	hint = null,
	regions = [],
	suggested = null,
}: Partial<FormValues & Pick<CreateForm, 'hint' | 'regions' | 'suggested'>> = {}): CreateForm => ({
	name,
	environment,
	compute,
	time,
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

/** A form with a value in every field, opened at the card. */
export const cardForm = (values: Parameters<typeof newForm>[0]): CreateForm => ({
	...newForm(values),
	at: 'review',
	editor: createEditor(),
});

/**
 * A form that starts a server with its last settings. Opens at the card, unless the service did not
 * report these settings.
 */
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

/** Free name with the lowest number above that of `name`: `trainer-2` for `trainer`. */
const copyName = (name: string, taken: readonly string[]): string => {
	const [, stem = name, number = '1'] = /^(.*?)(?:-(\d{1,4}))?$/s.exec(name) ?? [];
	const names = new Set(taken.map(each => each.toLowerCase()));
	let next = Number(number) + 1;
	while (names.has(`${stem}-${next}`.toLowerCase())) next++;
	return `${stem}-${next}`;
};

/** A name for a server on this option: `h100`, or `h100-2` if that is taken. */
export const nameFor = (option: Pick<ComputeOption, 'name'>, taken: readonly string[]): string => {
	const words = gpuModel(option)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.slice(0, 40)
		.replaceAll(/^-+|-+$/g, '');
	const name = words === '' ? 'server' : words;
	return taken.some(each => each.toLowerCase() === name) ? copyName(`${name}-1`, taken) : name;
};

/** True if the user has typed nothing. */
export const isAsOpened = ({name, suggested, untouched, seen}: CreateForm): boolean =>
	untouched && seen.size === 0 && name === (suggested ?? '');

/** True if closing the form loses something that the user typed. */
export const losesText = (form: CreateForm): boolean =>
	form.server === null && form.name !== '' && !isAsOpened(form);

/** A form for another server with the settings of this server. */
export const copyForm = (
	{name, environment, server_request: compute, port}: ServerItem,
	servers: readonly ServerItem[],
): CreateForm => {
	const copy = copyName(
		name,
		servers.map(each => each.name),
	);
	return {
		...cardForm({name: copy, suggested: copy, environment, compute, port: String(port ?? DEFAULT_PORT)}),
		title: `Rent a server like ${label(name, 40)}`,
	};
};

/** Fields that the user can edit. Only a job in a queue has a time limit. */
export const fieldsOf = (
	{server, compute}: Pick<CreateForm, 'server' | 'compute'>,
	catalogue: readonly ComputeOption[] | undefined,
): readonly FormField[] => {
	const isJob = jobTimeOf(compute, catalogue) !== undefined;
	return FORM_FIELDS.filter(field => (field !== 'name' || server === null) && (field !== 'time' || isJob));
};

/** The form with focus in another field, or on its last page. */
export const movedTo = (form: CreateForm, at: CreateForm['at']): CreateForm => ({
	...form,
	at,
	editor: createEditor(at === 'review' ? '' : form[at]),
	untouched: true,
	typed: '',
	pick: at === 'review' ? null : form[at],
	seen: form.at === 'review' ? form.seen : new Set([...form.seen, form.at]),
	refusal: null,
	isRequoted: false,
	confirmed: undefined,
	early: undefined,
});

/**
 * True if the next letter replaces the shown text of the field. A name is replaced only if it was
 * generated, not if the user typed it.
 */
export const isSelected = ({at, untouched, editor, suggested}: CreateForm): boolean =>
	untouched && at !== 'review' && editor.text !== '' && (at !== 'name' || editor.text === suggested);

/** The form after a change to the text of the focused field. */
export const edited = (form: CreateForm, editor: Editor, isTyping: boolean): CreateForm => {
	const {at} = form;
	if (at === 'review') return form;
	if (!isTyping) return {...form, editor, untouched: false};
	// Text that filters the list is not a value yet.
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

/** The form after the user has chosen an entry of the list. */
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

/** The request. Contains a time limit only if the option is known to be a job in a queue. */
export const requestOf = (
	{name, environment, compute, time, port}: CreateForm,
	catalogue: readonly ComputeOption[] | undefined,
): CreateRequest => ({
	server_name: name,
	environment,
	server_request: compute,
	port: Number(port),
	...(time !== '' && jobTimeOf(compute, catalogue) !== undefined && {time_limit: time}),
});
