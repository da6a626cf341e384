import type {ComputeOption} from '../contract/compute.ts';
import {globOf} from '../text/glob.ts';

// Guesses the location of regions from their names: `eu-central-1a`, `fra` and `EU-DE-1` are in
// Frankfurt.

export type GeoArea = {
	/** Name in queries: lower case, one word. */
	readonly name: string;
	readonly title: string;
	/** Two letters, for a country. */
	readonly code?: string;
	readonly continent?: string;
	/** Other names of the area, and the codes and towns that occur in names of its regions. */
	readonly also: readonly string[];
	/** Matches further region names. */
	readonly pattern?: RegExp;
};

const continent = (name: string, title: string, also: readonly string[], pattern: RegExp): GeoArea => ({
	name,
	title,
	also,
	pattern,
});

const country = (
	of: string,
	title: string,
	codes: string,
	pattern?: RegExp,
	also: readonly string[] = [],
): GeoArea => ({
	name: title.toLowerCase().replaceAll(' ', '-'),
	title,
	code: codes.slice(0, 2).toUpperCase(),
	continent: of,
	also: [...also, ...codes.split(' ')],
	...(pattern && {pattern}),
});

/** The first match wins, so the more specific entries come first. */
const COUNTRIES: readonly GeoArea[] = [
	country(
		'europe',
		'Germany',
		'de ger deu fra frankfurt ber berlin muc munich fsn nbg',
		/^(eu-central-1|europe-west(3|10)\b|germany)/,
	),
	country(
		'europe',
		'United Kingdom',
		'uk gb gbr lhr lon london man',
		/^(eu-west-2|europe-west2\b|uk(south|west))/,
		['england', 'britain'],
	),
	country('europe', 'Ireland', 'ie irl dub dublin', /^(eu-west-1|northeurope)/),
	country('europe', 'France', 'fr par paris cdg mrs', /^(eu-west-3|europe-west9\b|france)/),
	country('europe', 'Netherlands', 'nl nld ams amsterdam', /^(europe-west4\b|westeurope|ams\d)/, ['holland']),
	country('europe', 'Belgium', 'be bel bru', /^(europe-west1\b|belgium)/),
	country('europe', 'Switzerland', 'ch che zrh zurich gva', /^(eu-central-2|europe-west6\b|switzerland)/),
	country('europe', 'Sweden', 'se swe sto arn stockholm', /^(eu-north-1|sweden)/),
	country('europe', 'Norway', 'no nor osl oslo svg', /^norway/),
	country('europe', 'Finland', 'fi fin hel helsinki', /^(eu-north1\b|europe-north1\b|finland)/),
	country('europe', 'Denmark', 'dk dnk cph', /^denmark/),
	country('europe', 'Iceland', 'is isl kef', /^iceland/),
	country('europe', 'Poland', 'pl pol waw warsaw', /^(europe-central2\b|poland)/),
	country('europe', 'Czechia', 'cz cze prg prague', undefined, ['czech-republic']),
	country('europe', 'Romania', 'ro rou buh otp'),
	country('europe', 'Bulgaria', 'bg bgr sof'),
	country('europe', 'Estonia', 'ee est tll'),
	country('europe', 'Austria', 'at aut vie vienna', /^austria/),
	country('europe', 'Italy', 'it ita mil mxp milan', /^(eu-south-1|europe-west(8|12)\b|italy)/),
	country('europe', 'Spain', 'es esp mad madrid', /^(eu-south-2|europe-southwest1\b|spain)/),
	country('europe', 'Portugal', 'pt prt lis'),
	country(
		'asia',
		'Japan',
		'jp jpn nrt hnd tyo tokyo osa osaka kix',
		/^(ap-northeast-[13]|asia-northeast-?[12]\b|japan)/,
	),
	country('asia', 'Korea', 'kr kor icn sel seoul', /^(ap-northeast-2|asia-northeast3\b|korea)/, [
		'south-korea',
	]),
	country('asia', 'Singapore', 'sg sgp sin', /^(ap-southeast-1|asia-southeast1\b|southeastasia)/),
	country(
		'asia',
		'India',
		'in ind blr bom del maa mumbai',
		/^(ap-south-|asia-south|(central|south|west|jio)india)/,
	),
	country('asia', 'Taiwan', 'tw twn tpe', /^asia-east1\b/),
	country('asia', 'Hong Kong', 'hk hkg', /^(ap-east-1|asia-east2\b|eastasia|cn-hongkong)/),
	country('asia', 'China', 'cn chn pek pvg beijing shanghai', /^(cn-|china)/),
	country('asia', 'Israel', 'il isr tlv', /^(il-central|me-west-?1\b|israel)/),
	country('asia', 'Qatar', 'qa qat doh doha', /^(me-central1\b|qatar)/),
	country('asia', 'Emirates', 'ae uae dxb', /^(me-central-1|uae)/, ['united-arab-emirates']),
	country('oceania', 'Australia', 'au aus syd mel sydney', /^(ap-southeast-[24]|australia)/),
	country('oceania', 'New Zealand', 'nz nzl akl'),
	country('south-america', 'Brazil', 'br bra gru sao', /^(sa-east-1|southamerica-east1\b|brazil)/),
	country('africa', 'South Africa', 'za zaf jnb cpt', /^(af-south-1|africa-south1\b|southafrica)/),
	// Placed before Canada, because `US-CA-1` is in California.
	country(
		'north-america',
		'USA',
		'us lax sjc ord ewr dal dfw atl mia chi nyc jfk bos las phx den iad',
		/^(na-us\b|us|sea\d*$|(north|south|west|east)?central(us)\b|(east|west)us|(east|west) coast)/,
		['united-states', 'america'],
	),
	country(
		'north-america',
		'Canada',
		'ca can yul yyz mtl mon montreal toronto',
		/^(ca-|canada|northamerica-|mon\d)/,
	),
	country('north-america', 'Mexico', 'mx mex', /^(mexico|mx-)/),
];

const CONTINENTS: readonly GeoArea[] = [
	continent('europe', 'Europe', ['eu'], /^(eur?|europe)\b|europe/),
	continent('north-america', 'North America', ['na'], /^(na|northamerica)\b/),
	continent('asia', 'Asia', ['ap'], /^(asia|sea-|ap-(south|north|east)|me-)/),
	continent('oceania', 'Oceania', [], /^oceania/),
	continent('south-america', 'South America', ['sa'], /^(sa-|southamerica)/),
	continent('africa', 'Africa', ['af'], /^(af-|africa)/),
];

const ALL = [...CONTINENTS, ...COUNTRIES];

const isNamedBy = (place: GeoArea, lower: string, words: readonly string[]): boolean =>
	place.pattern?.test(lower) === true || words.some(word => word === place.name || place.also.includes(word));

const placesByRegion = new Map<string, readonly GeoArea[]>();

/** Country and continent of a region, or the continent alone. Empty if its name shows neither. */
export const geoAreasOf = (region: string): readonly GeoArea[] => {
	const known = placesByRegion.get(region);
	if (known) return known;
	const lower = region.toLowerCase();
	const words = lower.match(/[a-z]+/g) ?? [];
	// Patterns are more specific than words: `eu-central-1` is Frankfurt.
	const land =
		COUNTRIES.find(({pattern}) => pattern?.test(lower)) ??
		words.flatMap(word => COUNTRIES.find(({name, also}) => name === word || also.includes(word)) ?? [])[0];
	const around = land
		? CONTINENTS.filter(({name}) => name === land.continent)
		: CONTINENTS.filter(each => isNamedBy(each, lower, words)).slice(0, 1);
	const found = land ? [land, ...around] : around;
	placesByRegion.set(region, found);
	return found;
};

/** Country of a region, if its name shows one. */
export const countryOf = (region: string): GeoArea | undefined =>
	geoAreasOf(region).find(area => area.code !== undefined);

/**
 * Titles of the regions' countries, each once, in the order of the regions. If the country of a
 * region is unknown, the list contains the region itself.
 */
export const countriesIn = (regions: readonly string[]): readonly string[] => [
	...new Set(regions.map(region => countryOf(region)?.title ?? region)),
];

const asTyped = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, '-');

/** Codes that users may type instead of an area's name. */
const SHORT = /^(eu|usa?|uk)$/;

/** Country or continent of that name. Codes are not accepted, except `eu`, `us`, `usa` and `uk`. */
export const geoAreaNamed = (text: string): GeoArea | undefined => {
	const wanted = asTyped(text);
	return ALL.find(
		({name, also}) => name === wanted || (also.includes(wanted) && (wanted.length > 3 || SHORT.test(wanted))),
	);
};

/** Regions that a filter selects, and its words that name an area. */
export const regionsWanted = ({
	regions,
	words,
}: {
	readonly regions: readonly string[];
	readonly words: readonly string[];
}): readonly string[] => [...regions, ...words.filter(word => geoAreaNamed(word) !== undefined)];

/** True if the text has at least two letters and the area's name starts with it. */
export const isTypedFor = ({name, also}: GeoArea, text: string): boolean => {
	const typed = asTyped(text);
	return (
		typed.length >= 2 &&
		[name, ...also.filter(each => each.length > 3 || each === typed)].some(each => each.startsWith(typed))
	);
};

/** Text from the start of each word on, each preceded by a line feed. */
const wordStarts = (text: string): string =>
	[...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({index}) => `\n${text.slice(index)}`).join('');

const searchTexts = new Map<string, {readonly text: string; readonly lowerText: string}>();

/** Text in which a region is found: its own name, and the names of its country and continent. */
const searchTextOf = (region: string): {readonly text: string; readonly lowerText: string} => {
	const known = searchTexts.get(region);
	if (known) return known;
	const names = geoAreasOf(region).flatMap(({name, title, also}) => [
		title,
		name,
		...also.filter(each => each.length > 3 || SHORT.test(each)),
	]);
	const text = [region, ...names].map(wordStarts).join('');
	const found = {text, lowerText: text.toLowerCase()};
	searchTexts.set(region, found);
	return found;
};

/**
 * Returns a test of regions: true if `word` starts a word in the name of the region, its country
 * or its continent. Case matters in words with capitals. Fewer than three letters are too short,
 * except `eu`, `us` and `uk`.
 */
export const regionTest = (word: string): ((region: string) => boolean) => {
	if (word.length < 3 && !SHORT.test(word)) return () => false;
	const known = new Map<string, boolean>();
	const wanted = `\n${word}`;
	const isLower = word === word.toLowerCase();
	return region => {
		const before = known.get(region);
		if (before !== undefined) return before;
		const {text, lowerText} = searchTextOf(region);
		const found = (isLower ? lowerText : text).includes(wanted);
		known.set(region, found);
		return found;
	};
};

const offeredIn = new WeakMap<readonly ComputeOption[], ReadonlySet<string>>();

/** Every region of a catalogue, cached per catalogue. */
export const regionSet = (options: readonly ComputeOption[]): ReadonlySet<string> => {
	const known =
		offeredIn.get(options) ??
		new Set(options.flatMap(({availability}) => availability.map(({region}) => region)));
	offeredIn.set(options, known);
	return known;
};

/**
 * Regions that match the terms of a filter. The exact name of a region matches only this region.
 * Any other term is a pattern such as `eu*`, in any case, or a country or continent. A term without
 * a match is returned unchanged, so that the filter finds nothing.
 */
export const regionsMatching = (
	options: readonly ComputeOption[],
	terms: readonly string[],
): ReadonlySet<string> => {
	if (terms.length === 0) return new Set();
	const offered = regionSet(options);
	return new Set(
		terms.flatMap(term => {
			if (offered.has(term)) return [term];
			const glob = term.includes('*') ? globOf(term.toLowerCase()) : undefined;
			const place = glob ? undefined : geoAreaNamed(term);
			const found = [...offered].filter(region =>
				glob ? glob(region.toLowerCase()) : place !== undefined && geoAreasOf(region).includes(place),
			);
			return found.length > 0 ? found : [term];
		}),
	);
};

/** Areas of these regions, continents first, with the number of regions in each. */
export const geoAreasWith = (
	regions: Iterable<string>,
): readonly {readonly place: GeoArea; readonly regions: number}[] => {
	const counts = new Map<GeoArea, number>();
	for (const region of regions)
		for (const place of geoAreasOf(region)) counts.set(place, (counts.get(place) ?? 0) + 1);
	return ALL.flatMap(place => {
		const count = counts.get(place);
		return count === undefined ? [] : [{place, regions: count}];
	});
};
