import {computeOption, type ComputeOption} from '../contract/compute.ts';
import {searchKeysOf} from '../query/search-keys.ts';
import {
	FACETS,
	filterCompute,
	isFiltered,
	filterWithGains,
	type ComputeFilter,
	type Facet,
} from '../query/filter.ts';
import {computeIdOf, gpuModel, roundedPerGpu} from '../query/option.ts';
import {regionsMatching} from '../query/geo-areas.ts';
import {ownHostsFirst} from '../query/own-hosts.ts';
import {sortCompute, type ComputeSortKey} from '../query/sort.ts';
import {gpuModelsOf, hostsOf, regionsOf} from '../query/values.ts';
import {priceText} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {columnsFor, type ColumnOptions} from './chosen-columns.ts';
import {valueOf} from './command-error.ts';
import {filterOf, orderOf, type ComputeOptions} from './compute-options.ts';
import type {Context} from './context.ts';
import {warnUnreadable, printJson, printNotice} from './print.ts';
import {NONE, tableText, type Column} from './table.ts';
import {knownText, numberText, UNKNOWN} from '../text/known.ts';
import {joinNames} from '../text/join-names.ts';

const sizeOrNone = (option: ComputeOption, size: string): string =>
	option.num_gpus === 0 ? NONE : label(knownText(size), 12);

const COLUMNS: Readonly<Record<ComputeSortKey, Column<ComputeOption>>> = {
	gpu: {head: 'GPU', value: row => label(gpuModel(row))},
	n: {head: 'N', value: row => (row.num_gpus === 0 ? NONE : numberText(row.num_gpus)), right: true},
	vram: {head: 'VRAM', value: row => sizeOrNone(row, row.vram_per_gpu), right: true, drop: 5},
	total: {head: 'TOTAL', value: row => sizeOrNone(row, row.total_vram), right: true, drop: 2},
	cpu: {head: 'CPU', value: row => numberText(row.cpus), right: true, drop: 4},
	mem: {head: 'MEM', value: row => label(knownText(row.memory), 12), right: true, drop: 3},
	price: {head: 'PRICE /H', value: row => priceText(row.hourly_price), right: true},
	'per-gpu': {
		head: 'PER GPU /H',
		value: row => roundedPerGpu(row) ?? (row.num_gpus === 0 ? NONE : UNKNOWN),
		right: true,
		drop: 1,
	},
	regions: {
		head: 'REGIONS',
		value: row =>
			row.availability.length === 0
				? UNKNOWN
				: `${row.availability.filter(region => region.available).length}/${row.availability.length}`,
		right: true,
	},
	host: {head: 'HOST', value: row => label(knownText(row.cloud_host), 24), drop: 6},
};

/** First column, which is always shown. It contains the id for `--compute`. */
const ID: Column<ComputeOption> = {head: 'COMPUTE', value: row => label(computeIdOf(row).id)};

/** The property that each part of the filter tests, as the subject of a sentence. */
const ASKED: Partial<Readonly<Record<Facet, string>>> = {
	minGpus: 'the number of GPUs',
	minVram: 'the size of the GPU memory',
	maxPrice: 'the price',
	regions: 'the region',
	host: 'the host',
	available: 'the availability',
	cpuOnly: 'the number of GPUs',
};

/**
 * Warns about filter values that no option has, most likely typos, and lists the existing values.
 * Also counts the options left out because a property is unknown.
 */
export const warnNoSuchValue = async (
	context: Context,
	options: readonly ComputeOption[],
	filter: ComputeFilter,
): Promise<void> => {
	const offered = regionsOf(options).map(({region}) => region);
	for (const region of filter.regions) {
		if ([...regionsMatching(options, [region])].some(each => offered.includes(each))) continue;
		const alike = offered.filter(other => other.toLowerCase() === region.toLowerCase());
		await printNotice(
			context,
			`Unknown region ${label(region, 40)}; ${alike.length > 0 ? `region names are case-sensitive. Did you mean ${joinNames(alike)}?` : `the regions are ${joinNames(offered)}.`}`,
		);
	}
	const named = [
		['has the GPU', filter.gpu, 'modelKey', gpuModelsOf(options).map(({model}) => model)],
		['is on the host', filter.host, 'hostKey', hostsOf(options).map(({host}) => host)],
	] as const;
	for (const [has, name, key, names] of named)
		if (name !== undefined && !options.some(option => searchKeysOf(option)[key] === name.toLowerCase()))
			await printNotice(
				context,
				`No option ${has} ${label(name, 40)}; the catalogue has ${joinNames(names)}.`,
			);
	const {unknown} = filterWithGains(options, filter);
	for (const facet of FACETS) {
		const count = unknown[facet] ?? 0;
		if (count > 0)
			await printNotice(
				context,
				`${count === 1 ? 'One option was' : `${count} options were`} left out because ${ASKED[facet] ?? 'a filtered property'} is unknown.`,
			);
	}
};

export type Catalogue = {
	readonly options: readonly ComputeOption[];
	readonly raw: readonly unknown[];
	readonly unreadable: number;
	readonly rawOf: (option: ComputeOption) => unknown;
};

/** Options that could be parsed, and the raw item of each. */
export const catalogueOf = ({
	raw,
	unreadable,
}: {
	readonly raw: readonly unknown[];
	readonly unreadable: number;
}): Catalogue => {
	const rawOf = new Map(
		raw.flatMap(item => {
			const parsed = computeOption.safeParse(item);
			return parsed.success ? [[parsed.data, item] as const] : [];
		}),
	);
	return {options: [...rawOf.keys()], raw, unreadable, rawOf: option => rawOf.get(option)};
};

/**
 * Returns a function that formats a table with the chosen columns. @throws {CommandError} if a
 * column is unknown.
 */
export const computeTable = (
	context: Context,
	options: ColumnOptions,
): ((rows: readonly ComputeOption[]) => string) => {
	const columns = [ID, ...columnsFor(context, 'compute', options, COLUMNS, Object.values(COLUMNS))];
	return rows => tableText(columns, rows, context.stdout.columns);
};

/**
 * Runs `compute`. `--json` prints the service's raw items that match. Without a filter and an
 * order, it prints all items, even unreadable ones.
 */
export const listCompute = async (context: Context, options: ComputeOptions): Promise<void> => {
	const filter = filterOf(options);
	const order = orderOf(options.sort);
	const table = computeTable(context, options);
	const {client} = await context.connect();
	const all = catalogueOf(valueOf(await client.compute({signal: context.signal})));
	const passing = filterCompute(all.options, filter);
	const rows = order
		? sortCompute(passing, order.key, order.direction)
		: context.json
			? passing
			: ownHostsFirst(passing);
	const isWhole = !isFiltered(filter) && order === undefined;
	if (context.json) await printJson(context, isWhole ? all.raw : rows.map(all.rawOf));
	else if (rows.length > 0) await context.stdout.write(table(rows));
	else
		await printNotice(
			context,
			all.options.length > 0
				? `None of the ${all.options.length} options matches this filter.`
				: 'The service offers no compute options.',
		);
	await warnNoSuchValue(context, all.options, filter);
	if (!context.json || !isWhole) await warnUnreadable(context, all.unreadable);
};
