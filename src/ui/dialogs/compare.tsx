import {useRef, useState} from 'react';
import type {ComputeOption} from '../../contract/compute.ts';
import {compareBytes} from '../../query/bytes.ts';
import {factsOf} from '../../query/facts.ts';
import {computeIdOf, gpuModel, parseGigabytes, pricePerGpuHour} from '../../query/option.ts';
import {catalogueIndex, surveyCatalogue} from '../../store/compute-list.ts';
import {priceText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width.ts';
import {clamp} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {regionMark, regionName, regionState} from '../screens/compute/region-grid.ts';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

type Fact = {
	readonly head: string;
	readonly text: (option: ComputeOption) => string;
	/** What is compared, and which end is the better one. */
	readonly value?: (option: ComputeOption) => number | null;
	readonly best?: 'least' | 'most';
};

const FACTS: readonly Fact[] = [
	{head: 'GPU', text: option => label(option.num_gpus === 0 ? glyph.none : gpuModel(option), 40)},
	{head: 'GPUs', text: option => String(option.num_gpus), value: option => option.num_gpus, best: 'most'},
	{head: 'VRAM each', text: option => label(option.vram_per_gpu, 12), value: option => factsOf(option).vram, best: 'most'},
	{head: 'VRAM total', text: option => label(option.total_vram, 12), value: option => parseGigabytes(option.total_vram), best: 'most'},
	{head: 'CPUs', text: option => String(option.cpus), value: option => option.cpus, best: 'most'},
	{head: 'memory', text: option => label(option.memory, 12), value: option => parseGigabytes(option.memory), best: 'most'},
	{head: 'price /h', text: option => priceText(option.hourly_price), value: option => option.hourly_price, best: 'least'},
	{head: 'per GPU /h', text: option => pricePerGpuHour(option)?.toFixed(2) ?? glyph.none, value: pricePerGpuHour, best: 'least'},
	{head: 'host', text: option => label(option.cloud_host, 24)},
	{head: 'available in', text: option => `${factsOf(option).open.size}/${factsOf(option).offered} regions`, value: option => factsOf(option).open.size, best: 'most'},
];

const bestOf = ({value, best}: Fact, options: readonly ComputeOption[]): number | undefined => {
	const values = options.flatMap(option => value?.(option) ?? []);
	if (best === undefined || values.length < 2 || values.every(each => each === values[0])) return undefined;
	return best === 'least' ? Math.min(...values) : Math.max(...values);
};

const HEAD = 14;
const LEAST = 16;

/** The marked offers side by side: a column each, the best of each row set off, and their regions as a matrix. */
export const Compare = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const marked = useApp(state => state.marked);
	const {byId} = useApp(catalogueIndex);
	const {twins} = useApp(surveyCatalogue);
	const place = useRef({top: 0, left: 0});
	const [, draw] = useState({});
	const options = [...marked].flatMap(id => byId.get(id) ?? []);
	const gone = marked.size - options.length;
	const regions = [...new Set(options.flatMap(option => option.availability.map(each => each.region)))].sort((a, b) => compareBytes(a.toLowerCase(), b.toLowerCase()) || compareBytes(a, b));
	const head = Math.min(28, Math.max(HEAD, ...regions.map(region => cellWidth(regionName(region, twins)) + 2)));
	const inner = body.width - 8;
	const natural = Math.max(LEAST, ...options.map(option => Math.min(28, cellWidth(label(computeIdOf(option).id, 60)) + 2)));
	const count = Math.max(1, Math.min(options.length, Math.floor((inner - head) / Math.min(natural, Math.max(LEAST, Math.floor((inner - head) / Math.max(1, options.length)))))));
	const column = Math.max(8, Math.min(natural, Math.floor((inner - head) / count)));
	const left = clamp(place.current.left, 0, Math.max(0, options.length - count));
	const shown = options.slice(left, left + count);
	const line = (name: string, cells: readonly string[]): string => paint('dim', fit(name, head)) + cells.map(cell => fit(cell, column)).join('');
	const facts = FACTS.map(fact => {
		const best = bestOf(fact, options);
		return line(fact.head, shown.map(option => (best !== undefined && fact.value?.(option) === best ? paint('good', `${fact.text(option)} ${glyph.yes}`) : fact.text(option))));
	});
	const matrix = regions.map(region => line(regionName(region, twins), shown.map(option => {
		const state = regionState(option, region);
		return `${regionMark(state)} ${state === 'available' ? state : paint('dim', state)}`;
	})));
	const top = line('', shown.map(option => paint('heading', fit(label(computeIdOf(option).id, 60), column - 2))));
	const rest = [...facts, '', ...matrix];
	const height = body.height - 4;
	const last = Math.max(0, rest.length - height + 1);
	const move = (by: Partial<{top: number; left: number}>) => (): void => {
		place.current = {top: clamp(place.current.top + (by.top ?? 0), 0, last), left: clamp(place.current.left + (by.left ?? 0), 0, Math.max(0, options.length - count))};
		draw({});
	};
	useKeys('table', {
		up: move({top: -1}), down: move({top: 1}), pageUp: move({top: -height}), pageDown: move({top: height}), first: move({top: -Infinity}), last: move({top: Infinity}),
		left: move({left: -1}), right: move({left: 1}),
		close: () => get().closeDialog(),
	});
	const from = Math.min(place.current.top, last);
	const more = options.length > count ? `   ${left + 1} to ${left + count} of ${options.length}` : '';
	const lost = gone > 0 ? `   ${gone} no longer offered` : '';
	return <DialogBox title={`Side by side${more}${lost}`} body={body} width={Math.max(40, head + column * count + 4)} lines={[top, ...rest.slice(from, from + height - 1)]}/>;
};
