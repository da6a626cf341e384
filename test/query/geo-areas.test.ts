import {describe, expect, test} from 'vitest';
import {filterCompute, NO_FILTER} from '../../src/query/filter.ts';
import {groupCompute} from '../../src/query/group.ts';
import {parseQuery} from '../../src/query/language.ts';
import {countriesIn, geoAreaNamed, geoAreasOf, regionsMatching} from '../../src/query/geo-areas.ts';
import {MARKET} from '../support/market-service.ts';

const catalogue = MARKET.map(offer => ({...offer, availability: [...offer.availability]}));
const meant = (...terms: readonly string[]): readonly string[] =>
	[...regionsMatching(catalogue, terms)].sort();

describe('location of a region', () => {
	test.each([
		['eu-central-1a', 'germany europe'],
		['fra', 'germany europe'],
		['EUR-IS-2', 'iceland europe'],
		['europe-central-1', 'europe'],
		['US-CA-1', 'usa north-america'],
		['CA-MTL-2', 'canada north-america'],
		['southcentralus', 'usa north-america'],
		['asia-northeast1', 'japan asia'],
		['SEA-AU-1', 'australia oceania'],
		['SEA-SG-1', 'singapore asia'],
		['sea-3', 'asia'],
		['sea1', 'usa north-america'],
		['cn-north-1', 'china asia'],
		['cn-hongkong', 'hong-kong asia'],
		['chinaeast2', 'china asia'],
		['qatarcentral', 'qatar asia'],
		['me-central-1', 'emirates asia'],
		['any', ''],
		['region-7', ''],
	])('%s is in: %s', (region, places) =>
		expect(
			geoAreasOf(region)
				.map(({name}) => name)
				.join(' '),
		).toBe(places),
	);

	test('codes of a region are not names of an area, except well-known ones', () => {
		expect(
			['Germany', 'united states', 'EU', 'uk', 'north america'].map(name => geoAreaNamed(name)?.name),
		).toEqual(['germany', 'usa', 'europe', 'united-kingdom', 'north-america']);
		expect(['fra', 'no', 'ca', 'lhr'].map(name => geoAreaNamed(name))).toEqual(Array(4).fill(undefined));
	});
});

describe('the regions that a filter means', () => {
	test('a region matches exactly itself, even if a country has its name', () => {
		expect(meant('fra')).toEqual(['fra']);
		expect(meant('Norway')).toEqual(['Norway']);
		expect(meant('norway')).toEqual(['EUR-NO-1', 'NORWAY-1', 'Norway', 'OSL1', 'norway-1']);
	});

	test('a star matches the rest, in any case; a country all its regions', () => {
		expect(meant('eu-n*')).toEqual(['EU-NL-1', 'eu-north1-c']);
		expect(meant('germany')).toEqual(['FRA', 'eu-central-1a', 'eu-central-1b', 'eu-central-1c', 'fra']);
		expect(meant('germany', 'lhr')).toHaveLength(6);
		expect(meant('atlantis')).toEqual(['atlantis']);
		expect(meant('(.+)*')).toEqual(['(.+)*']);
	});

	test.each([
		['a*', 'abc', true],
		['*C', 'abc', true],
		['a*b*c', 'axbxbc', true],
		['ab*ba', 'aba', false],
		['*', '', true],
		['*b*', 'abc', true],
		['b*', 'abc', false],
		[`${'*'.repeat(40)}x`, 'a'.repeat(60), false],
		[`${'*a'.repeat(40)}*x`, 'a'.repeat(60), false],
	])('%s and %s: %s', (term, region, isMeant) => {
		const {availability: _, ...offer} = catalogue[0]!;
		const options = [{...offer, availability: [{available: true, region}]}];
		expect([...regionsMatching(options, [term])]).toEqual([isMeant ? region : term]);
	});

	test('a filter by a continent equals the filter by its regions', () => {
		const filter = {...NO_FILTER, gpu: 'h100', available: true};
		const found = filterCompute(catalogue, {...filter, regions: ['europe']});
		expect(found).toEqual(filterCompute(catalogue, {...filter, regions: meant('europe')}));
		expect(found.map(({cloud_host: host}) => host)).toContain('nebius');
		expect(found.map(({cloud_host: host}) => host)).not.toContain('massedcompute');
	});

	test('with available only, every group has an available offer', () => {
		const rows = filterCompute(catalogue, {...NO_FILTER, available: true});
		const groups = groupCompute(rows, 'region', undefined, true);
		expect(groups.filter(({available}) => available === 0)).toEqual([]);
		expect(groupCompute(rows, 'region').some(({available}) => available === 0)).toBe(true);
	});
});

describe('a value that the catalogue does not have', () => {
	test.each([
		['gpu:h10', 'No GPU h10 in the catalogue; did you mean H100?'],
		['region:eu-1', 'No region eu-1 in the catalogue; did you mean EU-'],
		['region:eu-central-1', 'did you mean eu-central-1a?'],
		['host:azur', 'did you mean azure?'],
		['region:zz*', 'No region zz* in the catalogue'],
	])('%s is answered: %s', (text, words) => {
		const parsed = parseQuery(`n>=1 ${text}`, catalogue);
		expect(parsed).toMatchObject({ok: false, from: 5});
		expect(parsed.ok ? '' : parsed.error).toContain(words);
		// A region is accepted, because it cannot be checked without a catalogue.
		expect(parseQuery(text).ok).toBe(true);
	});

	test('regions, places and a star are values that are there', () => {
		for (const text of ['region:FRA', 'region:Europe', 'region:eu*', 'gpu:"a100 80g"', 'host:AWS'])
			expect(parseQuery(text, catalogue)).toMatchObject({ok: true});
	});
});

test('words find options by region, country and continent', () => {
	const found = (...words: readonly string[]): readonly string[] => [
		...new Set(filterCompute(catalogue, {...NO_FILTER, words}).map(each => each.cloud_host)),
	];
	const inFinland = [
		...new Set(
			catalogue
				.filter(
					({name, availability}) =>
						name.startsWith('H100') &&
						availability.some(({region}) => geoAreasOf(region)[0]?.title === 'Finland'),
				)
				.map(each => each.cloud_host),
		),
	];
	expect(inFinland.toSorted()).toEqual(['datacrunch', 'nebius']);
	expect(found('h100', 'finland').toSorted()).toEqual(['datacrunch', 'nebius']);
	expect(found('H100', 'Finl').toSorted()).toEqual(['datacrunch', 'nebius']);
	expect(found('h100', 'fin-01')).toEqual(['datacrunch']);
	expect(found('h100', 'inland')).toEqual([]);
	expect(found('europe').length).toBeGreaterThan(2);
	expect(found('zz')).toEqual([]);
});

test('regions are named by country, each once; a region of an unknown country keeps its name', () => {
	expect(countriesIn(['FIN-01', 'us-east-1', 'US-CA-1', 'moon-1', 'eu-1', 'ap-south-1'])).toEqual([
		'Finland',
		'USA',
		'moon-1',
		'eu-1',
		'India',
	]);
});
