import type {ComputeOption} from '../../../contract/compute.ts';
import {nearestAvailable} from '../../../query/nearest.ts';
import {mayBeAvailable, offerOf} from '../../../query/offers.ts';
import {computeIdOf} from '../../../query/option.ts';
import {perHour, priceText} from '../../../text/money.ts';
import {type ComputeState, catalogue} from '../../compute/catalogue.ts';
import {cardForm, movedTo, nameFor, type CreateForm} from './form.ts';
import {route} from '../../core/store/route.ts';
import type {State} from '../../core/program.ts';

/**
 * The form after the catalogue was loaded again: unchanged, or with the nearest available option
 * and a sentence about it.
 */
export const recheckOffer = (
	form: CreateForm,
	wanted: ComputeOption,
	{status, value}: ComputeState['compute'],
): CreateForm => {
	const {id} = computeIdOf(wanted);
	const now = offerOf(id, value?.items);
	if (status === 'failed')
		return {...form, hint: 'The list could not be loaded again: this is from the previous one'};
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
	// A user on the card sees the replacement first.
	const back = form.at === 'review' ? movedTo(form, 'compute') : form;
	if (nearest === undefined) return {...back, hint: `${gone}, nor is anything like it`};
	const instead = {
		...back,
		compute: computeIdOf(nearest).id,
		hint: `${gone}; this is the closest, ${perHour(nearest.hourly_price)}`,
	};
	return instead.at === 'compute' ? movedTo(instead, 'compute') : instead;
};

/**
 * Opens the create form with an option of the catalogue, and checks in the background whether it is
 * still available.
 */
export const createFromOffer = async (get: () => State, wanted: ComputeOption): Promise<void> => {
	const {id} = computeIdOf(wanted);
	const name = nameFor(
		wanted,
		(get().servers.value?.items ?? []).map(each => each.name),
	);
	route(get).openDialog({
		kind: 'create',
		form: cardForm({
			name,
			suggested: name,
			compute: id,
			hint: 'checking that it is still available …',
			regions: get().computeFilter.regions,
		}),
	});
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
	route(get).changeDialog({kind: 'create', form: recheckOffer(dialog.form, wanted, get().compute)});
};
