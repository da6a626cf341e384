import {expect, test} from 'vitest';
import {cardLines, cardTitle} from '../../../../src/tui/servers/create/card.ts';
import {cardForm, copyForm, type CreateForm} from '../../../../src/tui/servers/create/form.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import {catalogue} from '../../../../src/tui/compute/catalogue.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {serverList} from '../../../../src/tui/servers/servers.ts';
import {computeOption, serverItem, startHostileService, success} from '../../../faults/hostile-service.ts';
import {server} from '../../../support/factories.ts';
import {runAction} from '../../../support/run-action.ts';
import {storeOn} from '../../../support/store-on.ts';

const formOf = (store: Store): CreateForm => {
	const dialog = store.getState().dialogs.at(-1);
	if (dialog?.kind !== 'create') throw new Error('no form is open');
	return dialog.form;
};

test('a name is called available only if the list of servers has loaded', () => {
	const form = cardForm({name: 'trainer', compute: 'cloud-L4'});
	const text = (servers: readonly [] | undefined): string =>
		cardLines({
			...{form, errors: {}, before: undefined, width: 62},
			known: {servers, environments: undefined, compute: []},
		}).join('\n');
	expect(text([])).toMatch(/trainer.*✓ available/);
	expect(text(undefined)).toMatch(/trainer/);
	expect(text(undefined)).not.toContain('available');
});

test('a card with a wrong field is not sent: the key that rents enters the field', async () => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('calm', {environment: ''})]}),
	});
	const store = storeOn(service.baseUrl);
	await serverList(store.getState).refreshServers();
	const {items} = store.getState().servers.value!;
	route(store.getState).openDialog({kind: 'create', form: copyForm({...items[0]!, environment: ''}, items)});
	expect(formOf(store)).toMatchObject({at: 'review', name: 'calm-2'});
	expect(runAction(store.getState, 'review', 'rent')).toBe('Choose an environment');
	expect(formOf(store)).toMatchObject({at: 'environment', returns: true, sending: null});
	expect(service.asked.filter(line => line.startsWith('POST'))).toEqual([]);
});

test('the title of a changed price ends when another option is taken', async () => {
	await using service = await startHostileService({
		compute: () =>
			success({
				compute: ['one', 'two'].map((host, at) =>
					computeOption('H100', {cloud_host: host, compute_id: `${host}-H100x1`, hourly_price: 2 + at}),
				),
			}),
	});
	const store = storeOn(service.baseUrl);
	await catalogue(store.getState).refreshCompute();
	const form = {
		...cardForm({name: 'a', compute: 'two-H100x1'}),
		title: `Rent a server like ${server().name}`,
	};
	route(store.getState).openDialog({kind: 'create', form: {...form, isRequoted: true}});
	expect(cardTitle(formOf(store))).toBe('Price changed since quoted');
	expect(runAction(store.getState, 'review', 'first')).toBeUndefined();
	expect(formOf(store).compute).toBe('one-H100x1');
	expect(cardTitle(formOf(store))).toBe('Rent a server like welcome');
});
