import {FACETS, isActive, NO_FILTER, type ComputeFilter} from '../query/filter.ts';
import {parseQuery} from '../query/language.ts';
import {nearestWord} from '../query/nearest-word.ts';
import {COMPUTE_SORT_KEYS, type ComputeSortKey, type Direction} from '../query/sort.ts';
import {definedFields} from '../text/record.ts';
import {usageError} from './command-error.ts';
import {numberOf, priceOf} from './option-values.ts';

export type ComputeOptions = {
	readonly region?: readonly string[];
	readonly gpu?: string;
	readonly minGpus?: string;
	readonly minVram?: string;
	readonly maxPrice?: string;
	readonly host?: string;
	readonly available?: boolean;
	readonly cpuOnly?: boolean;
	readonly query?: string;
	readonly sort?: string;
	readonly columns?: string;
};

const NEXT = 'svc-tui compute --help shows the options and the query.';

const OPTION_OF = {
	regions: '--region',
	gpu: '--gpu',
	minGpus: '--min-gpus',
	minVram: '--min-vram',
	maxPrice: '--max-price',
	host: '--host',
	available: '--available',
	cpuOnly: '--cpu-only',
	words: '--query',
} as const satisfies Record<keyof ComputeFilter, string>;

/**
 * Combined filter of the options and the query. @throws {CommandError} `usage` if one is invalid,
 * or both set the same part.
 */
export const filterOf = ({
	region = [],
	gpu,
	host,
	available = false,
	cpuOnly = false,
	query,
	...typedAs
}: ComputeOptions): ComputeFilter => {
	const minGpus = numberOf('--min-gpus', typedAs.minGpus, {
		wanted: 'a whole number of GPUs',
		pattern: /^\d{1,9}$/,
		next: NEXT,
	});
	const minVram = numberOf('--min-vram', typedAs.minVram?.replace(/gb?$/i, ''), {
		wanted: 'gigabytes per GPU, such as 80',
		next: NEXT,
	});
	const price = priceOf(typedAs.maxPrice, NEXT);
	const maxPrice = price === undefined ? undefined : {amount: price, inclusive: true};
	const typed: ComputeFilter = {
		...NO_FILTER,
		regions: [...new Set(region)],
		available,
		cpuOnly,
		...definedFields({gpu, minGpus, minVram, maxPrice, host}),
	};
	if (query === undefined) return typed;
	const parsed = parseQuery(query);
	if (!parsed.ok) throw usageError(`--query: ${parsed.error}${/[?.]$/.test(parsed.error) ? '' : '.'}`, NEXT);
	const twice = FACETS.find(facet => isActive(typed, facet) && isActive(parsed.filter, facet));
	if (twice !== undefined)
		throw usageError(`${OPTION_OF[twice]} and --query set the same filter. Use one of them.`, NEXT);
	const fromQuery = Object.fromEntries(
		FACETS.filter(facet => isActive(parsed.filter, facet)).map(facet => [facet, parsed.filter[facet]]),
	);
	return {...typed, ...fromQuery};
};

export type Order = {readonly key: ComputeSortKey; readonly direction: Direction};

/**
 * Parses `price`, or `-price` for descending order. @throws {CommandError} `usage` if there is no
 * such column.
 */
export const orderOf = (text: string | undefined): Order | undefined => {
	if (text === undefined) return undefined;
	const name = text.replace(/^-/, '').toLowerCase();
	const key = COMPUTE_SORT_KEYS.find(each => each === name);
	if (key) return {key, direction: text.startsWith('-') ? 'descending' : 'ascending'};
	const near = nearestWord(name, COMPUTE_SORT_KEYS);
	throw usageError(
		`--sort ${JSON.stringify(text)} is not a column${near === undefined ? `: the columns are ${COMPUTE_SORT_KEYS.join(', ')}` : `; did you mean ${near}?`}${near === undefined ? '.' : ''}`,
		NEXT,
	);
};

export const COMPUTE_HELP = `
Sort columns: ${COMPUTE_SORT_KEYS.join(', ')}; a minus sorts descending, e.g. --sort -vram.
Without --sort, options keep the service's order.`;
