import {expect, test} from 'vitest';
import {offerFind} from '../../../src/tui/compute/find.ts';
import {offer, ready} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';

const h100 = (id: string, price: number, ...regions: readonly (readonly [string, boolean])[]) =>
	offer({
		compute_id: id,
		cloud_host: id,
		name: 'H100 80G (1x)',
		hourly_price: price,
		availability: regions.map(([region, available]) => ({region, available})),
	});

test('an option that is available where the words say comes before a cheaper one elsewhere', () => {
	const {getState: get, setState} = storeOn('http://127.0.0.1:9');
	setState({
		compute: ready([
			h100('sold-out', 1, ['eu-north-1', false]),
			h100('elsewhere', 2, ['eu-north-1', false], ['us-east-1', true]),
			h100('there', 3, ['eu-north-1', true]),
			h100('american', 0.5, ['us-east-1', true]),
		]),
	});
	const hostsFor = (words: string): readonly string[] =>
		offerFind
			.hits(get, words)
			.flatMap(({choice: {text}}) => /sold-out|elsewhere|there|american/.exec(text) ?? []);
	expect(hostsFor('h100 eu')).toEqual(['there', 'elsewhere', 'sold-out']);
	expect(hostsFor('h100')).toEqual(['american', 'elsewhere', 'there', 'sold-out']);
});
