import type {ComputeOption} from '../contract/compute.ts';
import type {Environment} from '../contract/environments.ts';
import {DEFAULT_PORT} from '../contract/names.ts';
import type {CreateRequest} from '../contract/servers.ts';
import {computeIdOf} from '../query/option.ts';
import {compareCompute} from '../query/sort.ts';
import {createEditor, type Editor} from '../text/editor.ts';

export const FORM_FIELDS = ['name', 'environment', 'compute', 'port'] as const;
export type FormField = (typeof FORM_FIELDS)[number];

/** The create form as typed. On `review` all is valid and one key sends it. */
export type CreateForm = {
	readonly name: Editor;
	readonly environment: string;
	readonly compute: Editor;
	readonly port: string;
	/** What was typed into the compute field: suggestions hold it. */
	readonly typed: string;
	/** The suggestion chosen last. */
	readonly pick: number;
	readonly at: FormField | 'review';
	/** Shown for a field once it was left. */
	readonly seen: ReadonlySet<FormField>;
	readonly sending: boolean;
	/** What the service answered to the last try. */
	readonly refusal: string | null;
};

export type FormValues = Readonly<Record<FormField, string>>;

export const newForm = ({name = '', environment = 'ai', compute = 'svc-medium', port = String(DEFAULT_PORT)}: Partial<FormValues> = {}): CreateForm => ({
	name: createEditor(name), environment, compute: createEditor(compute), port, typed: '', pick: 0,
	at: 'name', seen: new Set(), sending: false, refusal: null,
});

export const formValues = ({name, environment, compute, port}: CreateForm): FormValues => ({name: name.text, environment, compute: compute.text, port});

/** What the form is checked against; a list that has not come yet checks nothing. */
export type FormKnowledge = {
	readonly names: readonly string[];
	readonly environments: readonly Environment[] | undefined;
	readonly compute: readonly ComputeOption[] | undefined;
	readonly isLocal: boolean;
};

const LOCAL_NAME = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

const nameError = (name: string, {names, isLocal}: FormKnowledge): string | undefined => {
	if (name === '') return 'Give the server a name';
	if (isLocal && !LOCAL_NAME.test(name)) return 'Letters, digits and inner hyphens only, at most 63';
	if (name === '.' || name === '..' || name.includes('/')) return 'A name cannot be . or .. and cannot hold /';
	if (names.some(taken => taken.toLowerCase() === name.toLowerCase())) return `${name} exists already: choose another name`;
	return undefined;
};

const environmentError = (id: string, {environments}: FormKnowledge): string | undefined => {
	if (id === '') return 'Choose an environment';
	if (environments && !environments.some(each => each.environment_id === id)) return `No environment ${id}: choose one of the list`;
	return undefined;
};

/** The offer that the form's compute id means. */
export const offerOf = (id: string, compute: readonly ComputeOption[] | undefined): ComputeOption | undefined =>
	compute?.find(option => computeIdOf(option).id === id);

const computeError = (id: string, {compute}: FormKnowledge): string | undefined => {
	if (id === '') return 'Choose a compute option';
	const offer = offerOf(id, compute);
	// The id of an own option is only guessed from its name (the list holds none), so an unknown one may still be right.
	if (compute === undefined || (offer === undefined && id.startsWith('svc-'))) return undefined;
	if (offer === undefined) return `No compute option ${id}: ↑ ↓ choose one of the list`;
	return offer.availability.some(region => region.available) ? undefined : 'Not available in any region now: ↑ ↓ choose another';
};

const portError = (port: string): string | undefined =>
	/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535 ? undefined : 'A port is a whole number from 1 to 65535';

/** One sentence for each field that cannot be sent. */
export const formErrors = (form: CreateForm, known: FormKnowledge): Partial<Record<FormField, string>> => {
	const values = formValues(form);
	const found = {
		name: nameError(values.name, known),
		environment: environmentError(values.environment, known),
		compute: computeError(values.compute, known),
		port: portError(values.port),
	};
	return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
};

export const requestOf = (form: CreateForm): CreateRequest => {
	const {name, environment, compute, port} = formValues(form);
	return {server_name: name, environment, server_request: compute, port: Number(port)};
};

/** Ids of the catalogue that hold what was typed into the compute field, the available ones first. */
export const computeSuggestions = (typed: string, compute: readonly ComputeOption[]): readonly string[] => {
	const ids = [...compute].sort(compareCompute('price')).map(option => ({id: computeIdOf(option).id, open: option.availability.some(region => region.available)}));
	const found = ids.filter(({id}) => id.toLowerCase().includes(typed.toLowerCase()));
	return [...found.filter(({open}) => open), ...found.filter(({open}) => !open)].map(({id}) => id);
};
