import type {ComputeOption} from '../../../contract/compute.ts';
import {nearestAvailable} from '../../../query/nearest.ts';
import {mayBeAvailable, offerOf} from '../../../query/offers.ts';
import {computeIdOf} from '../../../query/option.ts';
import {knownNumber} from '../../../text/known.ts';
import {perHour, priceText} from '../../../text/money.ts';
import {type ComputeState, catalogue} from '../../compute/catalogue.ts';
import {fittingEnvironment} from './host-environment.ts';
import {knowledge} from './errors.ts';
import {cardForm, isAsOpened, movedTo, nameFor, newForm, type CreateForm} from './form.ts';
import {route} from '../../core/store/route.ts';
import type {State} from '../../core/program.ts';

/**
 * Form after the catalogue was reloaded: unchanged, or with the nearest available option and a hint
 * about the replacement.
 */
export const recheckOffer = (
	form: CreateForm,
	wanted: ComputeOption,
	{status, value}: ComputeState['compute'],
): CreateForm => {
	const {id} = computeIdOf(wanted);
	const now = offerOf(id, value?.items);
	if (status === 'failed')
		return {...form, hint: 'The list could not be loaded again: this option is from the previous one'};
	if (now !== undefined && mayBeAvailable(now)) {
		const isOther = !Object.is(now.hourly_price, wanted.hourly_price);
		return {
			...form,
			hint: isOther
				? `It costs ${perHour(now.hourly_price)} now; the list said ${priceText(wanted.hourly_price)}`
				: null,
		};
	}
	const nearest = nearestAvailable(wanted, value?.items ?? []);
	const gone = `${id} is no longer available`;
	// Leaves the card for the compute field, so that the user sees the replacement first.
	const back = form.at === 'review' ? movedTo(form, 'compute') : form;
	if (nearest === undefined) return {...back, hint: `${gone}, nor is anything like it`};
	const instead = {
		...back,
		compute: computeIdOf(nearest).id,
		hint: `${gone}; this is the closest, ${perHour(nearest.hourly_price)}`,
	};
	return instead.at === 'compute' ? movedTo(instead, 'compute') : instead;
};

/** Time after which a closed form can no longer be restored, in ms. */
const TAKE_BACK = 60_000;

type Starts = Pick<State, 'rentals' | 'servers' | 'lastServers' | 'compute' | 'droppedForm'>;

const droppedAt = ({droppedForm}: Starts, now: number): CreateForm | undefined =>
	droppedForm !== null && now - droppedForm.at < TAKE_BACK ? droppedForm.form : undefined;

/**
 * Compute option of the latest start that this program made; else the default option, or the
 * cheapest available one if the catalogue lacks the default.
 */
const usualCompute = ({rentals, servers, lastServers, compute}: Starts): string => {
	const listedNow = servers.value?.items ?? lastServers?.items ?? [];
	const starts = [...rentals]
		.filter(([, {rate, quoted}]) => rate !== null || quoted !== null)
		.sort(([, one], [, other]) => other.since - one.since);
	for (const [name, {listed}] of starts) {
		const used = listed ?? listedNow.find(each => each.name === name)?.server_request;
		if (used !== undefined && used !== '') return used;
	}
	const usual = newForm().compute;
	const options = compute.value?.items ?? [];
	if (options.length === 0 || offerOf(usual, options) !== undefined) return usual;
	const [cheapest] = options
		.filter(mayBeAvailable)
		.sort(
			(one, other) =>
				(knownNumber(one.hourly_price) ?? Infinity) - (knownNumber(other.hourly_price) ?? Infinity),
		);
	return cheapest === undefined ? usual : computeIdOf(cheapest).id;
};

const freeName = ({servers}: Starts, option: Pick<ComputeOption, 'name'>): string =>
	nameFor(
		option,
		(servers.value?.items ?? []).map(each => each.name),
	);

/** Form with an environment that fits the host of its option, as far as the lists are loaded. */
const fitted = (get: () => State, form: CreateForm): CreateForm => ({
	...form,
	environment: fittingEnvironment(form.environment, form.compute, knowledge(get())),
});

/** Opens the card with a compute option, and a free name derived from `named`. */
const openCard = (
	get: () => State,
	named: Pick<ComputeOption, 'name'>,
	values: Parameters<typeof cardForm>[0],
	now: number,
): void => {
	const name = freeName(get(), named);
	const form = {...cardForm({...values, name, suggested: name}), dropped: droppedAt(get(), now)};
	route(get).openDialog({kind: 'create', form: fitted(get, form)});
};

/**
 * Opens the card with an option of the catalogue, and checks in the background whether the option
 * is still available. `regions`: the regions of the search that found the option.
 */
export const createFromOffer = async (
	get: () => State,
	wanted: ComputeOption,
	regions: readonly string[],
	now: number,
): Promise<void> => {
	const {id} = computeIdOf(wanted);
	openCard(get, wanted, {compute: id, hint: 'checking that it is still available …', regions}, now);
	const {dialogCount} = get();
	await catalogue(get).refreshCompute();
	const dialog = get().dialogs.at(-1);
	if (
		dialog?.kind !== 'create' ||
		get().dialogCount !== dialogCount ||
		dialog.form.compute !== id ||
		dialog.form.sending !== null
	)
		return;
	const form = fitted(get, recheckOffer(dialog.form, wanted, get().compute));
	route(get).changeDialog({kind: 'create', form});
};

/** The card, if it is still the dialog opened as number `count` and unchanged since. */
const untouchedCard = ({dialogs, dialogCount}: State, count: number): CreateForm | undefined => {
	const dialog = dialogs.at(-1);
	if (dialog?.kind !== 'create' || dialogCount !== count) return undefined;
	const {form} = dialog;
	return form.at === 'review' && form.sending === null && form.confirmed === undefined && isAsOpened(form)
		? form
		: undefined;
};

/** Opens the card with the option used last. */
export const cardForUsual = async (get: () => State, now: number): Promise<void> => {
	const compute = usualCompute(get());
	const wanted = offerOf(compute, get().compute.value?.items);
	if (wanted !== undefined) return createFromOffer(get, wanted, [], now);
	openCard(get, {name: compute}, {compute}, now);
	const {dialogCount} = get();
	await catalogue(get).refreshCompute();
	const next = usualCompute(get());
	const option = offerOf(next, get().compute.value?.items);
	const form = untouchedCard(get(), dialogCount);
	if (form?.compute !== compute || option === undefined) return;
	const name = freeName(get(), option);
	route(get).changeDialog({kind: 'create', form: {...form, compute: next, name, suggested: name}});
};
