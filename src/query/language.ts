import type {ComputeOption} from '../contract/compute.ts';
import {fuzzyFilter} from '../text/editor/fuzzy.ts';
import {searchKeysOf} from './search-keys.ts';
import {NO_FILTER, type ComputeFilter} from './filter.ts';
import {nearestWord} from './nearest-word.ts';
import {regionSet, regionsMatching} from './geo-areas.ts';
import {gpuModelsOf, hostsOf} from './values.ts';

// Text form of a filter, as in `gpu:h100 n>=2 vram>=80 price<3 region:us-central-2 avail words`. A
// value with a space is written as a JSON string.

/** `error`: a sentence. `from`, `to`: offsets of the faulty part in the text. */
export type ParsedQuery =
	| {readonly ok: true; readonly filter: ComputeFilter}
	| {readonly ok: false; readonly error: string; readonly from: number; readonly to: number};

type Draft = {-readonly [Part in keyof ComputeFilter]: ComputeFilter[Part]};
/** Sets a value in the draft. Returns the error if it is invalid. */
type Put = (
	draft: Draft,
	operator: string,
	value: string,
	options?: readonly ComputeOption[],
) => string | undefined;

/** Error for a value that is not in the catalogue. Suggests the most similar value. */
const missing = (what: string, value: string, names: readonly string[]): string => {
	const lower = new Map(names.map(name => [name.toLowerCase(), name]));
	const near =
		lower.get(nearestWord(value.toLowerCase(), [...lower.keys()]) ?? '') ??
		fuzzyFilter(value, names, name => name)[0];
	return `No ${what} ${value} in the catalogue${near === undefined ? '' : `; did you mean ${near}?`}`;
};

const number = (text: string): number | undefined => {
	const value = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
	return Number.isFinite(value) ? value : undefined;
};

const isEqual = (operator: string): boolean => operator === ':' || operator === '=';

const once = <Part extends keyof Draft>(
	draft: Draft,
	part: Part,
	value: Draft[Part],
	twice: string,
): string | undefined => {
	if (draft[part] !== undefined) return `${twice}; keep one`;
	draft[part] = value;
	return undefined;
};

const putCount: Put = (draft, operator, value) => {
	const count = number(value);
	if (operator !== '>=' && operator !== '>')
		return `n takes >= or >, such as n>=${count === undefined ? 2 : value}`;
	if (count === undefined || !Number.isSafeInteger(count))
		return `n${operator} needs a whole number, such as n>=2`;
	return once(draft, 'minGpus', operator === '>' ? count + 1 : count, 'n is given twice');
};

const FIELDS: Readonly<Record<string, Put>> = {
	gpu(draft, operator, value, options) {
		if (/^[<>]/.test(operator)) return putCount(draft, operator, value);
		if (!isEqual(operator)) return 'gpu takes a model, such as gpu:H100';
		// Not only options with a GPU, because an option without one has its name as the model.
		if (options?.every(option => searchKeysOf(option).model.toLowerCase() !== value.toLowerCase()))
			return missing(
				'GPU',
				value,
				gpuModelsOf(options).map(({model}) => model),
			);
		return once(draft, 'gpu', value, 'gpu is given twice; a machine has one model');
	},
	n: putCount,
	vram(draft, operator, value) {
		const size = number(value.replace(/gb?$/i, ''));
		if (operator !== '>=') return `vram takes >=, such as vram>=${size === undefined ? 80 : value}`;
		if (size === undefined) return 'vram>= needs gigabytes per GPU, such as vram>=80';
		return once(draft, 'minVram', size, 'vram is given twice');
	},
	price(draft, operator, value) {
		const amount = number(value);
		if (operator !== '<=' && operator !== '<')
			return `price takes <= or <, such as price<=${amount === undefined ? 3 : value}`;
		if (amount === undefined) return `price${operator} needs a number per hour, such as price${operator}3`;
		return once(draft, 'maxPrice', {amount, inclusive: operator === '<='}, 'price is given twice');
	},
	region(draft, operator, value, options) {
		if (!isEqual(operator))
			return 'region takes a name, such as region:us-central-2, region:eu* or region:germany';
		const offered = options && regionSet(options);
		if (offered && options && [...regionsMatching(options, [value])].every(region => !offered.has(region)))
			return missing('region', value, [...offered].sort());
		if (!draft.regions.includes(value)) draft.regions = [...draft.regions, value];
		return undefined;
	},
	host(draft, operator, value, options) {
		if (!isEqual(operator)) return 'host takes a name, such as host:aws';
		const hosts = options && hostsOf(options).map(({host}) => host);
		if (hosts?.every(host => host.toLowerCase() !== value.toLowerCase()))
			return missing('host', value, hosts);
		return once(draft, 'host', value, 'host is given twice; a machine has one host');
	},
};

const FLAGS: ReadonlyMap<string, 'available' | 'cpuOnly'> = new Map([
	['avail', 'available'],
	['available', 'available'],
	['cpu', 'cpuOnly'],
]);

/** Terms for completion, in their usual spelling. */
export const QUERY_WORDS = ['gpu:', 'n>=', 'vram>=', 'price<=', 'region:', 'host:', 'avail', 'cpu'] as const;

const unknownField = (name: string): string => {
	const near = nearestWord(name.toLowerCase(), [...Object.keys(FIELDS), ...FLAGS.keys()]);
	const field = name === '' ? 'The field has no name' : `Unknown field ${name}`;
	if (near !== undefined)
		return `${field}; did you mean ${QUERY_WORDS.find(word => word.startsWith(near)) ?? near}?`;
	return `${field}; fields are ${QUERY_WORDS.join(' ')}. Put text that contains such a character in quotes`;
};

const SPACES = /\s*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
/**
 * A field with its operator. Also matches unknown fields, so that a typo is an error instead of a
 * search for text.
 */
const FIELD = /([^\s":<>=~!]*)(>=|<=|[:<>=~!])/y;
const PLAIN = /[^\s"]*/y;

const at = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
	pattern.lastIndex = from;
	return pattern.exec(text);
};

const unquoted = (text: string): string | undefined => {
	try {
		return JSON.parse(text) as string;
	} catch {
		return undefined;
	}
};

class QueryError extends Error {
	readonly from: number;
	readonly to: number;
	constructor(message: string, from: number, to: number) {
		super(message);
		this.from = from;
		this.to = to;
	}
}

/** Value at a position, quoted or not, and its end. */
const valueAt = (
	text: string,
	from: number,
): {readonly value: string; readonly quoted: boolean; readonly end: number} => {
	if (text[from] !== '"') {
		const value = at(PLAIN, text, from)?.[0] ?? '';
		const end = from + value.length;
		if (text[end] === '"') throw new QueryError('Quote the whole value', from, end + 1);
		return {value, quoted: false, end};
	}
	const found = at(STRING, text, from)?.[0];
	if (found === undefined) throw new QueryError('The quote is not closed', from, text.length);
	const end = from + found.length;
	const value = unquoted(found);
	if (value === undefined)
		throw new QueryError(String.raw`Inside quotes, use \" and \\ as in JSON`, from, end);
	if (end < text.length && !/\s/.test(text[end] ?? ''))
		throw new QueryError('Put a space after the closing quote', from, end + 1);
	return {value, quoted: true, end};
};

/** Reads one term into the draft. Returns its end. */
const readTerm = (
	text: string,
	from: number,
	draft: Draft,
	options: readonly ComputeOption[] | undefined,
): number => {
	const field = at(FIELD, text, from);
	if (field) {
		const [whole, name = '', operator = ''] = field;
		const put = Object.hasOwn(FIELDS, name.toLowerCase()) ? FIELDS[name.toLowerCase()] : undefined;
		const {value, quoted, end} = valueAt(text, from + whole.length);
		if (FLAGS.has(name.toLowerCase())) throw new QueryError(`${name} takes no value`, from, end);
		if (put === undefined) throw new QueryError(unknownField(name), from, end);
		const why =
			value === '' && !quoted && isEqual(operator)
				? `${name}${operator} needs a value`
				: put(draft, operator, value, options);
		if (why !== undefined) throw new QueryError(why, from, end);
		return end;
	}
	const {value, quoted, end} = valueAt(text, from);
	const flag = quoted ? undefined : FLAGS.get(value.toLowerCase());
	if (flag !== undefined) draft[flag] = true;
	else if (value === '') throw new QueryError('Empty text matches nothing; type a word', from, end);
	else draft.words = [...draft.words, value];
	return end;
};

/**
 * Parses a query. A term that cannot be parsed is an error, and so is a value that `options` does
 * not contain.
 */
export const parseQuery = (text: string, options?: readonly ComputeOption[]): ParsedQuery => {
	const draft: Draft = {...NO_FILTER};
	let from = 0;
	try {
		for (;;) {
			from += at(SPACES, text, from)?.[0].length ?? 0;
			if (from >= text.length) return {ok: true, filter: draft};
			from = readTerm(text, from, draft, options);
		}
	} catch (error) {
		if (!(error instanceof QueryError)) throw error;
		return {ok: false, error: error.message, from: error.from, to: error.to};
	}
};

const UNSAFE = /[\s"\u0000-\u001F]/;
const valueText = (value: string): string =>
	value === '' || UNSAFE.test(value) ? JSON.stringify(value) : value;
const wordText = (word: string): string =>
	UNSAFE.test(word) || /[:<>=~!]/.test(word) || FLAGS.has(word.toLowerCase()) ? JSON.stringify(word) : word;

/** Prints a filter as text that `parseQuery` reads back as the same filter. */
export const printQuery = ({
	gpu,
	minGpus,
	minVram,
	maxPrice,
	regions,
	host,
	available,
	cpuOnly,
	words,
}: ComputeFilter): string =>
	[
		...(gpu === undefined ? [] : [`gpu:${valueText(gpu)}`]),
		...(minGpus === undefined ? [] : [`n>=${minGpus}`]),
		...(minVram === undefined ? [] : [`vram>=${minVram}`]),
		...(maxPrice ? [`price${maxPrice.inclusive ? '<=' : '<'}${maxPrice.amount}`] : []),
		...regions.map(region => `region:${valueText(region)}`),
		...(host === undefined ? [] : [`host:${valueText(host)}`]),
		...(available ? ['avail'] : []),
		...(cpuOnly ? ['cpu'] : []),
		...words.map(wordText),
	].join(' ');
