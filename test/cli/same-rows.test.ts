import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Client} from '../../src/api/client-types.ts';
import {listCompute} from '../../src/cli/compute.ts';
import type {Context} from '../../src/cli/context.ts';
import {computeOption} from '../../src/contract/compute.ts';
import {printQuery} from '../../src/query/language.ts';
import {COMPUTE_SORT_KEYS} from '../../src/query/sort.ts';
import {computeRows} from '../../src/tui/compute/rows.ts';
import {createStore} from '../../src/tui/create-store.ts';
import {createEditor} from '../../src/text/editor/editor.ts';
import {filterFor} from '../support/filters.ts';
import {MARKET} from '../support/market-service.ts';
import {catalogue} from '../../src/tui/compute/catalogue.ts';
import {listViews} from '../../src/tui/core/store/lists.ts';

const items = MARKET.map(offer => computeOption.parse(offer));
const client = {
	compute: async () => ({ok: true, value: {items, unreadable: 0, raw: MARKET}}),
} as unknown as Client;

/** Runs the command in this process. Returns its `--json` output. */
const headless = async (query: string, sort: string): Promise<readonly unknown[]> => {
	let printed = '';
	const sink = {
		isTTY: false,
		columns: Infinity,
		write: async (data: string | Uint8Array) => void (printed += String(data)),
	};
	const context: Context = {
		options: {},
		env: {},
		json: true,
		colour: false,
		stdout: sink,
		stderr: {...sink, write: async () => {}},
		signal: new AbortController().signal,
		stdinIsTTY: false,
		runShell: undefined,
		readStdin: async () => Buffer.alloc(0),
		connect: async () => ({client, isLocal: false, started: false, keeps: 0, hasEnded: () => false}),
		typed: (...words: readonly string[]) => words.join(' '),
	} as unknown as Context;
	await listCompute(context, {query, sort});
	return JSON.parse(printed) as readonly unknown[];
};

test('for any query over the real offers, in any order, command and screen have the same rows', async () => {
	const store = createStore({client: async () => client, now: () => 0} as Parameters<typeof createStore>[0]);
	await catalogue(store.getState).refreshCompute();
	let found = 0;
	await fc.assert(
		fc.asyncProperty(
			filterFor(items),
			fc.constantFrom(...COMPUTE_SORT_KEYS),
			fc.boolean(),
			async (filter, key, descending) => {
				const query = printQuery(filter);
				catalogue(store.getState).typeComputeQuery(createEditor(query), false);
				listViews(store.getState).changeList('compute', {
					sort: {key, direction: descending ? 'descending' : 'ascending'},
				});
				const onScreen = computeRows(store.getState()).map(row => (row.kind === 'offer' ? row.option : row));
				// The command prints options as received, but the screen shows parsed options.
				const printed = await headless(query, `${descending ? '-' : ''}${key}`);
				expect(onScreen).toEqual(printed.map(option => computeOption.parse(option)));
				found += onScreen.length;
			},
		),
		{
			numRuns: 200,
			examples: [
				[{regions: ['fra'], available: false, cpuOnly: false, words: [], gpu: 'Medium CPU'}, 'gpu', false],
			],
		},
	);
	expect(found).toBeGreaterThan(0);
});
