import type {ComputeOption} from '../../contract/compute.ts';
import type {OfferChange} from '../../query/offer-changes.ts';
import type {Group} from '../../query/group.ts';
import {searchKeysOf} from '../../query/search-keys.ts';
import {isAvailable} from '../../query/offers.ts';
import {isOwnHost} from '../../query/own-hosts.ts';
import {computeIdOf, gpuModel, roundedPerGpu, pricePerGpuHour} from '../../query/option.ts';
import {FREE, moneyText, perDay, perHour, priceText, roundedPrice} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cut, fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {lastResult} from '../core/store/last-result.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {eventText, priceEvent} from './change-words.ts';
import {REGION_WORDS, regionMark, regionGrid, regionName} from './region-grid.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';

const unitPrice = (option: ComputeOption): number => pricePerGpuHour(option) ?? option.hourly_price;

const known = new WeakMap<readonly ComputeOption[], readonly number[]>();

/**
 * Prices from the lowest to the highest. Cached by the list of options, which stays the same object
 * until the catalogue changes: each key press needs the prices.
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

/** Price per GPU among similar options: its position between lowest and highest, and its rank. */
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

export type DetailProps = {
	readonly option: ComputeOption;
	/** Options with the same GPU, including this option. */
	readonly alike: readonly ComputeOption[];
	/** All regions of the host's options, and the regions that differ from another in case only. */
	readonly regions: readonly string[];
	readonly variants: ReadonlySet<string>;
	readonly change: OfferChange | undefined;
};

const changeLines = ({isNew, priceBefore, opened, closed}: OfferChange, price: number): readonly string[] => [
	...(isNew ? [eventText('new', 'new since the previous refresh')] : []),
	...(priceBefore === null ? [] : [eventText(priceEvent(priceBefore, price), `was ${perHour(priceBefore)}`)]),
	...(opened.length > 0
		? [eventText('opened', `now available in ${opened.map(region => label(region, 24)).join(', ')}`)]
		: []),
	...(closed.length > 0
		? [eventText('closed', `no longer in ${closed.map(region => label(region, 24)).join(', ')}`)]
		: []),
];

const machine = ({
	num_gpus: count,
	vram_per_gpu: each,
	total_vram: total,
	cpus,
	memory,
	...option
}: ComputeOption): string => {
	const gpus =
		count === 0
			? 'no GPU'
			: `${numberText(count)} × ${label(gpuModel(option), 40)}, ${label(knownText(each), 12)} each${count > 1 ? `, ${label(knownText(total), 12)} together` : ''}`;
	return `${gpus}; ${numberText(cpus)} CPU${cpus === 1 ? '' : 's'}, ${label(knownText(memory), 12)} memory`;
};

const factLines = ({option, alike, change}: DetailProps, width: number): readonly string[] => {
	const {id, guessed} = computeIdOf(option);
	const perGpu = option.num_gpus > 1 ? `   ${roundedPerGpu(option) ?? UNKNOWN} per GPU` : '';
	return [
		paint('heading', cut(label(id, 200), width)),
		...(guessed ? [paint('dim', cut('assumed ID; the service does not give one', width))] : []),
		...wrap(`${machine(option)}; ${label(knownText(option.cloud_host), 40)}`, width),
		`${option.hourly_price === 0 ? paint('own', FREE) : `${paint('own', perHour(option.hourly_price))}   ${perDay(option.hourly_price)}`}${perGpu}`,
		...priceBar(option, alike, width),
		...(change ? changeLines(change, option.hourly_price).flatMap(line => wrap(line, width)) : []),
		...(typeof option['note'] === 'string'
			? wrap(label(option['note'], 400), width).map(line => paint('dim', line))
			: []),
	];
};

const legend = (variants: boolean): string =>
	`${(['available', 'not', 'not offered'] as const).map(state => `${regionMark(state)} ${paint('dim', REGION_WORDS[state])}`).join(paint('dim', ` ${glyph.other} `))}${variants ? paint('dim', ` ${glyph.other} ${glyph.caseVariant} case-sensitive`) : ''}`;

const regionLines = (
	{option, regions, variants}: DetailProps,
	width: number,
	height: number,
): readonly string[] => {
	const {open, offered} = searchKeysOf(option);
	if (isOwnHost(option))
		return [isAvailable(option) ? paint('good', 'available') : paint('own', 'not available now')].slice(
			0,
			height,
		);
	const hasTwins = [...option.availability.map(each => each.region), ...regions].some(region =>
		variants.has(region),
	);
	const head = [
		paint(
			'own',
			offered === 0
				? 'regions not reported'
				: `available in ${open.size} of ${offered} region${offered === 1 ? '' : 's'}`,
		),
		legend(hasTwins),
	];
	const lines = width >= 84 ? [head.join('   ')] : head;
	return [
		...lines.map(line => cut(line, width)),
		...regionGrid(option, regions, variants, width, height - lines.length),
	];
};

/** Pane beside the table: details above, regions below. */
export const detailBeside = (props: DetailProps, width: number, height: number): readonly string[] => {
	const facts = factLines(props, width);
	return [...facts, '', ...regionLines(props, width, Math.max(0, height - facts.length - 1))].slice(
		0,
		height,
	);
};

/** Pane below the table: details on the left, regions on the right. */
export const detailBelow = (props: DetailProps, width: number, height: number): readonly string[] => {
	const left = Math.min(56, Math.floor(width * 0.45));
	const facts = factLines(props, left);
	const regions = regionLines(props, width - left - 3, height);
	return Array.from({length: height}, (_, row) => `${fit(facts[row] ?? '', left)}   ${regions[row] ?? ''}`);
};

/** Price range of a group. */
const groupPrices = ({low, high}: Pick<Group<ComputeOption>, 'low' | 'high'>): string => {
	const [from, to] = [priceText(low), priceText(high)];
	return `${moneyText(from === to ? to : `${from} – ${to}`)}/h`;
};

/** Hosts of a group, and the regions in which one of its options is available. */
const placesOf = lastResult(({options}: Group<ComputeOption>) => ({
	hosts: [...new Set(options.map(option => option.cloud_host))],
	open: [...new Set(options.flatMap(option => [...searchKeysOf(option).open]))],
}));

export const groupDetail = (
	group: Group<ComputeOption>,
	width: number,
	height: number,
): readonly string[] => {
	const {name, options, available} = group;
	const {hosts, open} = placesOf(group);
	const names = (all: readonly string[]): string => all.map(each => label(each, 24)).join(', ');
	return [
		paint('heading', cut(label(name, 200) || '""', width)),
		`${options.length} option${options.length === 1 ? '' : 's'}, ${available} available now`,
		paint('own', groupPrices(group)),
		...wrap(`of ${names(hosts)}`, width),
		...(open.length === 0 ? [] : wrap(`available in ${names(open)}`, width)),
	].slice(0, height);
};

/** Details in one line, if there is no room for a pane. */
export const detailNote = ({option, variants, change}: DetailProps, width: number): readonly string[] => {
	const {id} = computeIdOf(option);
	const open = regionGridNames(option, variants);
	const why = typeof option['note'] === 'string' ? `   ${label(option['note'], 160)}` : '';
	const where =
		option.availability.length === 0
			? paint('dim', 'regions not reported')
			: open === ''
				? paint('dim', why === '' ? 'sold out in every region' : 'not available now')
				: isOwnHost(option)
					? paint('good', 'available')
					: `${paint('good', 'available in')} ${open}`;
	const changed = change ? `   ${changeLines(change, option.hourly_price).join('; ')}` : '';
	return [cut(`${paint('own', label(id, 48))}   ${where}${changed}${paint('dim', why)}`, width)];
};

const regionGridNames = (option: ComputeOption, variants: ReadonlySet<string>): string =>
	[...new Set(option.availability.filter(each => each.available).map(each => each.region))]
		.map(region => regionName(region, variants))
		.join(', ');
