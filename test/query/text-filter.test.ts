import {expect, test} from 'vitest';
import {listFilter} from '../../src/query/text-filter.ts';

test('a filter finds items with each word, in any order; capitals must match', () => {
	const items = ['trainer ready H100', 'label-tool ready T4', 'old-runs offline'];
	const filter = listFilter<string>(item => item);
	expect(filter(items, ' h100  train ')).toEqual([items[0]]);
	expect(filter(items, 'ready')).toEqual(items.slice(0, 2));
	expect(filter(items, 'ready T4')).toEqual([items[1]]);
	expect(filter(items, 'Ready')).toEqual([]);
	expect(filter(items, '  ')).toBe(items);
});
