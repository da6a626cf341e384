import type {ComputeOption} from '../../../contract/compute.ts';
import type {Environment} from '../../../contract/environments.ts';
import {mayBeAvailable, offersById} from '../../../query/offers.ts';
import type {CreateForm} from './form.ts';
import {knownNumber} from '../../../text/known.ts';
import type {FormKnowledge} from './errors.ts';

/** An entry of the list below the environment or compute field. */
export type Choice = {
	readonly id: string;
	readonly environment?: Environment;
	readonly offer?: ComputeOption;
	/** Source of an id that is not in the catalogue: the user's text, or other servers. */
	readonly from?: 'typed' | 'servers';
};

type Searchable = Choice & {readonly text: string; readonly lower: string};

const searchable = (choice: Choice, ...words: readonly string[]): Searchable => {
	const text = [choice.id, ...words].join(' ');
	return {...choice, text, lower: text.toLowerCase()};
};

const environmentChoices = new WeakMap<readonly Environment[], readonly Searchable[]>();
const computeChoices = new WeakMap<readonly ComputeOption[], readonly Searchable[]>();

const remembered = <Item, Value>(
	cache: WeakMap<readonly Item[], Value>,
	items: readonly Item[],
	make: () => Value,
): Value => {
	const known = cache.get(items);
	if (known !== undefined) return known;
	const made = make();
	cache.set(items, made);
	return made;
};

const allEnvironments = (environments: readonly Environment[]): readonly Searchable[] =>
	remembered(environmentChoices, environments, () =>
		[...new Map(environments.map(environment => [environment.environment_id, environment])).values()].map(
			environment => searchable({id: environment.environment_id, environment}, environment.name),
		),
	);

/** The whole catalogue: available options first, cheapest first. */
const allCompute = (compute: readonly ComputeOption[]): readonly Searchable[] =>
	remembered(computeChoices, compute, () =>
		[...offersById(compute)]
			.map(([id, offer]) => ({
				entry: searchable({id, offer}, offer.name, offer.cloud_host),
				rank: mayBeAvailable(offer) ? 0 : 1,
				price: knownNumber(offer.hourly_price) ?? Infinity,
			}))
			.sort((a, b) => a.rank - b.rank || a.price - b.price)
			.map(({entry}) => entry),
	);

/** Entries that match all words. Case matters only for a word that contains a capital. */
const narrowed = (all: readonly Searchable[], typed: string): readonly Searchable[] => {
	const words = typed
		.split(/\s+/)
		.filter(word => word !== '')
		.map(word => ({word, anyCase: word === word.toLowerCase()}));
	return words.length === 0
		? all
		: all.filter(({text, lower}) =>
				words.every(({word, anyCase}) => (anyCase ? lower : text).includes(word)),
			);
};

/** The list below the focused field; empty for a field without one. */
export const choicesOf = (
	form: CreateForm,
	{environments, compute, servers}: Pick<FormKnowledge, 'environments' | 'compute' | 'servers'>,
): readonly Choice[] => {
	if (form.at === 'environment') return narrowed(allEnvironments(environments ?? []), form.typed);
	if (form.at !== 'compute') return [];
	const known = compute === undefined ? undefined : offersById(compute);
	// Custom options are not in the catalogue. The ids of other servers are offered too, because
	// the service has accepted them.
	const learnt = [...new Set(servers?.map(server => server.server_request))]
		.filter(id => id !== '' && known?.has(id) !== true)
		.map(id => searchable({id, from: 'servers'}));
	const found = narrowed([...learnt, ...allCompute(compute ?? [])], form.typed);
	const isOwn =
		form.compute.startsWith('svc-') &&
		known?.has(form.compute) !== true &&
		!found.some(({id}) => id === form.compute);
	return isOwn ? [...found, {id: form.compute, from: 'typed'}] : found;
};

/**
 * Index of the selected entry in the list: the field's value, else an exact match of the text, else
 * the first entry. -1: none.
 */
export const choiceAt = (
	{pick, typed}: Pick<CreateForm, 'pick' | 'typed'>,
	choices: readonly Choice[],
): number => {
	if (pick !== null) return choices.findIndex(({id}) => id === pick);
	return Math.max(
		0,
		choices.findIndex(({id, from}) => id === typed && from !== 'typed'),
	);
};
