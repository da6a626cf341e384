import type {ComputeOption} from '../../contract/compute.ts';
import type {OfferChange} from '../../query/offer-changes.ts';
import type {Group} from '../../query/group.ts';
import {searchKeysOf} from '../../query/search-keys.ts';
import {isAvailable, mayBeAvailable} from '../../query/offers.ts';
import {isOwnHost} from '../../query/own-hosts.ts';
import {
	computeIdOf,
	hardwareText,
	parseGigabytes,
	roundedPerGpu,
	pricePerGpuHour,
} from '../../query/option.ts';
import {FREE, moneyText, perDay, perHour, priceText, roundedPrice} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {keyRows} from '../core/components/key-hint.ts';
import {isKeyAvailable} from '../core/keys/live-keys.ts';
import {lastResult} from '../core/store/last-result.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {eventText, priceEvent} from './change-words.ts';
import {regionGrid, regionMark, regionName, regionState, type RegionState} from './region-grid.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';

const unitPrice = (option: ComputeOption): number => pricePerGpuHour(option) ?? option.hourly_price;

const known = new WeakMap<readonly ComputeOption[], readonly number[]>();

/**
 * Prices in ascending order. Each key press needs them, so they are cached by the list of options,
 * which stays the same object until the catalogue changes.
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

const ENDINGS: Readonly<Record<string, string>> = {one: 'st', two: 'nd', few: 'rd', other: 'th'};
const ordinals = new Intl.PluralRules('en', {type: 'ordinal'});

/** Rank of the price per GPU: `2nd of 36`. `others`: similar options, including this one. */
const rankOf = (option: ComputeOption, others: readonly ComputeOption[]): string => {
	const own = unitPrice(option);
	const rank = pricesOf(others).filter(price => price < own).length + 1;
	return `${rank}${ENDINGS[ordinals.select(rank)]} of ${others.length}`;
};

const rankText = (option: ComputeOption, others: readonly ComputeOption[]): string => {
	const what = option.num_gpus === 0 ? 'without a GPU' : 'with this GPU';
	return others.length <= 1 ? `the only offer ${what}` : `${rankOf(option, others)} offers ${what}`;
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
	const room = Math.max(8, width - from.length - to.length - 2);
	const place = (price: number): number =>
		high === low ? 0 : Math.round(((price - low) / (high - low)) * (room - 1));
	const taken = new Set(prices.map(place));
	const line = Array.from({length: room}, (_, at) => (taken.has(at) ? glyph.tick : glyph.rule)).join('');
	const mine = place(own);
	const bar =
		paint('dim', line.slice(0, mine)) + paint('accent', glyph.here) + paint('dim', line.slice(mine + 1));
	return [
		`${paint('dim', from)} ${bar} ${paint('dim', to)}`,
		paint('dim', `${rankText(option, others)}${option.num_gpus > 1 ? ', per GPU' : ''}`),
	];
};

export type DetailProps = {
	readonly option: ComputeOption;
	/** Options with the same GPU, including this option. */
	readonly alike: readonly ComputeOption[];
	/** Regions in the filter. `variants`: regions that differ from another only in letter case. */
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

const LABEL = 10;
const fact = (name: string, value: string, width: number): string =>
	cut(paint('dim', fit(name, LABEL)) + value, width);

/** Size from the service, with its unit written out: `200 GB`. */
const sizeText = (size: string): string =>
	parseGigabytes(size) === null ? label(knownText(size), 12) : `${size.slice(0, -1)} GB`;

const factLines = (option: ComputeOption, width: number): readonly string[] => {
	const {id, guessed} = computeIdOf(option);
	return [
		...(option.num_gpus === 0
			? [fact('Name', label(option.name, 60), width)]
			: [fact('GPU', label(hardwareText(option, ' × '), 60), width)]),
		...(option.num_gpus > 1 ? [fact('VRAM', `${sizeText(option.total_vram)} together`, width)] : []),
		fact('CPU', numberText(option.cpus), width),
		fact('Memory', sizeText(option.memory), width),
		fact('Host', label(knownText(option.cloud_host), 40), width),
		...(guessed ? [fact('Id', `${label(id, 40)}  ${paint('busy', 'assumed')}`, width)] : []),
	];
};

const priceLines = ({option, alike, change}: DetailProps, width: number): readonly string[] => {
	const {hourly_price: price} = option;
	const perGpu = option.num_gpus > 1 ? `   ${roundedPerGpu(option) ?? UNKNOWN} per GPU` : '';
	return [
		price === 0
			? paint('own', FREE)
			: cut(`${paint('own', perHour(price))}   ${perDay(price)}${perGpu}`, width),
		...priceBar(option, alike, width),
		...(change ? changeLines(change, price).flatMap(line => wrap(line, width)) : []),
	];
};

const regionsHead = (option: ComputeOption): string => {
	const {open, offered} = searchKeysOf(option);
	if (isOwnHost(option))
		return isAvailable(option) ? paint('good', 'Available') : paint('own', 'Not available now');
	if (offered === 0) return paint('dim', 'Regions not reported');
	const regions = `${offered} region${offered === 1 ? '' : 's'}`;
	return open.size === 0 ? `Up in none of ${regions}` : `Up in ${open.size} of ${regions}`;
};

const keyLine = (option: ComputeOption, width: number): string =>
	keyRows(
		width,
		...(mayBeAvailable(option) && isKeyAvailable('compute.create')
			? ([['compute.open', 'Rent it']] as const)
			: []),
		['compute.watch', 'Watch'],
		['compute.mark', 'Mark'],
	)[0] ?? '';

/** Pane beside the table: price, facts, regions and keys. */
export const detailBeside = (props: DetailProps, width: number, height: number): readonly string[] => {
	const {option, regions, variants} = props;
	const note = option['note'];
	const above = [
		'',
		...priceLines(props, width),
		'',
		...factLines(option, width),
		...(typeof note === 'string'
			? ['', ...wrap(label(note, 400), width).map(line => paint('dim', line))]
			: []),
		'',
		regionsHead(option),
	];
	const below = [
		...(option.availability.length > 1 && !isOwnHost(option)
			? ['', paint('dim', 'The service picks the region.')]
			: []),
		'',
		keyLine(option, width),
	];
	const room = height - above.length - below.length;
	const grid = isOwnHost(option) ? [] : regionGrid(option, regions, variants, width, Math.max(1, room));
	return [...above, ...grid, ...(room < 1 ? [] : below)].slice(0, height);
};

/** Names that fit, followed by the number of names left out. */
const namesIn = (names: readonly string[], width: number): string => {
	for (let count = names.length; count > 0; count--) {
		const more = names.length - count;
		const text = `${names.slice(0, count).join(' ')}${more > 0 ? ` +${more}` : ''}`;
		if (cellWidth(text) <= width) return text;
	}
	return cut(names[0] ?? '', width);
};

/** Line of region names: first where the option is available, then where it is sold out. */
const regionLine = ({option, variants}: DetailProps, width: number): string => {
	if (isOwnHost(option) || option.availability.length === 0) return regionsHead(option);
	const names = (state: RegionState): readonly string[] =>
		[...new Set(option.availability.map(({region}) => region))]
			.filter(region => regionState(option, region) === state)
			.map(region => regionName(region, variants));
	const [open, closed] = [names('available'), names('not')];
	const shut =
		closed.length === 0
			? ''
			: `${regionMark('not')} ${paint('dim', namesIn(closed, open.length === 0 ? width - 2 : Math.floor(width / 3)))}`;
	if (open.length === 0) return shut;
	const gap = shut === '' ? '' : '   ';
	return `${regionMark('available')} ${namesIn(open, width - cellWidth(shut) - gap.length - 2)}${gap}${shut}`;
};

/** Details of an option as two rows below the table. */
export const detailBelow = (props: DetailProps, width: number): readonly string[] => {
	const {option, alike, change} = props;
	const {hourly_price: price} = option;
	const {id, guessed} = computeIdOf(option);
	const note = option['note'];
	const parts = [
		price === 0 ? paint('own', FREE) : paint('own', perHour(price)),
		...(price === 0 ? [] : [perDay(price)]),
		...(alike.length > 1 && !Number.isNaN(unitPrice(option)) ? [rankOf(option, alike)] : []),
		`${numberText(option.cpus)} CPU`,
		sizeText(option.memory),
		...(guessed ? [`${label(id, 40)} ${paint('busy', 'assumed')}`] : []),
		...(change ? changeLines(change, price) : []),
		...(typeof note === 'string' ? [paint('dim', label(note, 160))] : []),
	];
	return [cut(parts.join(paint('dim', ` ${glyph.other} `)), width), cut(regionLine(props, width), width)];
};

/** Price range of a group. */
const groupPrices = ({low, high}: Pick<Group<ComputeOption>, 'low' | 'high'>): string => {
	const [from, to] = [priceText(low), priceText(high)];
	return `${moneyText(from === to ? to : `${from} – ${to}`)}/h`;
};

/** Hosts of a group, and the regions in which at least one of its options is available. */
const placesOf = lastResult(({options}: Group<ComputeOption>) => ({
	hosts: [...new Set(options.map(option => option.cloud_host))],
	open: [...new Set(options.flatMap(option => [...searchKeysOf(option).open]))],
}));

export const groupDetail = (group: Group<ComputeOption>, width: number): readonly string[] => {
	const {options, available} = group;
	const {hosts, open} = placesOf(group);
	const names = (all: readonly string[]): string => all.map(each => label(each, 24)).join(', ');
	return [
		'',
		paint('own', groupPrices(group)),
		`${options.length} offer${options.length === 1 ? '' : 's'}, ${available} up now`,
		'',
		...wrap(`of ${names(hosts)}`, width),
		...(open.length === 0 ? [] : ['', ...wrap(`up in ${names(open)}`, width)]),
	];
};

/** Details of a group as two rows below the table. */
export const groupBelow = (group: Group<ComputeOption>, width: number): readonly string[] => {
	const {hosts, open} = placesOf(group);
	const names = (all: readonly string[]): readonly string[] => all.map(each => label(each, 24));
	return [
		cut(
			`${paint('own', groupPrices(group))} ${paint('dim', glyph.other)} ${namesIn(names(hosts), width - 40)}`,
			width,
		),
		open.length === 0
			? paint('dim', 'none now')
			: `${regionMark('available')} ${namesIn(names(open), width - 2)}`,
	];
};
