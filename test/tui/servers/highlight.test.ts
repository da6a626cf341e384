import {expect, test} from 'vitest';
import {highlightedAt} from '../../../src/tui/servers/highlight.ts';
import {shownServers} from '../../../src/tui/servers/rows.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {headerLine} from '../../../src/tui/core/frame/header.ts';
import {serverItem, startHostileService, success, type HostileService} from '../../faults/hostile-service.ts';
import {storeOn} from '../../support/store-on.ts';
import {serverList} from '../../../src/tui/servers/servers.ts';
import {listViews} from '../../../src/tui/core/store/lists.ts';
import {route} from '../../../src/tui/core/store/route.ts';

type Told = string | readonly [name: string, status: string];
const tell = (service: HostileService, ...servers: readonly Told[]): void =>
	service.answer({
		servers: () =>
			success({
				servers: servers.map(each =>
					typeof each === 'string' ? serverItem(each) : serverItem(each[0], {status: each[1]}),
				),
			}),
	});
const highlighted = (store: Store): string | undefined =>
	shownServers(store.getState())[highlightedAt(store.getState())]?.name;
/**
 * Name of the highlighted server, which must also be the server in the header and the target of the
 * panes' keys.
 */
const meant = (store: Store): string | undefined => {
	const {current} = store.getState();
	expect(current ?? undefined).toBe(highlighted(store));
	if (current !== null) expect(headerLine(store.getState(), 160)).toContain(current);
	return current ?? undefined;
};
const rental = {listed: null, rate: 1, quoted: 1, since: 0, ranBefore: false};

test('the highlighted server is the one that keys act on: from the first list on, through refreshes in another order, and when rows come and go', async () => {
	await using service = await startHostileService();
	const store = storeOn(service.baseUrl);
	tell(service, ['old', 'offline'], 'ready-one', ['other', 'offline']);
	await serverList(store.getState).refreshServers();
	expect(meant(store)).toBe('ready-one');
	for (const order of [
		['ready-one', 'other', 'old'],
		['other', 'old', 'ready-one'],
		['new', 'other', 'ready-one', 'old'],
	]) {
		tell(service, ...order);
		await serverList(store.getState).refreshServers();
		expect(meant(store)).toBe('ready-one');
	}
	listViews(store.getState).changeList('servers', {cursor: 'other', at: 1});
	expect(meant(store)).toBe('other');
	listViews(store.getState).changeList('servers', {sort: {key: 'name', direction: 'descending'}});
	expect(meant(store)).toBe('other');
	tell(service, 'new', 'ready-one', 'old');
	await serverList(store.getState).refreshServers();
	expect(meant(store)).not.toBe('other');
	tell(service, 'new', 'other', 'ready-one', 'old');
	await serverList(store.getState).refreshServers();
	expect(meant(store)).toBe('other');
});

test('a filter that hides the highlighted server moves all to the row that is highlighted then, and gives it back', async () => {
	await using service = await startHostileService();
	const store = storeOn(service.baseUrl);
	tell(service, 'alpha', 'beta', 'gamma');
	await serverList(store.getState).refreshServers();
	listViews(store.getState).changeList('servers', {cursor: 'beta', at: 1});
	listViews(store.getState).changeList('servers', {filter: createEditor('mm')});
	expect(meant(store)).toBe('gamma');
	listViews(store.getState).changeList('servers', {filter: createEditor('')});
	expect(meant(store)).toBe('beta');
	// A server that is mentioned elsewhere is opened even if the filter hides it.
	listViews(store.getState).changeList('servers', {filter: createEditor('mm')});
	route(store.getState).chooseServer('alpha', 'repl');
	expect(store.getState()).toMatchObject({current: 'alpha', screen: 'repl'});
});

test('on a pane only a key changes the server: not a refresh, and not a server whose form was left before its answer came', async () => {
	await using service = await startHostileService();
	const store = storeOn(service.baseUrl);
	tell(service, 'alpha', 'beta');
	await serverList(store.getState).refreshServers();
	route(store.getState).chooseServer('beta', 'repl');
	tell(service, 'gamma', 'alpha');
	await serverList(store.getState).refreshServers();
	serverList(store.getState).awaitServer('late', rental, false);
	expect(store.getState()).toMatchObject({current: 'beta', screen: 'repl'});
	route(store.getState).go('servers');
	expect(meant(store)).not.toBe('late');
});

test('a server that was made just now is meant at once, with no other highlighted, and has the cursor when it is listed', async () => {
	await using service = await startHostileService();
	const store = storeOn(service.baseUrl);
	tell(service, 'alpha', 'beta');
	await serverList(store.getState).refreshServers();
	serverList(store.getState).awaitServer('trainer', rental, true);
	expect(store.getState().current).toBe('trainer');
	expect(highlighted(store)).toBeUndefined();
	tell(service, ['alpha', 'ready'], ['trainer', 'spawning'], 'beta');
	await serverList(store.getState).refreshServers();
	expect(meant(store)).toBe('trainer');
});
