import type {ComputeOption} from '../contract/compute.ts';
import {searchKeysOf} from './search-keys.ts';

/** Change of an option between two responses of the service. Regions in their original order. */
export type OfferChange = {
	readonly isNew: boolean;
	/** Previous price per hour. Null if the price has not changed. */
	readonly priceBefore: number | null;
	readonly opened: readonly string[];
	readonly closed: readonly string[];
};

export type Changes<Option> = {
	readonly changed: ReadonlyMap<string, OfferChange>;
	readonly gone: readonly Option[];
};

/** Direction of a price change. Undefined if a price is unknown. */
export const changeOf = (before: number, now: number): 'cheaper' | 'dearer' | undefined =>
	now < before ? 'cheaper' : now > before ? 'dearer' : undefined;

/** Compares two catalogues by id. `changed`: only options that are new or have changed. */
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

/** Number of options per kind of change. `unclear`: the old or new price is unknown. */
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
