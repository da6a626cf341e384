import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	json,
	serverItem,
	startHostileService,
	startedServer,
	success,
	type HostileService,
} from '../faults/hostile-service.ts';
import {openMcp} from '../support/mcp-client.ts';
import {newHome} from '../support/program.ts';
import {runHere, type Ran} from './run-in-process.ts';

let service: HostileService;
beforeAll(async () => {
	service = await startHostileService({
		compute: () => success({compute: []}),
		environments: () => success({environments: []}),
		run: () =>
			success({
				content: {
					cell_type: 'code',
					execution_count: 1,
					metadata: {},
					source: '1',
					outputs: [{output_type: 'stream', name: 'stdout', text: 'it runs\n'}],
				},
			}),
	});
});
afterAll(async () => service[Symbol.asyncDispose]());

const run = async (...args: readonly string[]): Promise<Ran> =>
	runHere(args, {baseUrl: service.baseUrl, apiKey: 'key-of-the-states'});

/**
 * The server has the first state until it is started. Then each poll returns the next state; the
 * last one repeats.
 */
const goes = (first: unknown, ...later: readonly unknown[]): {starts(): number} => {
	let starts = 0;
	let polls = 0;
	service.answer({
		servers: () => {
			const status = starts === 0 ? first : later[Math.min(polls++, later.length - 1)];
			return success({servers: [serverItem('trainer', {status})]});
		},
		start: () => {
			starts++;
			return success(startedServer('trainer'));
		},
	});
	return {starts: () => starts};
};

test.each([
	'running',
	'busy',
	'READY',
	'',
	null,
	7,
	'stopped',
	'STOPPED',
	'failed',
	'hibernated',
	'starting',
	'offline',
	'ready',
])('a start is sent in any state, here %j, and code runs', async state => {
	const order = goes(state, state);
	expect(await run('server', 'start', 'trainer')).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('trainer is starting'),
	});
	expect(order.starts()).toBe(1);
	expect(await run('run', 'trainer', '-c', '1')).toMatchObject({code: 0, stdout: 'it runs\n'});
});

test('a start that the service refuses is reported in its words, in any state', async () => {
	goes('hibernated');
	service.answer({start: () => json({message: 'thaw it at the console'}, 409)});
	for (const more of [[], ['--wait']])
		expect(await run('server', 'start', 'trainer', ...more)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('thaw it at the console'),
		});
});

test.each([
	['FAILED', 'ready', 1],
	['', 'ready', 1],
	['running', 'running', 0],
	['READY', 'READY', 0],
])('start --wait from %j ends in %j, and sends %i starts', async (first, last, sent) => {
	const order = goes(first, last);
	expect(await run('server', 'start', 'trainer', '--wait')).toMatchObject({
		code: 0,
		stdout: expect.stringContaining(`trainer is ${last}, `),
	});
	expect(order.starts()).toBe(sent);
});

test.each([
	['stopped', 'failed', /"trainer" did not become ready: it is failed\./],
	['hibernated', 'OFFLINE', /"trainer" did not become ready: it is OFFLINE\./],
])('start --wait from %j that continues to %j fails at once', async (first, last, says) => {
	goes(first, 'spawning', last);
	expect(await run('server', 'start', 'trainer', '--wait')).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(says),
	});
});

test('a wait for an unknown state names the way to try the server', async () => {
	goes('状態');
	expect(await run('server', 'wait', 'trainer', '--timeout', '0.1')).toEqual({
		code: 5,
		stdout: '',
		stderr:
			'"trainer" is not ready after 0.1 s: its state is "状態".\nsvc-tui run trainer -c 1 tries it anyway.\n',
	});
	goes(null);
	expect((await run('server', 'wait', 'trainer', '--timeout', '0.1')).stderr).toContain(
		'the service does not report its state',
	);
});

test('a state that may mean an end hides no reason, and the server can still be tried', async () => {
	goes('FAILED');
	service.answer({file: () => json({message: 'no such file'}, 404)});
	const {code, stderr} = await run('files', 'get', 'trainer', 'a.txt');
	expect(code).toBe(3);
	expect(stderr).toMatch(
		/no such file\.\n"trainer" is FAILED\. If that is why, start it: svc-tui server start/,
	);
	expect((await run('run', 'trainer', '-c', '1')).stdout).toBe('it runs\n');
	await using home = await newHome();
	await using mcp = await openMcp({home, env: service.env, args: ['--allow', 'run']});
	expect(await mcp.call('run_code', {server: 'trainer', code: '1'})).toMatchObject({isError: false});
});

test("a stopped server cannot be stopped, which is reported with the service's own state", async () => {
	goes('STOPPED');
	expect(await run('server', 'stop', 'trainer')).toMatchObject({
		code: 0,
		stdout: 'trainer is already STOPPED.\n',
	});
	expect(JSON.parse((await run('server', 'stop', 'trainer', '--json')).stdout)).toEqual({
		server_name: 'trainer',
		status: 'STOPPED',
	});
});

test('start --wait prints the list after the wait, not the response to the request', async () => {
	goes('stopped', 'Running');
	expect(await run('server', 'start', 'trainer', '--wait')).toMatchObject({
		code: 0,
		stdout: 'trainer is Running, 2.49/h, https://lab.example/user/u/x/\n',
	});
	goes('stopped', 'ready');
	service.answer({start: () => success(startedServer('trainer', {port_forward_url: 'pending'}))});
	expect(JSON.parse((await run('server', 'start', 'trainer', '--json')).stdout)).toMatchObject({
		port_forward_url: 'pending',
	});
	goes('stopped', 'ready');
	expect(JSON.parse((await run('server', 'start', 'trainer', '--wait', '--json')).stdout)).toMatchObject({
		server_name: 'trainer',
		status: 'ready',
		port_forward_url: 'https://forward.example',
		hourly_rate: 2.49,
	});
});

test('an empty response is reported with the requested name', async () => {
	for (const answer of [{status: 204, body: ''}, {body: '{}'}, {body: '{"status":"success"}'}]) {
		goes('stopped', 'ready');
		service.answer({start: () => answer});
		expect(await run('server', 'start', 'trainer')).toMatchObject({code: 0, stdout: 'trainer is starting\n'});
	}
});
