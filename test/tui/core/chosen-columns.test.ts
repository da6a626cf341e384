import {expect, test} from 'vitest';
import {COMPUTE_SORT_KEYS} from '../../../src/query/sort.ts';
import {ALL_COLUMNS, COLUMNS, readColumns} from '../../../src/settings/columns.ts';
import {computeColumns, computeHeads, nextSortKey} from '../../../src/tui/compute/columns.ts';
import {serverColumns} from '../../../src/tui/servers/columns.ts';

const SPEND = () => ({rate: 0.1, estimate: 0.04, atLeast: false});
const headsOf = (columns: readonly {readonly head: string}[]): readonly string[] =>
	columns.map(({head}) => head.trim());

test('chosen columns are in their order, and the sort mark is over its own', () => {
	const sort = {key: 'rate', direction: 'descending'} as const;
	expect(headsOf(serverColumns(SPEND, sort, ['port', 'rate', 'name']))).toEqual(['Port', '↓Rate /h', 'Name']);
	const chosen = ['host', 'price', 'gpu'] as const;
	expect(headsOf(computeColumns(new Set(), chosen))).toEqual(['Host', 'Price /h', 'GPU']);
	expect(computeHeads('price', 'ascending', chosen)).toEqual(['Host ', '↑Price /h', 'GPU ']);
	expect(computeHeads('host', 'descending', chosen)[0]).toBe('↓Host');
});

test('all columns that can be chosen are there, and those of compute can be sorted by', () => {
	expect(headsOf(serverColumns(SPEND, null))).toEqual([
		...['Name', 'State', 'Compute', 'Environment', 'Rate /h', 'Today'],
	]);
	expect(serverColumns(SPEND, null, COLUMNS.servers)).toHaveLength(COLUMNS.servers.length);
	expect(COLUMNS.compute).toEqual(COMPUTE_SORT_KEYS);
});

test('the sort order cycles through the chosen columns, and starts with the first if its own is hidden', () => {
	const chosen = ['gpu', 'price', 'host'] as const;
	expect(nextSortKey('price', 1, chosen)).toBe('host');
	expect(nextSortKey('host', 1, chosen)).toBe('gpu');
	expect(nextSortKey('gpu', -1, chosen)).toBe('host');
	expect(nextSortKey('vram', 1, chosen)).toBe('gpu');
	expect(nextSortKey('gpu', -1, null)).toBe('host');
});

test.each([
	undefined,
	null,
	'name',
	{servers: 'name', compute: {0: 'gpu'}},
	{servers: [], compute: []},
	{servers: ['state'], compute: ['price']},
	{servers: ['name', 'name'], compute: ['gpu', 'toString']},
	{servers: ['name', 1], compute: ['gpu', null]},
])('what cannot be a choice, as %j, is none', wanted => {
	expect(readColumns(wanted)).toEqual(ALL_COLUMNS);
});
