import type {ComputeOption} from '../../contract/compute.ts';
import {changeOf, countChanges, type Changes} from '../../query/changes.ts';
import type {OfferRow} from './rows.ts';
import {UNKNOWN} from '../../text/known.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';

const MARKS = {
	cheaper: () => paint('good', glyph.falling),
	dearer: () => paint('busy', glyph.rising),
} as const;

/** Which way a price went; `?` where it was not known or no longer is. */
export const priceMark = (before: number, now: number): string => {
	const became = changeOf(before, now);
	return became === undefined ? UNKNOWN : MARKS[became]();
};

/** What a refresh changed, in a few words. */
export const changeWords = (changes: Changes<ComputeOption>, rows: readonly OfferRow[]): string => {
	const prices = new Map(
		changes.changed.size === 0 ? [] : rows.map(({offer, option}) => [offer, option.hourly_price]),
	);
	const counts = countChanges(changes, id => prices.get(id));
	const words = [
		[counts.new, 'new'],
		[counts.gone, 'gone'],
		[counts.cheaper, 'cheaper'],
		[counts.dearer, 'dearer'],
		[counts.unclear, 'of unknown price'],
		[counts.opened, 'opened'],
		[counts.closed, 'closed'],
	] as const;
	const told = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
	return told.length === 0 ? 'no change' : told.join(', ');
};
