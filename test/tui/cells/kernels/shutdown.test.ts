// Shutdown of a server, with different reports by the service and the server.
import {expect, test} from 'vitest';
import type {LinkResult, Live, LiveOutcome} from '../../../../src/api/client-types.ts';
import {createClient} from '../../../../src/api/client.ts';
import type {Failure} from '../../../../src/api/failure.ts';
import type {ExecutedCell} from '../../../../src/contract/cells.ts';
import {ready, server} from '../../../support/factories.ts';
import {storeOn} from '../../../support/store-on.ts';
import {
	noShell,
	nothingLeft,
	plainCell,
	unaskedFiles,
	unaskedKernels,
	untold,
} from '../../../support/unasked-link.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {serverShutdown} from '../../../../src/tui/cells/kernels/shutdown.ts';
import {serverList} from '../../../../src/tui/servers/servers.ts';
import {attachedServers} from '../../../../src/tui/servers/attach.ts';
import {replSession} from '../../../../src/tui/repl/session.ts';

const openStore = (failure: Failure | null, linked?: LinkResult) => {
	const state = {status: 'ready', at: 0, ordered: 0, isListed: true, sent: [] as string[], end() {}};
	const live: Live = {
		files: unaskedFiles,
		shell: noShell,
		goOn: nothingLeft,
		kernels: unaskedKernels,
		load: untold,
		async shutDown() {
			state.ordered++;
			// The kernels may end before the server has responded.
			state.end();
			return failure === null ? {ok: true, value: null} : {ok: false, failure};
		},
		run: async code => {
			state.sent.push(code);
			const {promise: ended, resolve} = Promise.withResolvers<LiveOutcome>();
			state.end = () => resolve({kind: 'done'});
			const now = (): ExecutedCell => ({
				cell_type: 'code',
				execution_count: 1,
				metadata: {},
				source: code,
				outputs: [],
			});
			return {ended, now, ...plainCell};
		},
		evaluate: async () => ({end: {kind: 'none'}, life: null}),
		complete: async () => null,
		inspect: async () => null,
		close: () => {},
	};
	const store = storeOn('http://127.0.0.1:9', {
		now: () => state.at,
		client: async () => ({
			...createClient({baseUrl: 'http://127.0.0.1:9', apiKey: 'key'}),
			live: async () => linked ?? {live},
			async detachServer() {
				state.isListed = false;
				return {ok: true, value: null};
			},
			servers: async () => {
				const items = state.isListed ? [server({token: 'one', status: state.status})] : [];
				return {ok: true, value: {items, unreadable: 0, raw: items}};
			},
		}),
	});
	store.setState({servers: ready([server({token: 'one'})]), current: 'welcome'});
	const said = () => store.getState().notices.map(({text}) => text);
	return {store, state, said};
};

test('a server is reported as offline once the list shows it, with an unreported rate as unknown', async () => {
	const {store, state, said} = openStore(null);
	serverShutdown(store.getState).askShutDown('welcome');
	await waitFor(() => expect(store.getState().dialogs.at(-1)?.kind).toBe('shutdown'));
	expect(state.ordered).toBe(0);
	await serverShutdown(store.getState).shutDownServer('welcome');
	await serverList(store.getState).refreshServers();
	expect(said()).toEqual(['welcome is shutting down: the list shows when it is offline']);
	state.status = 'offline';
	await serverList(store.getState).refreshServers();
	expect(said().at(-1)).toBe('welcome is offline: its cost is unknown, its files are kept');
	expect(serverShutdown(store.getState).askShutDown('welcome')).toBe('welcome is offline already');
	await serverList(store.getState).refreshServers();
	expect(said()).toHaveLength(2);
});

test('a server that ends in a state of its service is not reported as free', async () => {
	const {store, state, said} = openStore(null);
	store.setState({
		rentals: new Map([['welcome', {listed: null, rate: 0.5, quoted: null, since: 0, ranBefore: false}]]),
	});
	await serverShutdown(store.getState).shutDownServer('welcome');
	state.status = 'Hibernated';
	await serverList(store.getState).refreshServers();
	expect(said().at(-1)).toBe(
		'welcome is Hibernated: it may still be charged in that state, its files are kept',
	);
});

test('a server still listed after a minute is reported once', async () => {
	const {store, state, said} = openStore(null);
	await serverShutdown(store.getState).shutDownServer('welcome');
	state.at += 61_000;
	await serverList(store.getState).refreshServers();
	await serverList(store.getState).refreshServers();
	expect(said().slice(1)).toEqual([
		'welcome was shut down; the service still lists it as ready: ":addresses" leads to its page',
	]);
});

test('about an unanswered request and a server missing in the list nothing is claimed', async () => {
	const failure: Failure = {
		kind: 'connection-lost',
		method: 'POST',
		path: '/shutdown',
		message: 'No.',
		ambiguous: true,
	};
	const {store, state, said} = openStore(failure);
	await serverShutdown(store.getState).shutDownServer('welcome');
	state.at += 61_000;
	await serverList(store.getState).refreshServers();
	expect(said().at(-1)).toMatch(
		/^welcome was asked to shut down, but did not confirm; the service still lists it as ready/,
	);
	await serverShutdown(store.getState).shutDownServer('welcome');
	state.isListed = false;
	await serverList(store.getState).refreshServers();
	expect(said().at(-1)).not.toMatch(/list/);
	state.at += 61_000;
	await serverList(store.getState).refreshServers();
	expect(said().at(-1)).toMatch(/no longer listed: you may still be charged$/);
});

test('a server removed from the list after its shutdown causes no later notice', async () => {
	const {store, state, said} = openStore(null);
	await serverShutdown(store.getState).shutDownServer('welcome');
	await attachedServers(store.getState).detach('welcome');
	await serverList(store.getState).refreshServers();
	state.at += 61_000;
	await serverList(store.getState).refreshServers();
	expect(said()).toEqual([
		'welcome is shutting down: the list shows when it is offline',
		'welcome was removed from the list. Nothing was stopped there',
	]);
});

test.each([
	['a refusal is the end of it', false, 'welcome was not shut down: No.', 1],
	[
		'an order whose answer was lost may have been carried out: the list says',
		true,
		'welcome may or may not have been shut down: No.',
		2,
	],
])('%s', async (_, ambiguous, told, notices) => {
	const {store, state, said} = openStore({
		kind: ambiguous ? 'connection-lost' : 'refused',
		method: 'POST',
		path: '/shutdown',
		message: 'No.',
		ambiguous,
	});
	await serverShutdown(store.getState).shutDownServer('welcome');
	expect(said()).toEqual([expect.stringContaining(told)]);
	state.status = 'offline';
	await serverList(store.getState).refreshServers();
	expect(said()).toHaveLength(notices);
});

test('without a link it says why, and leads to the page of the server', async () => {
	const {store, state, said} = openStore(null, {says: 'its address is not a Jupyter server'});
	serverShutdown(store.getState).askShutDown('welcome');
	await waitFor(() =>
		expect(store.getState().dialogs.at(-1)).toEqual({kind: 'addresses', server: 'welcome', at: 'url'}),
	);
	expect(said().at(-1)).toBe(
		"The service cannot stop servers, and the server's own address cannot be used: its address is not a Jupyter server. Its web page may offer a shutdown",
	);
	expect(state.ordered).toBe(0);
});

test.each([
	['refused', false, ['running', 'waiting'], 'done'],
	['connection-lost', true, ['running'], 'skipped'],
	[null, false, ['running'], 'skipped'],
] as const)(
	'cells that wait are run when the order is refused, and else not: %s',
	async (kind, ambiguous, sent, end) => {
		const {store, state} = openStore(
			kind === null ? null : {kind, method: 'POST', path: '/shutdown', message: 'No.', ambiguous},
		);
		const cells = () =>
			store
				.getState()
				.repls.get('welcome')
				?.cells.map(each => each.state);
		replSession(store.getState).runCell('welcome', 'running');
		await waitFor(() => expect(state.sent).toEqual(['running']));
		replSession(store.getState).runCell('welcome', 'waiting');
		await serverShutdown(store.getState).shutDownServer('welcome');
		await waitFor(() => {
			expect(state.sent).toEqual(sent);
			state.end();
			expect(cells()).toEqual(['done', end]);
		});
	},
);
