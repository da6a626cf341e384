import {expect, test} from 'vitest';
import type {ListedFacet} from '../../../src/query/choices.ts';
import {runAction, typeText} from '../../support/run-action.ts';
import {offer, ready} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';
import {route} from '../../../src/tui/core/store/route.ts';

const available = (...regions: readonly string[]) => regions.map(region => ({available: true, region}));

const openPicker = (facet: ListedFacet) => {
	const store = storeOn('http://127.0.0.1:9');
	const offers = [
		offer({compute_id: 'a', availability: available('one', 'two')}),
		offer({compute_id: 'h', name: 'H100 80G (1x)', availability: available('two')}),
	];
	store.setState({compute: ready(offers), screen: 'compute'});
	route(store.getState).openDialog({kind: 'facet', facet});
	const {getState: get} = store;
	return {
		press: (...names: readonly ('complete' | 'accept' | 'up' | 'down')[]) => {
			for (const name of names) runAction(get, 'chooser', name);
		},
		type: (text: string) => typeText(get, 'chooser', text),
		filter: () => store.getState().computeFilter,
		isOpen: () => store.getState().dialogs.length > 0,
	};
};

test('marked items stay at Enter; without any mark Enter chooses again', () => {
	const marked = openPicker('regions');
	marked.type('o');
	marked.press('complete', 'down', 'accept');
	expect([marked.filter().regions, marked.isOpen()]).toEqual([['one'], false]);
	const unmarked = openPicker('regions');
	unmarked.type('o');
	unmarked.press('complete', 'complete', 'down', 'accept');
	expect(unmarked.filter().regions).toEqual(['two']);
});

test('for a single value Enter chooses the highlighted one, also after Tab has chosen another', () => {
	const picker = openPicker('gpu');
	picker.type('00');
	picker.press('complete', 'down', 'accept');
	expect(picker.filter().gpu).toBe('H100 80G');
});
