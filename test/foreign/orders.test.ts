import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Store} from '../../src/tui/core/program.ts';
import {askToStart} from '../../src/tui/servers/ask-to-start.ts';
import {newForm} from '../../src/tui/servers/create/form.ts';
import {findServer, serverList} from '../../src/tui/servers/servers.ts';
import {
	computeOption,
	serverItem,
	startHostileService,
	startedServer,
	success,
	type Answer,
	type HostileService,
} from '../faults/hostile-service.ts';
import {openMcp} from '../support/mcp-client.ts';
import {newHome} from '../support/program.ts';
import {storeOn} from '../support/store-on.ts';
import {runHere, type Ran} from './run-in-process.ts';
import {catalogue} from '../../src/tui/compute/catalogue.ts';
import {route} from '../../src/tui/core/store/route.ts';
import {renting} from '../../src/tui/servers/create/submit.ts';

let service: HostileService;
beforeAll(async () => {
	service = await startHostileService({
		compute: () => success({compute: []}),
		environments: () => success({environments: []}),
	});
});
afterAll(async () => service[Symbol.asyncDispose]());

const run = async (...args: readonly string[]): Promise<Ran> =>
	runHere(args, {baseUrl: service.baseUrl, apiKey: 'key-of-the-orders'});

/**
 * The service responds with `order` to requests that create or start a server. From the first such
 * request on, its list contains the server `listed`. Before that, the list has the server as
 * stopped if `isThere`, else not at all.
 */
const answers = (order: Answer, listed: object, {isThere}: {readonly isThere: boolean}): void => {
	let orders = 0;
	const take = (): Answer => {
		orders++;
		return order;
	};
	service.answer({
		create: take,
		start: take,
		servers: () =>
			success({servers: orders === 0 ? (isThere ? [{...listed, status: 'stopped'}] : []) : [listed]}),
	});
};

/**
 * Store of the screens, connected to this service. After a request, which is answered with
 * `orders`, the server is in the list.
 */
const screens = async ({isThere}: {readonly isThere: boolean}): Promise<Store> => {
	const store = storeOn(service.baseUrl);
	store.setState({isLocal: false});
	await serverList(store.getState).refreshServers();
	await catalogue(store.getState).refreshCompute();
	if (!isThere)
		route(store.getState).openDialog({
			kind: 'create',
			form: {...newForm({name: 'trainer', environment: 'ai', compute: 'svc-medium'}), at: 'review'},
		});
	else expect(askToStart(store.getState, findServer(store.getState(), 'trainer'))).toBeUndefined();
	return store;
};

const CREATE = ['server', 'create', 'trainer', '--environment', 'ai', '--compute', 'svc-medium'];
const START = ['server', 'start', 'trainer'];

/** Responses, and the fields that each contains. */
const ANSWERS: readonly (readonly [what: string, answer: Answer, sent: object])[] = [
	['204', {status: 204, body: ''}, {}],
	['200 with nothing', {body: ''}, {}],
	['202 with nothing', {status: 202, type: 'text/plain', body: ''}, {}],
	['{}', {body: '{}'}, {}],
	['null', {body: 'null'}, {}],
	['a list', {body: '[]'}, {}],
	['only a status', {body: '{"status":"success"}'}, {status: 'success'}],
	['the state that it is in', {status: 202, body: '{"status":"Starting"}'}, {status: 'Starting'}],
	['that it was created', {status: 202, body: '{"status":"created"}'}, {status: 'created'}],
	['that it was accepted', {status: 202, body: '{"status":"accepted"}'}, {status: 'accepted'}],
	['text', {type: 'text/plain', body: 'this is not JSON'}, {}],
	['text that is named JSON', {status: 202, body: 'OK'}, {}],
	['JSON that breaks off', {body: '{"server_name":"tra'}, {}],
	[
		'fields of other kinds',
		{body: '{"environment":null,"port":"8888","hourly_rate":2.490,"id":9007199254740993}'},
		{environment: null, port: '8888', hourly_rate: 2.49, id: 9_007_199_254_740_992},
	],
];
const ITEM = {name: 'trainer', status: 'running', url: 'https://lab.example/u/trainer/', port: '8888'};

test.each(ANSWERS)(
	'create and start with the response %s name the server, and --json has the original data',
	async (_, answer, sent) => {
		for (const [args, isThere] of [
			[CREATE, false],
			[START, true],
		] as const) {
			answers(answer, ITEM, {isThere});
			expect(await run(...args)).toMatchObject({
				code: 0,
				stdout: expect.stringMatching(/^trainer is starting(, 2\.49\/h)?\n$/),
				stderr: '',
			});
			answers(answer, ITEM, {isThere});
			const json = await run(...args, '--json');
			expect(JSON.parse(json.stdout)).toEqual({...sent, server_name: 'trainer'});
			if ('id' in sent) expect(json.stdout).toMatch(/"hourly_rate": 2\.490,\n.*"id": 9007199254740993,/);

			answers(answer, ITEM, {isThere});
			expect(await run(...args, '--wait')).toMatchObject({
				code: 0,
				stdout: expect.stringMatching(
					/^trainer is running(, 2\.49\/h)?, https:\/\/lab\.example\/u\/trainer\/\n$/,
				),
			});
			answers(answer, ITEM, {isThere});
			const waited = await run(...args, '--wait', '--json');
			expect(JSON.parse(waited.stdout)).toEqual({...sent, server_name: 'trainer', ...ITEM});
			if ('id' in sent) expect(waited.stdout).toContain('"id": 9007199254740993');
		}
	},
);

test.each(ANSWERS)('the screens wait for a server whose order was answered with %s', async (_, answer) => {
	for (const isThere of [false, true]) {
		answers(answer, ITEM, {isThere});
		const store = await screens({isThere});
		await renting(store.getState).rent();
		const {dialogs, awaited, current, notice} = store.getState();
		expect(dialogs).toEqual([]);
		expect(notice?.text).toMatch(/^trainer is starting(, 2\.49\/h)?$/);
		expect(awaited.has('trainer')).toBe(true);
		expect(current).toBe('trainer');
		await serverList(store.getState).refreshServers();
		expect(findServer(store.getState(), 'trainer')?.status).toBe('running');
	}
});

test('an assistant that creates and starts servers gets their names and states, from any response', async () => {
	await using home = await newHome();
	await using mcp = await openMcp({
		home,
		env: service.env,
		args: ['--allow', 'run,spend', '--max-price', '1'],
		answer: () => ({action: 'accept', content: {confirm: true}}),
	});
	service.answer({compute: () => success({compute: [computeOption('free', {hourly_price: 0})]})});
	const item = {...ITEM, server_request: 'cloud-free', environment: 'ai', port: 8888};
	for (const [what, answer, sent] of ANSWERS) {
		for (const wait_seconds of [0, 10]) {
			const told = {
				isError: false,
				value: {
					server: 'trainer',
					status: wait_seconds === 0 ? 'starting' : 'running',
					hourly_rate: 'hourly_rate' in sent ? sent.hourly_rate : null,
				},
			};
			answers(answer, item, {isThere: false});
			expect(
				await mcp.call('create_server', {
					name: 'trainer',
					environment: 'ai',
					compute: 'cloud-free',
					wait_seconds,
				}),
				what,
			).toMatchObject(told);
			answers(answer, item, {isThere: true});
			expect(await mcp.call('start_server', {server: 'trainer', wait_seconds}), what).toMatchObject(told);
		}
	}
});

test.each([
	['a page to log in', {type: 'text/html', body: '<html>Log in</html>'}, 'sent a web page instead of JSON'],
	['a text that objects', {type: 'text/plain', body: 'Error: no quota'}, 'sent something that is not JSON'],
	['a status that objects', {body: '{"status":"failed"}'}, 'with status "failed"'],
])('an order that is answered with %s was not taken', async (_, answer, says) => {
	answers(answer, ITEM, {isThere: true});
	const ran = await run(...START);
	expect(ran.stderr).toContain(says);
	expect(ran).toMatchObject({code: 1, stdout: ''});
});

test('create --wait prints the addresses and the token of the list, not those of the answer', async () => {
	const pending = success(startedServer('trainer', {port_forward_url: 'pending', url: null, token: null}));
	const listed = serverItem('trainer', {url: 'https://lab.example/t/', token: 'tok-of-the-list'});
	answers(pending, listed, {isThere: false});
	expect((await run(...CREATE, '--wait')).stdout).toBe('trainer is ready, 2.49/h, https://lab.example/t/\n');
	answers(pending, listed, {isThere: false});
	expect(JSON.parse((await run(...CREATE, '--json')).stdout)).toMatchObject({port_forward_url: 'pending'});
	answers(pending, listed, {isThere: false});
	expect(JSON.parse((await run(...CREATE, '--wait', '--json')).stdout)).toEqual({
		...startedServer('trainer'),
		...listed,
	});
});

test('a server that the service creates under another name is waited for, and shown, by that name', async () => {
	const answer = success(startedServer('trainer-1', {hourly_rate: 2.49}));
	const listed = serverItem('trainer-1', {url: 'https://lab.example/t/'});
	answers(answer, listed, {isThere: false});
	expect(await run(...CREATE, '--wait')).toMatchObject({
		code: 0,
		stdout: 'trainer-1 is ready, 2.49/h, https://lab.example/t/\n',
	});
	answers(answer, listed, {isThere: false});
	const store = await screens({isThere: false});
	await renting(store.getState).rent();
	expect(store.getState()).toMatchObject({
		awaited: new Map([['trainer-1', {}]]),
		current: 'trainer-1',
		notice: {text: 'trainer-1 is starting, 2.49/h'},
	});
	await serverList(store.getState).refreshServers();
	expect(store.getState().awaited.size).toBe(0);
});

test('a server that is waited for is printed as the list has it', async () => {
	for (const item of [
		{name: 'trainer', status: 'READY'},
		{server_name: 'trainer', status: 'up', port: null},
	]) {
		service.answer({servers: () => success({servers: [item]})});
		for (const args of [
			['server', 'wait', 'trainer'],
			[...START, '--wait'],
		])
			expect(JSON.parse((await run(...args, '--json')).stdout)).toEqual({name: 'trainer', ...item});
	}
});
