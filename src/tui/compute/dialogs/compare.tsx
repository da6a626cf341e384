import type {ComputeOption} from '../../../contract/compute.ts';
import {compareBytes} from '../../../query/bytes.ts';
import {searchKeysOf} from '../../../query/search-keys.ts';
import {
	computeIdOf,
	gpuModel,
	parseGigabytes,
	pricePerGpuHour,
	roundedPerGpu,
} from '../../../query/option.ts';
import {catalogueIndex, catalogueStats} from '../rows.ts';
import {priceText} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {shrunk} from '../../../text/columns/text-table.ts';
import {scrollText, withScrollMark} from '../../core/components/position.ts';
import {clamp} from '../../core/components/scroll.ts';
import type {Rect, State, DialogProps} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import {REGION_WORDS, regionMark, regionName, regionState} from '../region-grid.ts';
import {useApp} from '../../core/store-context.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {knownNumber, knownText, numberText, UNKNOWN} from '../../../text/known.ts';

type Fact = readonly [
	head: string,
	text: (option: ComputeOption) => string,
	/** Value to highlight in the row: the lowest or the highest. */
	best?: 'least' | 'most',
	value?: (option: ComputeOption) => number | null,
];

const size = (text: string): string => label(knownText(text), 12);
const ofGpu = (option: ComputeOption, text: string): string =>
	option.num_gpus === 0 ? glyph.none : size(text);
const perGpu = (option: ComputeOption): string =>
	roundedPerGpu(option) ?? (option.num_gpus === 0 ? glyph.none : UNKNOWN);
const inRegions = (option: ComputeOption): string => {
	const {open, offered} = searchKeysOf(option);
	return offered === 0 ? UNKNOWN : `${open.size}/${offered} region${offered === 1 ? '' : 's'}`;
};

const hostOf = ({cloud_host: host}: ComputeOption): string => label(knownText(host), 24);

const FACTS: readonly Fact[] = [
	['GPU', option => label(option.num_gpus === 0 ? glyph.none : gpuModel(option), 40)],
	['GPUs', option => numberText(option.num_gpus), 'most', option => knownNumber(option.num_gpus)],
	['VRAM each', option => ofGpu(option, option.vram_per_gpu), 'most', option => searchKeysOf(option).vram],
	[
		'VRAM total',
		option => ofGpu(option, option.total_vram),
		'most',
		option => parseGigabytes(option.total_vram),
	],
	['CPUs', option => numberText(option.cpus), 'most', option => knownNumber(option.cpus)],
	['memory', option => size(option.memory), 'most', option => parseGigabytes(option.memory)],
	['price /h', option => priceText(option.hourly_price), 'least', option => knownNumber(option.hourly_price)],
	['per GPU /h', perGpu, 'least', pricePerGpuHour],
	['host', hostOf],
	['available in', inRegions, 'most', option => searchKeysOf(option).open.size],
];

const bestOf = ([, , best, value]: Fact, options: readonly ComputeOption[]): number | undefined => {
	const values = options.flatMap(option => value?.(option) ?? []);
	if (best === undefined || values.length < 2 || values.every(each => each === values[0])) return undefined;
	return best === 'least' ? Math.min(...values) : Math.max(...values);
};

const HEAD = 14;
const LEAST = 16;
/** Maximum width of a name on a wide screen, so that few ids are cut. */
const MOST = 44;
const GAP = 2;
/** Minimum width of an id that distinguishes it from others. */
const SOME = 24;

const nameOf = (option: ComputeOption): string => label(computeIdOf(option).id, 60);

const offersOf = (byId: ReadonlyMap<string, ComputeOption>, marked: ReadonlySet<string>) =>
	[...marked].flatMap(id => byId.get(id) ?? []);
const regionsOf = (options: readonly ComputeOption[]): readonly string[] =>
	[...new Set(options.flatMap(option => option.availability.map(each => each.region)))].sort(
		(a, b) => compareBytes(a.toLowerCase(), b.toLowerCase()) || compareBytes(a, b),
	);

type Measures = {
	/** Width of the row titles. */
	readonly head: number;
	/** Number of columns that fit. */
	readonly count: number;
	/** Width of each option's column, with the gap after it. */
	readonly columns: readonly number[];
	/** Greatest first column and first row. */
	readonly lastLeft: number;
	readonly lastTop: number;
	readonly height: number;
};

const measure = (
	options: readonly ComputeOption[],
	regions: readonly string[],
	variants: ReadonlySet<string>,
	body: Rect,
): Measures => {
	const head = Math.min(
		28,
		Math.max(HEAD, ...regions.map(region => cellWidth(regionName(region, variants)) + 2)),
	);
	const inner = body.width - 8;
	const needs = options.map(option =>
		Math.max(LEAST, GAP + Math.min(MOST, cellWidth(nameOf(option))), GAP + cellWidth(hostOf(option))),
	);
	const cellsOf = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, head - GAP);
	// Shortens the longest name a little instead of every name.
	const own = shrunk(needs, cellsOf(needs) - inner, {narrowest: SOME});
	const isBeside = cellsOf(own) <= inner;
	const natural = Math.max(LEAST, ...needs);
	const even = Math.min(natural, Math.max(LEAST, Math.floor((inner - head) / Math.max(1, options.length))));
	const count = isBeside
		? Math.max(1, options.length)
		: Math.max(1, Math.min(options.length, Math.floor((inner - head) / even)));
	const column = Math.max(8, Math.min(natural, Math.floor((inner - head) / count)));
	const height = body.height - 4;
	return {
		head,
		count,
		columns: isBeside ? own : options.map(() => column),
		lastLeft: Math.max(0, options.length - count),
		// An empty row separates details and regions.
		lastTop: Math.max(0, FACTS.length + 1 + regions.length - height + 1),
		height,
	};
};

const measureIn = (state: State, rect: Rect): Measures => {
	const options = offersOf(catalogueIndex(state).byId, state.marked);
	return measure(options, regionsOf(options), catalogueStats(state).variants, rect);
};

/** True if options are being compared, and more of them are beyond the edge in this direction. */
export const offersBeside = ({get, rect}: KeyContext, step: 1 | -1): boolean => {
	const open = topDialog(get(), 'compare');
	if (open === undefined) return false;
	const {left = 0} = open;
	return step < 0 ? left > 0 : left < measureIn(get(), rect).lastLeft;
};

type Step = (height: number) => {readonly top?: number; readonly left?: number};

export const moveInComparison = ({get, rect}: KeyContext, by: Step): void => {
	const open = topDialog(get(), 'compare');
	if (open === undefined) return;
	const {lastLeft, lastTop, height} = measureIn(get(), rect);
	const {top = 0, left = 0} = open;
	const {top: down = 0, left: on = 0} = by(height);
	route(get).changeDialog({
		kind: 'compare',
		top: clamp(top + down, 0, lastTop),
		left: clamp(left + on, 0, lastLeft),
	});
};

export const scrollComparison = (at: KeyContext) => {
	const move = (by: Step) => (): void => moveInComparison(at, by);
	return {
		up: move(() => ({top: -1})),
		down: move(() => ({top: 1})),
		pageUp: move(height => ({top: -height})),
		pageDown: move(height => ({top: height})),
		first: move(() => ({top: -Infinity})),
		last: move(() => ({top: Infinity})),
	};
};

/** Marked options side by side, one column each. The best value of each row is highlighted. */
export const Compare = ({top = 0, left: wanted = 0, body}: DialogProps<'compare'>) => {
	const marked = useApp(state => state.marked);
	const {byId} = useApp(catalogueIndex);
	const {variants} = useApp(catalogueStats);
	const options = offersOf(byId, marked);
	const gone = marked.size - options.length;
	const regions = regionsOf(options);
	const {head, count, columns, lastLeft, lastTop, height} = measure(options, regions, variants, body);
	const left = clamp(wanted, 0, lastLeft);
	const shown = options.slice(left, left + count);
	const widths = columns.slice(left, left + count);
	const line = (name: string, cells: readonly string[]): string =>
		paint('dim', fit(name, head)) +
		cells.map((cell, at) => fit(cell, (widths[at] ?? LEAST) - GAP)).join(' '.repeat(GAP));
	const facts = FACTS.map(fact => {
		const best = bestOf(fact, options);
		const [name, text, , value] = fact;
		return line(
			name,
			shown.map(option =>
				best !== undefined && value?.(option) === best
					? paint('good', `${text(option)} ${glyph.yes}`)
					: text(option),
			),
		);
	});
	const matrix = regions.map(region =>
		line(
			regionName(region, variants),
			shown.map(option => {
				const state = regionState(option, region);
				return `${regionMark(state)} ${state === 'available' ? REGION_WORDS[state] : paint('dim', REGION_WORDS[state])}`;
			}),
		),
	);
	const names = line(
		'',
		shown.map(option => paint('heading', nameOf(option))),
	);
	const rest = [...facts, '', ...matrix];
	const from = Math.min(top, lastTop);
	const more = options.length > count ? `   ${left + 1} to ${left + count} of ${options.length}` : '';
	const width = Math.max(40, head + widths.reduce((sum, each) => sum + each, 0) + 4);
	const lost = gone > 0 ? `   ${gone} no longer offered` : '';
	return (
		<DialogBox
			title={`Side by side${more}${lost}`}
			body={body}
			width={width}
			position={scrollText(from, height - 1, rest.length)}
			lines={[
				names,
				...withScrollMark(rest.slice(from, from + height - 1), {
					from,
					height: height - 1,
					count: rest.length,
					width: lineWidth(body, width),
				}),
			]}
		/>
	);
};
