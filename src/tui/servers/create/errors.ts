import type {State} from '../../core/program.ts';
import {fittingEnvironment} from './host-environment.ts';
import {canBeServerName} from '../../../contract/names.ts';
import {jobTimeOf} from '../../../query/job-time.ts';
import {parseDuration} from '../../../text/duration.ts';
import {jobTimeProblem} from '../../../text/job-time.ts';
import {label} from '../../../text/safe.ts';
import type {CreateForm, FormField} from './form.ts';
import {offerOf, mayBeAvailable} from '../../../query/offers.ts';
import type {ComputeOption} from '../../../contract/compute.ts';
import type {ServerItem} from '../../../contract/servers.ts';
import type {Environment} from '../../../contract/environments.ts';

/** Data that the form is checked against. A list that has not loaded yet is not used. */
export type FormKnowledge = {
	readonly servers: readonly ServerItem[] | undefined;
	readonly environments: readonly Environment[] | undefined;
	readonly compute: readonly ComputeOption[] | undefined;
	readonly isLocal: boolean;
};

export const knowledge = ({
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

/** Longest server name in a sentence below the field, in cells. */
const LONGEST_SAID = 20;

const nameError = ({name, server}: CreateForm, {servers, isLocal}: FormKnowledge): string | undefined => {
	if (server !== null) return undefined;
	if (name === '') return 'Give the server a name';
	if (!canBeServerName(name, isLocal))
		return isLocal
			? 'Letters, digits and inner hyphens only, at most 63'
			: 'A name cannot be . or .. and cannot contain /';
	const folded = name.toLowerCase();
	return servers?.some(taken => taken.name.toLowerCase() === folded)
		? `${label(name, LONGEST_SAID)} already exists: choose another name`
		: undefined;
};

const environmentError = (
	{environment: id, compute: option, server}: CreateForm,
	{environments, compute}: FormKnowledge,
): string | undefined => {
	if (id === '') return 'Choose an environment';
	const fitting = fittingEnvironment(id, option, {environments, compute});
	if (server === null && fitting !== id)
		return `This option has environments of its own, such as ${fitting}: ↑ ↓ choose one from the list`;
	if (
		environments === undefined ||
		id === server?.environment ||
		environments.some(each => each.environment_id === id)
	)
		return undefined;
	return `No environment ${id}: ↑ ↓ choose one from the list`;
};

const computeError = (
	{compute: id, server}: CreateForm,
	{compute, servers}: FormKnowledge,
): string | undefined => {
	if (id === '') return 'Choose a compute option';
	// The service may still offer a server's previous option although the list lacks that option,
	// so the service decides.
	if (compute === undefined || id === server?.server_request) return undefined;
	const offer = offerOf(id, compute);
	if (offer !== undefined) {
		if (mayBeAvailable(offer)) return undefined;
		return typeof offer['note'] === 'string'
			? `Not available in any region now: ${label(offer['note'], 200)}`
			: 'Not available in any region now: ↑ ↓ choose another';
	}
	// The list has no custom options, so an id with their prefix may be valid although it is not
	// listed. The service has accepted the ids of existing servers.
	return id.startsWith('svc-') || servers?.some(each => each.server_request === id)
		? undefined
		: `No compute option ${id}: ↑ ↓ choose one from the list`;
};

const MS_PER_MINUTE = 60_000;

const timeError = ({time, compute: id}: CreateForm, {compute}: FormKnowledge): string | undefined => {
	const job = jobTimeOf(id, compute);
	if (job === undefined || time === '') return undefined;
	const span = parseDuration(time);
	return span === null
		? 'A time limit is a duration such as 30m, 8h or 2d, or empty'
		: (jobTimeProblem(job.partition, job.limit, span / MS_PER_MINUTE) ?? undefined);
};

const portError = ({port}: CreateForm): string | undefined =>
	/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535
		? undefined
		: 'A port is a whole number from 1 to 65535';

/** Sentence for each invalid field. */
export const formErrors = (form: CreateForm, known: FormKnowledge): Partial<Record<FormField, string>> => {
	const found = {
		name: nameError(form, known),
		environment: environmentError(form, known),
		compute: computeError(form, known),
		time: timeError(form, known),
		port: portError(form),
	};
	return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
};

/** The error of a field if it should be visible: only after the user typed or left the field. */
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
