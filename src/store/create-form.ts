import type {ComputeOption} from '../contract/compute.ts';
import type {Environment} from '../contract/environments.ts';
import {DEFAULT_PORT} from '../contract/names.ts';
import type {CreateRequest} from '../contract/servers.ts';
import {computeIdOf} from '../query/option.ts';

export const FORM_FIELDS = ['name', 'environment', 'compute', 'port'] as const;
export type FormField = (typeof FORM_FIELDS)[number];

/** The create form as typed. On `review` all is valid and one key sends it. */
export type CreateForm = Readonly<Record<FormField, string>> & {
	readonly at: FormField | 'review';
	/** Shown for a field once it was left. */
	readonly seen: ReadonlySet<FormField>;
	readonly sending: boolean;
	/** What the service answered to the last try. */
	readonly refusal: string | null;
};

export const newForm = (start: Partial<Readonly<Record<FormField, string>>> = {}): CreateForm => ({
	name: '', environment: 'ai', compute: 'svc-medium', port: String(DEFAULT_PORT), ...start,
	at: 'name', seen: new Set(), sending: false, refusal: null,
});

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
	if (compute === undefined || id.startsWith('svc-')) return undefined;
	const offer = offerOf(id, compute);
	if (offer === undefined) return `No compute option ${id}: ↑ ↓ choose one of the list`;
	return undefined;
};

const portError = (port: string): string | undefined =>
	/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535 ? undefined : 'A port is a whole number from 1 to 65535';

/** One sentence for each field that cannot be sent. */
export const formErrors = (form: CreateForm, known: FormKnowledge): Partial<Record<FormField, string>> => {
	const found = {
		name: nameError(form.name, known),
		environment: environmentError(form.environment, known),
		compute: computeError(form.compute, known),
		port: portError(form.port),
	};
	return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
};

export const requestOf = (form: CreateForm): CreateRequest => ({
	server_name: form.name,
	environment: form.environment,
	server_request: form.compute,
	port: Number(form.port),
});
