import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import market from '../../src/service/catalogue/offers.json' with {type: 'json'};
import type {ComputeOption} from '../../src/contract/compute.ts';
import {filterCompute, NO_FILTER} from '../../src/query/filter.ts';
import {parseQuery, printQuery} from '../../src/query/language.ts';
import {anyFilter, filterFor} from '../support/filters.ts';
import {testCases} from '../support/test-cases.ts';

const catalogue: readonly ComputeOption[] = market.compute;

const errorOf = (text: string): string => {
	const parsed = parseQuery(text);
	return parsed.ok ? 'no error' : parsed.error;
};

describe('a typed query', () => {
	test('expresses every filter', () => {
		expect(
			parseQuery(
				'gpu:h100 n>=2 vram>=80 price<3 region:eu-1 region:"East Coast (NY2)" host:aws avail cpu nvlink "two words"',
			),
		).toEqual({
			ok: true,
			filter: {
				gpu: 'h100',
				minGpus: 2,
				minVram: 80,
				maxPrice: {amount: 3, inclusive: false},
				regions: ['eu-1', 'East Coast (NY2)'],
				host: 'aws',
				available: true,
				cpuOnly: true,
				words: ['nvlink', 'two words'],
			},
		});
	});

	test.each([
		['', NO_FILTER],
		['   ', NO_FILTER],
		['GPU=H100', {...NO_FILTER, gpu: 'H100'}],
		['gpu>=1', {...NO_FILTER, minGpus: 1}],
		['n>1', {...NO_FILTER, minGpus: 2}],
		['vram>=80GB', {...NO_FILTER, minVram: 80}],
		['price<=.5', {...NO_FILTER, maxPrice: {amount: 0.5, inclusive: true}}],
		['region:any region:Any region:any', {...NO_FILTER, regions: ['any', 'Any']}],
		['region:a:b', {...NO_FILTER, regions: ['a:b']}],
		['region:""', {...NO_FILTER, regions: ['']}],
		['"avail"', {...NO_FILTER, words: ['avail']}],
		['Available', {...NO_FILTER, available: true}],
		['constructor', {...NO_FILTER, words: ['constructor']}],
	])('%j is read', (text, filter) => {
		expect(parseQuery(text)).toEqual({ok: true, filter});
	});

	test.each([
		['prise<3', 'Unknown field prise; did you mean price<=?'],
		['regin:eu', 'did you mean region:?'],
		['avial:yes', 'did you mean avail?'],
		['colour:red', 'fields are gpu: n>= vram>='],
		[':x', 'The field has no name'],
		['n:4', 'n takes >= or >, such as n>=4'],
		['n>=two', 'needs a whole number'],
		['n>=1.5', 'needs a whole number'],
		['vram>80', 'vram takes >=, such as vram>=80'],
		['price>3', 'price takes <= or <'],
		['price<', 'needs a number per hour'],
		['price<3 price<=2', 'price is given twice'],
		['gpu:a gpu:b', 'gpu is given twice'],
		['host:a host:b', 'host is given twice'],
		['avail:yes', 'avail takes no value'],
		['region:', 'region: needs a value'],
		['region:"eu', 'The quote is not closed'],
		['region:"eu"1', 'Put a space after the closing quote'],
		['a"b', 'Quote the whole value'],
		['""', 'Empty text matches nothing'],
		[String.raw`"a\q"`, 'as in JSON'],
		['constructor:x', 'Unknown field constructor'],
		['__proto__:x', 'Unknown field __proto__'],
	])('%j is an error that says what to do', (text, error) => {
		expect(errorOf(text)).toContain(error);
	});

	test('gives the position of its error', () => {
		expect(parseQuery('gpu:h100 prise<3 avail')).toMatchObject({ok: false, from: 9, to: 16});
	});

	testCases('printed and parsed again is the same filter, with any content', 2000, cases => {
		fc.assert(
			fc.property(anyFilter, filter => {
				expect(parseQuery(printQuery(filter))).toEqual({ok: true, filter});
			}),
			{numRuns: cases},
		);
	});

	testCases('drops nothing: each term of any text is in the filter, or the text is an error', 2000, cases => {
		const term = fc.constantFrom(
			'gpu:H100',
			'gpu:',
			'n>=2',
			'n>=',
			'vram>=80',
			'price<3',
			'price',
			'region:any',
			'region:Any',
			'host:aws',
			'avail',
			'cpu',
			'word',
			'foo:bar',
			'"',
			'"quoted text"',
			'=',
		);
		fc.assert(
			fc.property(fc.uniqueArray(term, {maxLength: 6}), terms => {
				const parsed = parseQuery(terms.join(' '));
				if (!parsed.ok) return;
				// If a quote encloses later terms, they are a single term.
				const written = printQuery(parsed.filter);
				for (const each of terms.filter(one => one !== '"'))
					expect(written).toContain(each.replaceAll('"', ''));
			}),
			{numRuns: cases},
		);
	});

	testCases('finds in the real offers what its filter finds', 300, cases => {
		fc.assert(
			fc.property(filterFor(catalogue), filter => {
				const parsed = parseQuery(printQuery(filter));
				expect(parsed.ok && filterCompute(catalogue, parsed.filter)).toEqual(
					filterCompute(catalogue, filter),
				);
			}),
			{numRuns: cases},
		);
	});
});
