import {expect, test} from 'vitest';
import {computeOption} from '../../src/contract/compute.ts';
import {isAvailable, mayBeAvailable, priceOf} from '../../src/query/offers.ts';

const option = (changes: object) =>
	computeOption.parse({name: 'H100 (1x)', cloud_host: 'h', compute_id: 'h-H100x1', ...changes});

test('an unknown price is not a price: it matches no comparison', () => {
	expect(priceOf('h-H100x1', [option({hourly_price: null})])).toBeUndefined();
	expect(priceOf('other', [option({hourly_price: 1})])).toBeUndefined();
	expect(priceOf('h-H100x1', [option({hourly_price: '0.0003'})])).toBe(0.0003);
});

test('an option of a service without regions can be requested, but is not called available', () => {
	const unknown = option({availability: null});
	expect([isAvailable(unknown), mayBeAvailable(unknown)]).toEqual([false, true]);
	expect(mayBeAvailable(option({availability: [{available: false, region: 'eu'}]}))).toBe(false);
});
