import type {ComputeOption} from '../../contract/compute.ts';
import {pricePerGpuHour} from '../../query/option.ts';
import {roundedPrice} from '../../text/money.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';

const unitPrice = (option: ComputeOption): number => pricePerGpuHour(option) ?? option.hourly_price;

const known = new WeakMap<readonly ComputeOption[], readonly number[]>();

/**
 * Prices from the lowest to the highest. Cached: options of a GPU are the same list until the
 * catalogue changes, and each key press needs their prices.
 */
const pricesOf = (offers: readonly ComputeOption[]): readonly number[] => {
	const found =
		known.get(offers) ??
		offers
			.map(unitPrice)
			.filter(price => !Number.isNaN(price))
			.sort((one, other) => one - other);
	known.set(offers, found);
	return found;
};

/** Price per GPU among the others: a line from the lowest to the highest, and its rank. */
export const priceBar = (
	option: ComputeOption,
	others: readonly ComputeOption[],
	width: number,
): readonly string[] => {
	const own = unitPrice(option);
	if (Number.isNaN(own)) return [];
	const prices = pricesOf(others);
	const low = Math.min(own, prices[0] ?? own);
	const high = Math.max(own, prices.at(-1) ?? own);
	const [from, to] = [roundedPrice(low), roundedPrice(high)];
	const room = Math.max(8, Math.min(40, width - from.length - to.length - 2));
	const place = (price: number): number =>
		high === low ? 0 : Math.round(((price - low) / (high - low)) * (room - 1));
	const taken = new Set(prices.map(place));
	const line = Array.from({length: room}, (_, at) => (taken.has(at) ? glyph.tick : glyph.rule)).join('');
	const mine = place(own);
	const bar =
		paint('dim', line.slice(0, mine)) + paint('accent', glyph.here) + paint('dim', line.slice(mine + 1));
	const cheaper = prices.filter(price => price < own).length;
	const what = option.num_gpus === 0 ? 'without a GPU' : 'with this GPU';
	const rank =
		others.length <= 1
			? `the only option ${what}`
			: cheaper === 0
				? `the cheapest of ${others.length} ${what}`
				: `${cheaper} of ${others.length} ${what} cost less`;
	return [
		`${paint('dim', from)} ${bar} ${paint('dim', to)}`,
		paint('dim', `${option.num_gpus > 1 ? 'per GPU, ' : ''}${rank}`),
	];
};
