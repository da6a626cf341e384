import type {ComputeOption} from '../../contract/compute.ts';
import {changeOf, countChanges, type Changes} from '../../query/offer-changes.ts';
import type {OfferRow} from './rows.ts';
import {UNKNOWN} from '../../text/known.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint, type Role} from '../core/theme/theme.ts';

/** Mark and colour of each kind of change. */
const EVENTS = {
	new: [glyph.added, 'good'],
	gone: [glyph.removed, 'bad'],
	cheaper: [glyph.down, 'good'],
	dearer: [glyph.up, 'busy'],
	unclear: [UNKNOWN, 'busy'],
	opened: [glyph.yes, 'good'],
	closed: [glyph.no, 'dim'],
} as const satisfies Record<string, readonly [string, Role]>;
type Event = keyof typeof EVENTS;

/** Mark and optional text of a change, in the colour of its kind. */
export const eventText = (event: Event, words = ''): string => {
	const [mark, role] = EVENTS[event];
	return paint(role, words === '' ? mark : `${mark} ${words}`);
};

/** Direction of a price change; `unclear` if a price is unknown. */
export const priceEvent = (before: number, now: number): Event => changeOf(before, now) ?? 'unclear';

export const changeText = (changes: Changes<ComputeOption>, rows: readonly OfferRow[]): string => {
	const prices = new Map(
		changes.changed.size === 0 ? [] : rows.map(({offer, option}) => [offer, option.hourly_price]),
	);
	const counts = countChanges(changes, id => prices.get(id));
	const words = [
		[counts.new, 'new'],
		[counts.gone, 'removed'],
		[counts.cheaper, 'cheaper'],
		[counts.dearer, 'dearer'],
		[counts.unclear, 'of unknown price'],
		[counts.opened, 'gained regions'],
		[counts.closed, 'lost regions'],
	] as const;
	const counted = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
	return counted.length === 0 ? 'no change' : counted.join(', ');
};
