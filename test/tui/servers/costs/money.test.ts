import {expect, test} from 'vitest';
import {newForm} from '../../../../src/tui/servers/create/form.ts';
import {estimateOf, totalEstimate} from '../../../../src/tui/servers/costs/rentals.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import {sumPerHour} from '../../../../src/text/money.ts';
import {cardLines} from '../../../../src/tui/servers/create/card.ts';
import {paint} from '../../../../src/tui/core/theme/theme.ts';
import {
	computeOption,
	serverItem,
	startedServer,
	startHostileService,
	success,
	type HostileService,
} from '../../../faults/hostile-service.ts';
import {storeOn} from '../../../support/store-on.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {serverList} from '../../../../src/tui/servers/servers.ts';
import {catalogue} from '../../../../src/tui/compute/catalogue.ts';
import {environmentList} from '../../../../src/tui/environments/environments.ts';
import {computeWatch} from '../../../../src/tui/compute/watch.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {renting} from '../../../../src/tui/servers/create/submit.ts';

const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');
const gpus = (name: string, count: number, price: number, available = true) =>
	computeOption(`${name} (${count}x)`, {
		compute_id: `cloud-${name}x${count}`,
		num_gpus: count,
		hourly_price: price,
		availability: [{available, region: 'eu-1'}],
	});

test('a sum counts the prices it lacks, and is ? when it has none', () => {
	expect(sumPerHour({rate: 2.49, known: 1, unknown: 0})).toBe('2.49/h');
	expect(sumPerHour({rate: 0, known: 0, unknown: 0})).toBe('0.00/h');
	expect(sumPerHour({rate: 2.49, known: 1, unknown: 2})).toBe('2.49/h and 2 unknown');
	expect(sumPerHour({rate: 0, known: 0, unknown: 1})).toBe('?/h, 1 unknown');
});

test('a ready server whose compute no list knows has no price, and the estimate of all is a least', async () => {
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: [
					serverItem('a', {server_request: 'cloud-H100x1'}),
					serverItem('b', {server_request: 'gone'}),
					serverItem('c', {status: 'offline'}),
				],
			}),
		compute: () => success({compute: [gpus('H100', 1, 2.49)]}),
	});
	const store = storeOn(service.baseUrl);
	await serverList(store.getState).refreshServers();
	await catalogue(store.getState).refreshCompute();
	const state = store.getState();
	expect(totalEstimate(state, state.servers.value?.items ?? [], Date.now())).toMatchObject({
		rate: 2.49,
		known: 1,
		unknown: 1,
		atLeast: true,
	});
});

test('a server in a state outside the API costs ?, and the sum reports that it is left out', async () => {
	const states = ['hibernated', 'STOPPED', 'Ready', 'failed: no quota', ''];
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: ['ready', 'offline', ...states].map(status =>
					serverItem(`is ${status}`, {status, server_request: 'cloud-H100x1'}),
				),
			}),
		compute: () => success({compute: [gpus('H100', 1, 2.49)]}),
	});
	let now = 1_000_000;
	const store = storeOn(service.baseUrl, {now: () => now});
	await serverList(store.getState).refreshServers();
	await catalogue(store.getState).refreshCompute();
	now += 3_600_000;
	const state = store.getState();
	const items = state.servers.value?.items ?? [];
	for (const server of items.slice(2))
		expect(estimateOf(state, server, now), server.name).toEqual({
			rate: undefined,
			estimate: undefined,
			atLeast: false,
		});
	const total = totalEstimate(state, items, now);
	expect(total).toEqual({rate: 2.49, known: 1, unknown: states.length, estimate: 2.49, atLeast: true});
	expect(sumPerHour(total)).toBe('2.49/h and 5 unknown');
});

test('time in a state of unknown cost is not gathered when the server is ready again', async () => {
	let status = 'ready';
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('a', {status, server_request: 'cloud-H100x1'})]}),
		compute: () => success({compute: [gpus('H100', 1, 2.49)]}),
	});
	let now = 1_000_000;
	const store = storeOn(service.baseUrl, {now: () => now});
	await catalogue(store.getState).refreshCompute();
	for (const next of ['ready', 'hibernated', 'ready']) {
		status = next;
		await serverList(store.getState).refreshServers();
		now += 3_600_000;
	}
	const [server] = store.getState().servers.value?.items ?? [];
	expect(estimateOf(store.getState(), server!, now)).toMatchObject({rate: 2.49, estimate: undefined});
});

test.each(['compute', 'environments'] as const)(
	'a list of %s that failed at first is asked for again until it comes',
	async list => {
		await using service = await startHostileService({[list]: () => ({status: 500, body: '{}'})});
		const store = storeOn(service.baseUrl);
		await (list === 'compute'
			? catalogue(store.getState).refreshCompute()
			: environmentList(store.getState).refreshEnvironments());
		expect(store.getState()[list].status).toBe('failed');
		service.answer({[list]: () => success({[list]: []})});
		await waitFor(() => expect(store.getState()[list].status).toBe('ready'));
	},
);

test('a watch is for so many GPUs in one machine', async () => {
	await using service = await startHostileService({
		compute: () => success({compute: [gpus('H100', 1, 2), gpus('H100', 8, 16, false)]}),
	});
	const store = storeOn(service.baseUrl);
	await catalogue(store.getState).refreshCompute();
	const model = 'H100';
	computeWatch(store.getState).toggleWatch({model, count: 8, regions: []});
	computeWatch(store.getState).noticeAvailable();
	expect(store.getState().watches).toHaveLength(1);
	expect(store.getState().notices).toEqual([]);
	service.answer({compute: () => success({compute: [gpus('H100', 1, 2), gpus('H100', 8, 16)]})});
	await catalogue(store.getState).refreshCompute();
	expect(store.getState().watches).toEqual([]);
	expect(store.getState().notices.at(-1)?.text).toContain(
		'8 × H100 in any region is available now: H100 (8x), 16.00/h',
	);
});

const created = (service: HostileService): number =>
	service.asked.filter(line => line === 'POST /api/servers').length;
/** A store with a complete form for a server on one H100, and current data of the catalogue. */
const atConfirm = async (service: HostileService): Promise<Store> => {
	const store = storeOn(service.baseUrl);
	await catalogue(store.getState).refreshCompute();
	route(store.getState).openDialog({
		kind: 'create',
		form: {...newForm({name: 'trainer', compute: 'cloud-H100x1'}), at: 'review'},
	});
	return store;
};
const formOf = (store: Store) => {
	const dialog = store.getState().dialogs.at(-1);
	return dialog?.kind === 'create' ? dialog.form : undefined;
};

test('an option that is gone or costs another price at the confirmation is not sent', async () => {
	await using service = await startHostileService({
		compute: () => success({compute: [gpus('H100', 1, 2), gpus('A100', 1, 1.5)]}),
		create: () => success(startedServer('trainer', {hourly_rate: 3})),
	});
	const store = await atConfirm(service);
	service.answer({compute: () => success({compute: [gpus('H100', 1, 2, false), gpus('A100', 1, 1.5)]})});
	await renting(store.getState).rent();
	expect(formOf(store)).toMatchObject({at: 'compute', sending: null, compute: 'cloud-A100x1'});
	expect(formOf(store)?.hint).toContain('cloud-H100x1 is no longer available');
	route(store.getState).changeDialog({
		kind: 'create',
		form: {...newForm({name: 'trainer', compute: 'cloud-A100x1'}), at: 'review'},
	});
	service.answer({compute: () => success({compute: [gpus('A100', 1, 3)]})});
	await renting(store.getState).rent();
	expect(formOf(store)?.refusal).toBe(
		'It costs 3.00/h now, not 1.50/h. Nothing was sent: confirm it once more at the new price.',
	);
	expect(created(service)).toBe(0);
	await renting(store.getState).rent();
	expect(created(service)).toBe(1);
	expect(formOf(store)).toBeUndefined();
});

test('a catalogue that does not come right before the confirm leaves it to the service', async () => {
	await using service = await startHostileService({
		compute: () => success({compute: [gpus('H100', 1, 2)]}),
		create: () => success(startedServer('trainer', {hourly_rate: 2})),
	});
	const store = await atConfirm(service);
	service.answer({compute: () => ({status: 500, body: '{}'})});
	await renting(store.getState).rent();
	expect(created(service)).toBe(1);
});

test('a user who filtered by region is warned that the service chooses it', async () => {
	await using service = await startHostileService({compute: () => success({compute: [gpus('H100', 1, 2)]})});
	const store = storeOn(service.baseUrl);
	await catalogue(store.getState).refreshCompute();
	await renting(store.getState).createWith(gpus('H100', 1, 2), ['eu-1', 'Eu-1']);
	const form = formOf(store);
	if (form === undefined) throw new Error('no form is open');
	const {compute} = store.getState();
	const text = cardLines({
		form,
		errors: {},
		known: {servers: [], environments: [], compute: compute.value?.items},
		before: undefined,
		width: 62,
	}).join('\n');
	expect(plain(text)).toContain('! You filtered eu-1 or Eu-1; the service picks the region.');
	// The text is painted as a warning, not as an error.
	expect(text).toContain(paint('busy', '! You filtered eu-1 or Eu-1; the service picks the region.'));
	expect(plain(text)).toContain('2.00/h   48/day');
});
