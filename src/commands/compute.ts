import {computeOption, type ComputeOption} from '../contract/compute.ts';
import {filterCompute, gpuModelsOf, regionsOf, type ComputeFilter} from '../query/filter.ts';
import {computeIdOf, gpuModel, pricePerGpuHour} from '../query/option.ts';
import {label} from '../text/safe.ts';
import {valueOf} from './command-error.ts';
import type {Context} from './context.ts';
import {noteUnreadable, printJson, printNote} from './print.ts';
import {NONE, tableText, type Column} from './table.ts';

const money = (price: number | null): string => price?.toFixed(2) ?? NONE;
const sizeOrNone = (option: ComputeOption, size: string): string => (option.num_gpus === 0 ? NONE : label(size, 12));

const COLUMNS: readonly Column<ComputeOption>[] = [
	{head: 'COMPUTE', value: row => label(computeIdOf(row).id)},
	{head: 'GPU', value: row => label(gpuModel(row))},
	{head: 'N', value: row => (row.num_gpus === 0 ? NONE : String(row.num_gpus)), right: true},
	{head: 'VRAM', value: row => sizeOrNone(row, row.vram_per_gpu), right: true, drop: 5},
	{head: 'TOTAL', value: row => sizeOrNone(row, row.total_vram), right: true, drop: 2},
	{head: 'CPU', value: row => String(row.cpus), right: true, drop: 4},
	{head: 'MEM', value: row => label(row.memory, 12), right: true, drop: 3},
	{head: 'PRICE /H', value: row => money(row.hourly_price), right: true},
	{head: 'PER GPU /H', value: row => money(pricePerGpuHour(row)), right: true, drop: 1},
	{head: 'REGIONS', value: row => `${row.availability.filter(region => region.available).length}/${row.availability.length}`, right: true},
	{head: 'HOST', value: row => label(row.cloud_host, 24), drop: 6},
];

const SHOWN = 12;
const named = (names: readonly string[]): string => names.slice(0, SHOWN).map(name => label(name, 40)).join(', ') + (names.length > SHOWN ? ', …' : '');

/** A filter that can match nothing is most likely misspelt: says what there is instead. */
const noteUnknown = async (context: Context, options: readonly ComputeOption[], {regions, gpu}: ComputeFilter): Promise<void> => {
	const offered = regionsOf(options).map(({region}) => region);
	for (const region of regions) {
		if (offered.includes(region)) continue;
		const twins = offered.filter(other => other.toLowerCase() === region.toLowerCase());
		await printNote(context, `No option is offered in the region ${label(region, 40)}; ${twins.length > 0 ? `its letter case differs from ${named(twins)}` : `there are ${named(offered)}`}.`);
	}
	const models = gpuModelsOf(options).map(({model}) => model);
	if (gpu === undefined || options.some(option => gpuModel(option).toLowerCase() === gpu.toLowerCase())) return;
	await printNote(context, `No option has the GPU ${label(gpu, 40)}; there are ${named(models)}.`);
};

/** `compute`. Under `--json` the service's own items that pass; with no filter all of them, read or not. */
export const listCompute = async (context: Context, filter: ComputeFilter): Promise<number> => {
	const {client} = await context.connect();
	const {raw, unreadable} = valueOf(await client.compute({signal: context.signal}));
	const rawOf = new Map(raw.flatMap(item => {
		const parsed = computeOption.safeParse(item);
		return parsed.success ? [[parsed.data, item] as const] : [];
	}));
	const all = [...rawOf.keys()];
	const isFiltered = filter.regions.length > 0 || filter.gpu !== undefined || filter.available;
	const options = filterCompute(all, filter);
	if (context.json) await printJson(context, isFiltered ? options.map(option => rawOf.get(option)) : raw);
	else if (options.length > 0) await context.stdout.write(tableText(COLUMNS, options, context.stdout.columns));
	else await printNote(context, all.length > 0 ? `None of the ${all.length} options passes this filter.` : 'The service offers no compute.');
	await noteUnknown(context, all, filter);
	if (!context.json || isFiltered) await noteUnreadable(context, unreadable);
	return 0;
};
