import {afterEach, expect, test} from 'vitest';
import {createClient} from '../../../src/api/client.ts';
import {askToStart} from '../../../src/tui/servers/ask-to-start.ts';
import {isOpen, openServers} from '../../../src/tui/servers/opened.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {json, serverItem, startHostileService, startedServer, success} from '../../faults/hostile-service.ts';
import {ready, server} from '../../support/factories.ts';
import {openScreens} from '../../support/screens.tsx';
import {storeOn} from '../../support/store-on.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {requestLog} from '../../../src/tui/core/store/requests.ts';
import {serverList} from '../../../src/tui/servers/servers.ts';

let open: ReturnType<typeof openScreens> | undefined;
afterEach(() => {
	open?.close();
});

const UNSTATED = ['running', 'busy', 'READY', 'Running', '', 'stopped', 'STOPPED', 'failed', 'hibernated'];
/** The key Ctrl-T. */
const TRY = '\u0014';

/** The sentence is broken at a different word for each state. */
const TRIES = /4[ \n│]+5[ \n│]+6[ \n│]+and[ \n│]+then[ \n│]+\^T[ \n│]+try[ \n│]+it[ \n│]+anyway/;

const PANES = ['files', 'repl', 'assistant'] as const;
/**
 * States, with the panes in which each is tested: the first state in all panes, each other state in
 * one pane, because the same function writes the text of all panes.
 */
const shownIn = UNSTATED.map((status, index) => [status, index === 0 ? PANES : [PANES[index % 3]!]] as const);

test.each(shownIn)(
	'a server in the state %j is shown in it, and can be tried and started',
	async (status, panes) => {
		const name = 'trainer';
		open = openScreens({
			servers: ready([server({name, status})]),
			current: name,
			connection: {status: 'ready'},
			isLocal: false,
		});
		const {store, type, until} = open;
		await until(/trainer/);
		for (const screen of panes) {
			store.setState({tried: new Map()});
			route(store.getState).go(screen);
			const shown = status === '' ? 'in an unknown state' : status;
			const text = await until(/\^T tries anyway/);
			expect(text).toContain(`trainer is ${shown}`);
			expect(text).toMatch(/Press s to start it\./);
			expect(text.trimEnd().split('\n').at(-1)).toMatch(/s start .*\^T try anyway/);
			expect(text).not.toContain('Opens automatically');
			type(TRY);
			await until(/ · trainer|>>>|\^J new line/);
		}
		route(store.getState).go('servers');
		// The user chose to open the server's panes despite its state.
		await until(/4 Files {3}5 REPL {3}6 Ask/);
		store.setState({tried: new Map()});
		await until(TRIES);
		type('s');
		await until(/Start trainer\?/);
	},
);

test('a starting server opens automatically, and can be tried before while text still waits', async () => {
	open = openScreens({
		servers: ready([server({name: 'trainer', status: 'starting'})]),
		current: 'trainer',
		connection: {status: 'ready'},
		isLocal: false,
	});
	const {store, type, until} = open;
	route(store.getState).go('repl');
	const text = await until(/trainer is starting …/);
	expect(text).toMatch(/Opens automatically when ready[^]*\^T tries anyway\./);
	expect(text.trimEnd().split('\n').at(-1)).not.toContain('s start');
	type(TRY);
	await until(/>>>/);
});

test('a server on a host that cannot be reached opens, with the reason for its state beside the list', async () => {
	const reason = 'No connection to lab since 12:04. Its kernel keeps running; trying again.';
	open = openScreens({
		servers: ready([server({name: 'trainer', status: 'unreachable', status_reason: reason})]),
		current: 'trainer',
		tried: new Map([['trainer', 'unreachable']]),
		connection: {status: 'ready'},
		isLocal: true,
	});
	const text = await open.until(/▸ trainer +· unreachable/);
	expect(text).toMatch(/No connection to lab since 12:04\. Its *\n.*│ kernel keeps running; trying again\./);
	expect(text).toContain('4 Files   5 REPL   6 Ask');
});

test('a server of the local service is not offered to be tried, since its states are certain', async () => {
	open = openScreens({
		servers: ready([server({name: 'welcome', status: 'offline'})]),
		current: 'welcome',
		connection: {status: 'ready'},
		isLocal: true,
	});
	route(open.store.getState).go('files');
	const text = await open.until(/welcome is offline/);
	expect(text).not.toContain('anyway');
});

test('a ready server has nothing to start', () => {
	open = openScreens({servers: ready([server({name: 'trainer'})]), connection: {status: 'ready'}});
	expect(askToStart(open.store.getState, server({name: 'trainer'}))).toBe(
		'trainer is ready: there is nothing to start',
	);
	expect(open.store.getState().dialogs).toEqual([]);
});

/**
 * A store on a third-party service whose only server has this state. Its requests are recorded as
 * in the program.
 */
const foreign = async (first: string) => {
	let status = first;
	const service = await startHostileService({
		servers: () => success({servers: [serverItem('trainer', {status})]}),
		compute: () => success({compute: []}),
		environments: () => success({environments: []}),
		create: () => success({}),
		start: () => success(startedServer('trainer')),
		file: () => json({status: 'error', message: 'not now'}, 503),
		upload: () => success({}),
		run: () =>
			success({content: {cell_type: 'code', execution_count: 1, metadata: {}, source: '', outputs: []}}),
		chat: () => success({}),
	});
	const store: Store = storeOn(service.baseUrl, {client: async () => api});
	const api = createClient({
		baseUrl: service.baseUrl,
		apiKey: 'key',
		watch: call => requestLog(store.getState).watchCall(call),
	});
	store.setState({isLocal: false, current: 'trainer'});
	const state = () => store.getState();
	return {
		service,
		api,
		state,
		async becomes(next: string) {
			status = next;
			await serverList(state).refreshServers();
		},
	};
};

test('panes that were tried close when the state changes, unless the server has answered', async () => {
	const {service, api, state, becomes} = await foreign('busy');
	await using _ = service;
	await becomes('busy');
	const opened = () => isOpen(state(), 'trainer');
	expect(opened()).toBe(false);
	openServers(state).tryServer('trainer');
	expect(opened()).toBe(true);
	await api.getFile('trainer', '');
	await becomes('moving');
	expect(opened()).toBe(false);

	openServers(state).tryServer('trainer');
	await api.runCode('trainer', {code: '1', kernel_name: 'python3'});
	await expect.poll(() => state().answering.has('trainer')).toBe(true);
	for (const status of ['running', 'BUSY', '', '状態']) {
		await becomes(status);
		expect(opened(), status).toBe(true);
	}
	for (const status of ['stopping', 'stopped', 'running', 'starting', 'busy']) {
		await becomes(status);
		expect(opened(), status).toBe(false);
	}
});

test('a ready server that gets busy keeps its panes open', async () => {
	const {service, state, becomes} = await foreign('ready');
	await using _ = service;
	await becomes('ready');
	await becomes('busy');
	expect(isOpen(state(), 'trainer')).toBe(true);
	await becomes('offline');
	expect(isOpen(state(), 'trainer')).toBe(false);
});

test.each([
	['running', 'good', 'trainer is running'],
	['READY', 'good', 'trainer is READY'],
	['failed', 'bad', 'trainer did not start; it is failed'],
	['STOPPED', 'bad', 'trainer did not start; it is STOPPED'],
])('the wait for a start from the screens ends in the state %s, with a notice', async (end, kind, text) => {
	const {service, state, becomes} = await foreign('hibernated');
	await using _ = service;
	await becomes('hibernated');
	serverList(state).awaitServer(
		'trainer',
		{listed: null, rate: null, quoted: null, since: Date.now(), ranBefore: false},
		true,
	);
	await becomes('hibernated');
	await becomes('spawning');
	expect([...state().awaited.keys()]).toEqual(['trainer']);
	await becomes(end);
	expect([...state().awaited.keys()]).toEqual([]);
	expect(state().notices.at(-1)).toMatchObject({kind, text});
});

test('an unknown state ends the wait once the server responds', async () => {
	const {service, api, state, becomes} = await foreign('状態');
	await using _ = service;
	await becomes('状態');
	serverList(state).awaitServer(
		'trainer',
		{listed: null, rate: null, quoted: null, since: Date.now(), ranBefore: false},
		true,
	);
	await becomes('状態');
	expect([...state().awaited.keys()]).toEqual(['trainer']);
	await api.runCode('trainer', {code: '1', kernel_name: 'python3'});
	await expect.poll(() => [...state().awaited.keys()]).toEqual([]);
	expect(isOpen(state(), 'trainer')).toBe(true);
});

test('the list is polled often while a server is starting, and seldom when its unknown state stays', async () => {
	let at = 1_000_000;
	let status = 'spawning';
	const service = await startHostileService({
		servers: () => success({servers: [serverItem('trainer', {status})]}),
		...Object.fromEntries(
			(['compute', 'environments', 'create', 'start', 'file', 'upload', 'run', 'chat'] as const).map(
				route => [route, () => success({})] as const,
			),
		),
	} as Parameters<typeof startHostileService>[0]);
	await using _ = service;
	const store = storeOn(service.baseUrl, {now: () => at});
	const ending = new AbortController();
	store.setState({isLocal: false});
	serverList(store.getState).pollServers(ending.signal);
	const pauseIn = async (next: string): Promise<number> => {
		status = next;
		await serverList(store.getState).refreshServers();
		return (store.getState().nextLook ?? 0) - at;
	};
	expect(await pauseIn('spawning')).toBeLessThanOrEqual(5000);
	at += 3_600_000;
	expect(await pauseIn('spawning')).toBeLessThanOrEqual(5000);
	expect(await pauseIn('状態')).toBeLessThanOrEqual(5000);
	at += 3_600_000;
	expect(await pauseIn('状態')).toBeGreaterThan(5000);
	for (const steady of ['running', 'STOPPED', 'ready']) expect(await pauseIn(steady)).toBeGreaterThan(5000);
	ending.abort();
});
