import {afterEach, expect, test, vi} from 'vitest';
import type {Client} from '../../../src/api/client-types.ts';
import type {Failure} from '../../../src/api/failure.ts';
import {catalogue} from '../../../src/tui/compute/catalogue.ts';
import {computeWatch} from '../../../src/tui/compute/watch.ts';
import {environmentList} from '../../../src/tui/environments/environments.ts';
import {newForm} from '../../../src/tui/servers/create/form.ts';
import {json, serverItem, startHostileService, success} from '../../faults/hostile-service.ts';
import {storeOn} from '../../support/store-on.ts';
import {serverList} from '../../../src/tui/servers/servers.ts';
import {route} from '../../../src/tui/core/store/route.ts';

test('a key that is refused in mid-session opens the sign-in once, and only when no field has the keys', async () => {
	await using service = await startHostileService({});
	const accept = (): void => service.answer({servers: () => success({servers: [serverItem('a')]})});
	const refuse = (): void => service.answer({servers: () => json({error: 'revoked'}, 401)});
	const store = storeOn(service.baseUrl);
	store.setState({isLocal: false});
	const {getState: get} = store;
	const opened = (): readonly string[] => get().dialogs.map(({kind}) => kind);
	accept();
	await serverList(get).refreshServers();

	route(get).openDialog({kind: 'create', form: newForm()});
	refuse();
	await serverList(get).refreshServers();
	expect(opened()).toEqual(['create']);
	route(get).closeDialog();
	expect(opened()).toEqual(['sign-in']);
	route(get).closeDialog();
	await serverList(get).refreshServers();
	expect(opened(), 'it was offered, and left').toEqual([]);

	accept();
	await serverList(get).refreshServers();
	route(get).go('repl');
	refuse();
	await serverList(get).refreshServers();
	expect(opened(), 'code is being typed').toEqual([]);
	route(get).go('servers');
	expect(opened()).toEqual(['sign-in']);
});

afterEach(() => {
	vi.useRealTimers();
});

const REFUSED: Failure = {kind: 'auth', method: 'GET', path: '/api', status: 401, message: 'no', curl: ''};
const AWAY: Failure = {...REFUSED, kind: 'server', status: 503};

test.each([
	['a rejected key', REFUSED, false],
	['a failed service', AWAY, true],
] as const)('after %s, the lists ask again: %s', async (_, failure, asksAgain) => {
	vi.useFakeTimers();
	const asked: string[] = [];
	const refuse = (list: string) => async () => {
		asked.push(list);
		return {ok: false, failure} as const;
	};
	const store = storeOn('http://127.0.0.1:9', {
		client: async () =>
			({
				servers: refuse('servers'),
				compute: refuse('compute'),
				environments: refuse('environments'),
			}) as unknown as Client,
	});
	const {getState: get} = store;
	store.setState({isLocal: false});
	using ending = new DisposableStack();
	const polling = new AbortController();
	ending.defer(() => polling.abort());
	computeWatch(get).toggleWatch({model: 'H100', count: 1, regions: []});
	serverList(get).pollServers(polling.signal);
	await catalogue(get).refreshCompute();
	await environmentList(get).refreshEnvironments();
	await vi.advanceTimersByTimeAsync(0);
	expect(asked.toSorted()).toEqual(['compute', 'environments', 'servers']);
	expect(get().dialogs.map(({kind}) => kind)).toEqual(asksAgain ? [] : ['sign-in']);
	// Far beyond the longest pause between two tries.
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(asked.length > 3).toBe(asksAgain);
});
