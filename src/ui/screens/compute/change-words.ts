import type {ComputeOption} from '../../../contract/compute.ts';
import {countChanges, type Changes} from '../../../query/changes.ts';
import type {OfferRow} from '../../../store/compute-list.ts';

/** What a refresh changed, in a few words. */
export const changeWords = (changes: Changes<ComputeOption>, rows: readonly OfferRow[]): string => {
	const prices = new Map(changes.changed.size === 0 ? [] : rows.map(({offer, option}) => [offer, option.hourly_price]));
	const counts = countChanges(changes, id => prices.get(id));
	const words = [
		[counts.new, 'new'], [counts.gone, 'gone'], [counts.cheaper, 'cheaper'], [counts.dearer, 'dearer'], [counts.opened, 'opened'], [counts.closed, 'closed'],
	] as const;
	const told = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
	return told.length === 0 ? 'no change' : told.join(', ');
};
