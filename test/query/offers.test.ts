import {expect, test} from 'vitest';
import {computeOption} from '../../src/contract/compute.ts';
import {isAvailable, mayBeAvailable, priceOf} from '../../src/query/offers.ts';

const option = (changes: object) =>
	computeOption.parse({name: 'H100 (1x)', cloud_host: 'h', compute_id: 'h-H100x1', ...changes});

test('a price that is not known is no price: nothing is compared with it', () => {
	expect(priceOf('h-H100x1', [option({hourly_price: null})])).toBeUndefined();
	expect(priceOf('other', [option({hourly_price: 1})])).toBeUndefined();
	expect(priceOf('h-H100x1', [option({hourly_price: '0.0003'})])).toBe(0.0003);
});

test('where a service says no region at all it may be asked, but nothing is called available', () => {
	const unknown = option({availability: null});
	expect([isAvailable(unknown), mayBeAvailable(unknown)]).toEqual([false, true]);
	expect(mayBeAvailable(option({availability: [{available: false, region: 'eu'}]}))).toBe(false);
});
