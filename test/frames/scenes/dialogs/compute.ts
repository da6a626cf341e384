import {compute} from '../../data.ts';
import {lists} from '../support.ts';
import type {Parts} from './part.ts';
import {catalogue} from '../../../../src/tui/compute/catalogue.ts';

export const computeDialogs = {
	facet: [
		{state: 'regions', on: 'compute', open: {kind: 'facet', facet: 'regions'}},
		{state: 'gpu', on: 'compute', open: {kind: 'facet', facet: 'gpu'}},
		{state: 'price', on: 'compute', open: {kind: 'facet', facet: 'maxPrice'}},
		{
			state: 'loading',
			on: 'compute',
			service: () => lists({compute: 'never'}),
			open: {kind: 'facet', facet: 'host'},
		},
	],
	compare: [
		{
			state: 'full',
			on: 'compute',
			arrive(store) {
				for (const index of [4, 7, 8, 9]) {
					const {compute_id: id, name} = compute[index]!;
					catalogue(store.getState).toggleMark(id ?? name);
				}
			},
			open: {kind: 'compare'},
		},
	],
	changes: [
		{
			state: 'full',
			on: 'compute',
			service() {
				let times = 0;
				const later = compute
					.slice(1)
					.map((option, index) => ({
						...option,
						hourly_price: index % 3 === 0 ? option.hourly_price * 1.25 : option.hourly_price,
						availability:
							index % 2 === 0
								? option.availability.map(each => ({...each, available: !each.available}))
								: option.availability,
					}));
				return {
					...lists(),
					compute: async () => lists({compute: {value: times++ === 0 ? compute : later}}).compute!(),
				};
			},
			arrive: store => catalogue(store.getState).refreshCompute(),
			open: {kind: 'changes'},
		},
	],
} satisfies Parts;
