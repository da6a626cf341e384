import {afterEach, expect, test, vi} from 'vitest';
import {tableOfText} from '../../../src/text/table/open-text.ts';
import {storeOn} from '../../support/store-on.ts';
import {tableViewer} from '../../../src/tui/tables/tables.ts';

const ROWS = 20_000;
/** A permutation, in which each number below ROWS occurs once. */
const valueAt = (row: number): number => (row * 7919) % ROWS;

afterEach(() => {
	vi.restoreAllMocks();
});

/** A store with an open table, whose clock advances by 50 ms at each call. */
const opened = () => {
	let now = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => (now += 50));
	const table = tableOfText(
		'a.csv',
		['value', ...Array.from({length: ROWS}, (_, row) => valueAt(row))].join('\n'),
	);
	if (table === null) throw new Error('no table');
	const store = storeOn('http://127.0.0.1:1');
	const get = store.getState;
	tableViewer(get).openTable('a.csv', table);
	const column = get().tableView?.column ?? 0;
	/** Progress that the sort has reported. */
	const shares: number[] = [];
	const begun = Promise.withResolvers<void>();
	store.subscribe(({tableView}) => {
		const share = tableView?.work?.share;
		if (share !== undefined && share !== shares.at(-1)) shares.push(share);
		if (shares.length > 1) begun.resolve();
	});
	return {get, table, column, shares, begun: begun.promise};
};

test('a sort reports its progress, and ends with the rows in order', async () => {
	const {get, table, column, shares} = opened();
	tableViewer(get).sortTable({column, direction: 'down'});
	await vi.waitFor(() => expect(get().tableView?.rows?.length).toBe(ROWS));
	expect(shares.length).toBeGreaterThan(5);
	expect(shares).toEqual(shares.toSorted((one, other) => one - other));
	expect(shares.every(share => share >= 0 && share < 1)).toBe(true);
	const first = [...(get().tableView?.rows?.slice(0, 3) ?? [])].map(row => table.cell(row, column));
	expect([first, get().tableView?.work]).toEqual([['19999', '19998', '19997'], null]);
});

test('a sort that is stopped leaves the rows as they were, and the next one goes through', async () => {
	const {get, column, shares, begun} = opened();
	tableViewer(get).sortTable({column, direction: 'up'});
	await begun;
	expect([tableViewer(get).stopTableWork(), tableViewer(get).stopTableWork()]).toEqual([true, false]);
	const told = shares.length;
	for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve));
	const {rows, sort, work} = get().tableView ?? {};
	expect([rows, sort, work, shares.length]).toEqual([null, null, null, told]);
	tableViewer(get).sortTable({column, direction: 'up'});
	await vi.waitFor(() => expect(get().tableView?.sort).toEqual({column, direction: 'up'}));
	expect(get().tableView?.rows?.length).toBe(ROWS);
});
