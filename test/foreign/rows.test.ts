import {afterAll, beforeAll, expect, test} from 'vitest';
import {newForm, startForm} from '../../src/tui/servers/create/form.ts';
import {choicesOf} from '../../src/tui/servers/create/choices.ts';
import {shownServers} from '../../src/tui/servers/rows.ts';
import {estimateOf, totalEstimate} from '../../src/tui/servers/costs/rentals.ts';
import {estimateText, estimateWords, priceText, roundedPrice, sumPerHour} from '../../src/text/money.ts';
import {label} from '../../src/text/safe.ts';
import {tableLines, type Column} from '../../src/tui/core/components/table.ts';
import {COLUMNS} from '../../src/settings/columns.ts';
import {computeColumns} from '../../src/tui/compute/columns.ts';
import {detailBeside} from '../../src/tui/compute/detail.ts';
import {descriptionLines} from '../../src/tui/environments/view.tsx';
import {detailLines} from '../../src/tui/servers/detail.ts';
import {stateRole} from '../../src/tui/servers/state.ts';
import {serverColumns} from '../../src/tui/servers/columns.ts';
import {startHostileService, type HostileService} from '../faults/hostile-service.ts';
import {newSeed} from '../support/random.ts';
import {storeOn} from '../support/store-on.ts';
import {FIXED_SEEDS, foreignService} from './foreign-service.ts';
import {formErrors} from '../../src/tui/servers/create/errors.ts';
import {serverList} from '../../src/tui/servers/servers.ts';
import {catalogue} from '../../src/tui/compute/catalogue.ts';
import {environmentList} from '../../src/tui/environments/environments.ts';

const FIRST = newSeed();
const COUNT = 80;
const SEEDS = [...FIXED_SEEDS, ...Array.from({length: COUNT}, (_, at) => FIRST + at)];
const NOW = Date.UTC(2026, 0, 2);

let service: HostileService;
beforeAll(async () => {
	service = await startHostileService();
});
afterAll(async () => service[Symbol.asyncDispose]());

const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');
const linesOf = <T>(columns: readonly Column<T>[], rows: readonly T[]): readonly string[] =>
	tableLines({
		columns,
		all: rows,
		from: 0,
		height: rows.length,
		cursor: -1,
		focused: false,
		width: 200,
	}).lines.map(plain);
/** Text that shows that the program printed an unexpected value. */
const SLIPS = /NaN|undefined|\[object|\bnull\b|, ?,|,  | ,/;

test('a computed price is zero only if it is one', () => {
	expect([0, 0.0003, 0.00016, 1.245, 2.4875].map(roundedPrice)).toEqual([
		'0.00',
		'0.0003',
		'0.0002',
		'1.25',
		'2.49',
	]);
});

test('a price is never shown as nothing unless it is nothing', () => {
	const shown = new Map([
		[0, '0.00'],
		[0.00004, '0.00004'],
		[0.000038, '0.000038'],
		[0.0003, '0.0003'],
		[0.00016, '0.00016'],
		[0.0012345, '0.0012'],
		[0.004, '0.004'],
		[2.49, '2.49'],
		[0.1 + 0.2, '0.30'],
		[1e-7, '0.0000001'],
		[3e-12, '3.0e-12'],
		[1e-320, '1.0e-320'],
		[-0.00004, '-0.00004'],
		[Number.NaN, '?'],
	]);
	expect([...shown.keys()].map(priceText)).toEqual([...shown.values()]);
	expect([0.00004, 1e-7, 3e-12].map(roundedPrice)).toEqual(['0.00004', '0.0000001', '3.0e-12']);
	expect(estimateWords(0.00004, false)).toBe('about 0.00004');
	expect(estimateText(1e-9, false)).toBe('<0.01');
});

test('the fixed services decide every open point each way between them', () => {
	const services = FIXED_SEEDS.map(foreignService);
	const made = new Set(services.flatMap(each => [...each.made]));
	expect(services.flatMap(({ways}) => [...ways]).filter(way => !made.has(way))).toEqual([]);
});

test('every server, option and environment of any service has a row; missing data is ?, and sums report what they leave out', async () => {
	for (const seed of SEEDS) {
		const foreign = foreignService(seed);
		const said = `seed ${seed}`;
		service.answer(foreign.routes);
		const store = storeOn(service.baseUrl, {now: () => NOW});
		const state = store.getState;
		await Promise.all([
			serverList(state).refreshServers(),
			catalogue(state).refreshCompute(),
			environmentList(state).refreshEnvironments(),
		]);

		const priceOf = (request: string | null): number | null =>
			foreign.compute.find(({id}) => id === request)?.price ?? null;
		const servers = shownServers(state());
		const columns = serverColumns(each => estimateOf(state(), each, NOW), null, COLUMNS.servers);
		const rows = linesOf(columns, servers);
		expect(servers.map(({name}) => name).toSorted(), said).toEqual(
			foreign.servers.map(({name}) => name).toSorted(),
		);
		for (const {name, state: status, port, request} of foreign.servers) {
			const at = servers.findIndex(server => server.name === name);
			const row = rows[at] ?? '';
			const cells = row.trim().split(/ {2,}/);
			const money = priceOf(request);
			expect(row, said).toContain(`${label(name)} `);
			expect(cells[1]?.slice(2), `${said}: ${row}`).toBe(status === '' ? '?' : label(status, 20));
			expect(cells.at(-1), `${said}: ${row}`).toBe(port === null ? '?' : String(port));
			if (status !== 'offline') {
				const isKnown = money === 0 || (money !== null && status === 'ready');
				expect(cells.at(-3), `${said}: ${row}`).toMatch(
					!isKnown ? /^\?$/ : money === 0 ? /^0\.00$/ : /^(?:2\.49|0\.0003)$/,
				);
				if (!isKnown) expect(cells.at(-2), `${said}: ${row}`).toBe('?');
			}
			if (status !== 'ready') expect(stateRole(status), said).not.toBe('good');
			const detail = detailLines(servers[at]!, state(), NOW, 60).map(plain).join('\n');
			expect(detail, said).not.toMatch(/NaN|undefined|\[object/);
			expect(detail, said).toMatch(
				money === null
					? /Rate +\? the catalogue does not say/
					: status === 'ready' || status === 'offline' || money === 0
						? /Rate +(?:\d|free)/
						: /Rate +\? the service does not say what it costs in/,
			);
			for (const token of foreign.tokens)
				expect(detail.replaceAll(/\s/g, '').includes(token), `${said}: ${token} is visible`).toBe(false);
		}
		const unknown = foreign.servers.filter(
			each =>
				each.state !== 'offline' &&
				priceOf(each.request) !== 0 &&
				(each.state !== 'ready' || priceOf(each.request) === null),
		).length;
		const total = totalEstimate(state(), servers, NOW);
		expect(total.unknown, said).toBe(unknown);
		expect(sumPerHour(total), said).toMatch(
			unknown === 0
				? /^\d/
				: total.known === 0
					? new RegExp(`^\\?/h, ${unknown} unknown$`)
					: new RegExp(`and ${unknown} unknown$`),
		);

		const options = state().compute.value?.items ?? [];
		const offers = linesOf(
			computeColumns(new Set()),
			options.map(option => ({
				kind: 'offer' as const,
				id: option.compute_id ?? '',
				offer: option.compute_id ?? '',
				option,
			})),
		);
		for (const [at, {price}] of foreign.compute.entries()) {
			const row = offers[at] ?? '';
			expect(row, said).toMatch(price === null ? / \? / : price === 0 ? / 0\.00 / : / (?:2\.49|0\.0003) /);
			expect(row, said).not.toMatch(SLIPS);
			const option = options[at]!;
			const detail = detailBeside(
				{option, alike: [option], regions: [], variants: new Set<string>(), change: undefined},
				60,
				20,
			)
				.map(line => plain(line).trimEnd())
				.join('\n');
			expect(detail, said).not.toMatch(SLIPS);
			if (option.availability.length === 0) expect(detail, said).toContain('Regions not reported');
		}
		for (const environment of state().environments.value?.items ?? [])
			expect(descriptionLines(environment, [], undefined, 60).map(plain).join('\n'), said).not.toMatch(SLIPS);
		expect(
			state().environments.value?.items.map(each => each.environment_id),
			said,
		).toEqual(foreign.environments);

		// Reloading returns the list in another order, with the same unknown values. That counts as
		// unchanged.
		await Promise.all([serverList(state).refreshServers(), catalogue(state).refreshCompute()]);
		expect([...(state().computeChanges?.changed ?? [])], said).toEqual([]);
	}
});

test('the form offers options of other servers, and a server without a known option offers none', async () => {
	for (const seed of FIXED_SEEDS) {
		service.answer(foreignService(seed).routes);
		const store = storeOn(service.baseUrl, {now: () => NOW});
		await Promise.all([
			serverList(store.getState).refreshServers(),
			catalogue(store.getState).refreshCompute(),
		]);
		const {servers, compute} = store.getState();
		const known = {
			servers: servers.value?.items ?? [],
			compute: compute.value?.items,
			environments: undefined,
			isLocal: false,
		};
		for (const {id, from} of choicesOf({...newForm({name: 'x', compute: ''}), at: 'compute'}, known)) {
			expect(id, `seed ${seed}`).not.toBe('');
			if (from === 'servers')
				expect(formErrors(newForm({name: 'x', compute: id}), known), `seed ${seed}`).toEqual({});
		}
		for (const server of known.servers)
			expect(startForm(server).at, `seed ${seed}`).toBe(
				server.environment === '' ? 'environment' : server.server_request === '' ? 'compute' : 'review',
			);
	}
});
