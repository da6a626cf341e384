// Converts between the units that occur in a column: K and M, g and kg.

/** Factors of unit prefixes. */
const PREFIXES: ReadonlyMap<string, number> = new Map([
	['n', 1e-9],
	['µ', 1e-6],
	['μ', 1e-6],
	['u', 1e-6],
	['m', 1e-3],
	['c', 1e-2],
	['d', 1e-1],
	['', 1],
	['h', 1e2],
	['k', 1e3],
	['K', 1e3],
	['M', 1e6],
	['G', 1e9],
	['T', 1e12],
	['P', 1e15],
]);

/** Suffixes of amounts and bytes, in which letter case has no meaning. */
const LARGE: ReadonlyMap<string, number> = new Map([
	['', 1],
	...['k', 'm', 'g', 't', 'p'].flatMap((letter, at): [string, number][] => [
		[letter, 1000 ** (at + 1)],
		[`${letter}i`, 1024 ** (at + 1)],
	]),
]);
const BYTES = /^(?:b|bit|bits|byte|bytes|bps)?(?:\/s)?$/i;

const WORDS: ReadonlyMap<string, number> = new Map([
	['thousand', 1e3],
	['tsd', 1e3],
	['mn', 1e6],
	['mln', 1e6],
	['mio', 1e6],
	['million', 1e6],
	['bn', 1e9],
	['bln', 1e9],
	['mrd', 1e9],
	['billion', 1e9],
	['tn', 1e12],
	['trillion', 1e12],
]);

export type UnitUse = {readonly hasDecimals: boolean; readonly isMoney: boolean};

/**
 * Factor that converts each unit to `unit`. A string is a clause that says why the units cannot be
 * converted.
 */
export type Units = {readonly factors: ReadonlyMap<string, number>; readonly unit: string} | string;

const listed = (units: readonly string[]): string =>
	`${units.slice(0, -1).join(', ')} and ${units.at(-1)} are mixed`;

const sharedEnd = (units: readonly string[]): string => {
	const [first = ''] = units;
	for (let at = 0; at <= first.length; at++)
		if (units.every(unit => unit.endsWith(first.slice(at)))) return first.slice(at);
	return '';
};

const amountOf = (unit: string, all: ReadonlyMap<string, UnitUse>): number | undefined => {
	const name = unit.toLowerCase().replace(/\.$/, '');
	if (name !== 'b') return WORDS.get(name) ?? LARGE.get(name);
	if (all.get(unit)?.isMoney) return 1e9;
	const isBeside = (letters: string): boolean =>
		[...all.keys()].some(each => each !== '' && letters.includes(each.toLowerCase()));
	// The units of 512B, 4K and 1G are bytes. In 1.5B and 10M, B is an amount of money.
	if (isBeside('gt')) return 1;
	return all.get(unit)?.hasDecimals ? 1e9 : undefined;
};

/**
 * Factors of suffixes such as K for thousands, if there are no other units. Null for other columns.
 */
const amounts = (used: ReadonlyMap<string, UnitUse>): Units | null => {
	const factors = new Map<string, number>();
	for (const unit of used.keys()) {
		const factor = amountOf(unit, used);
		if (factor === undefined) return null;
		factors.set(unit, factor);
	}
	return {factors, unit: ''};
};

/** Factors of units that differ only in their prefix. Null for other columns. */
const prefixed = (units: readonly string[]): Units | null => {
	const end = sharedEnd(units);
	const base = /^i(?=b)/i.test(end) ? end.slice(1) : end;
	if (base === '') return null;
	const isBytes = BYTES.test(base);
	const factors = new Map<string, number>();
	for (const unit of units) {
		const prefix = unit.slice(0, unit.length - base.length);
		const factor = isBytes ? LARGE.get(prefix.toLowerCase()) : PREFIXES.get(prefix);
		if (factor === undefined) return null;
		factors.set(unit, factor);
	}
	return {factors, unit: base};
};

/** Single letter that is a unit: metres, grams, bytes. */
const LONE_UNIT = /^[a-z]$|^B$/;

/** Determines the factors of a column's units. `''` means numbers without a unit. */
export const unitsOf = (used: ReadonlyMap<string, UnitUse>): Units => {
	const units = [...used.keys()].filter(unit => unit !== '');
	const [only = ''] = units;
	// A letter in a column with currencies is a suffix and not a unit: 5m means millions, not
	// metres.
	const isUnit = LONE_UNIT.test(only) && used.get(only)?.isMoney !== true;
	const isLone = units.length < 2 && (isUnit || amountOf(only, used) === undefined);
	if (isLone && only !== 'k') return {factors: new Map(units.map(unit => [unit, 1])), unit: only};
	return amounts(used) ?? prefixed(units) ?? listed(units);
};
