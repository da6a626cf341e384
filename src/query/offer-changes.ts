import type {ComputeOption} from '../contract/compute.ts';
import {searchKeysOf} from './search-keys.ts';

/** What became of an offer from one answer of the service to the next. Region names in byte order of the offer. */
export type OfferChange = {
	readonly isNew: boolean;
	/** Price per hour before, where it is another now. */
	readonly priceBefore: number | null;
	readonly opened: readonly string[];
	readonly closed: readonly string[];
};

export type Changes<Option> = {
	readonly changed: ReadonlyMap<string, OfferChange>;
	readonly gone: readonly Option[];
};

/** What a price became; undefined where one of the two is not known. */
export const changeOf = (before: number, now: number): 'cheaper' | 'dearer' | undefined =>
	now < before ? 'cheaper' : now > before ? 'dearer' : undefined;

/** Compares two catalogues by id. Offers that are as they were are not among the changed. */
export const changesBetween = <Option extends ComputeOption>(
	before: ReadonlyMap<string, Option>,
	after: ReadonlyMap<string, Option>,
): Changes<Option> => {
	const changed = new Map<string, OfferChange>();
	for (const [id, option] of after) {
		const old = before.get(id);
		if (old === undefined) {
			changed.set(id, {isNew: true, priceBefore: null, opened: [], closed: []});
			continue;
		}
		const was = searchKeysOf(old).open;
		const is = searchKeysOf(option).open;
		const opened = [...is].filter(region => !was.has(region));
		const closed = [...was].filter(region => !is.has(region));
		const priceBefore = Object.is(old.hourly_price, option.hourly_price) ? null : old.hourly_price;
		if (priceBefore !== null || opened.length > 0 || closed.length > 0)
			changed.set(id, {isNew: false, priceBefore, opened, closed});
	}
	return {changed, gone: [...before].flatMap(([id, option]) => (after.has(id) ? [] : [option]))};
};

/** How many offers are new, gone, cheaper, dearer, of a price that was or is not known, and available in more or fewer regions. */
export const countChanges = (
	changes: Changes<ComputeOption>,
	priceOf: (id: string) => number | undefined,
) => {
	const counts = {new: 0, gone: changes.gone.length, cheaper: 0, dearer: 0, unclear: 0, opened: 0, closed: 0};
	for (const [id, {isNew, priceBefore, opened, closed}] of changes.changed) {
		if (isNew) counts.new++;
		const became = priceBefore === null ? undefined : changeOf(priceBefore, priceOf(id) ?? Number.NaN);
		if (priceBefore !== null) counts[became ?? 'unclear']++;
		if (opened.length > 0) counts.opened++;
		if (closed.length > 0) counts.closed++;
	}
	return counts;
};
