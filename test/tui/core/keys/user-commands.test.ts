import {afterEach, expect, test} from 'vitest';
import '../../../../src/tui/feature-list.ts';
import {everyAction, everyKey} from '../../../../src/tui/core/keys/actions.ts';
import {keyTable} from '../../../../src/tui/core/keys/key-table.ts';
import {fillOwnCommands, keysOfOwn, readUserCommands} from '../../../../src/tui/core/keys/user-commands.ts';
import {readKeys} from '../../../../src/tui/core/keys/rebind.ts';
import {runAction} from '../../../support/run-action.ts';
import {serverItem, startHostileService, success} from '../../../faults/hostile-service.ts';
import {storeOn} from '../../../support/store-on.ts';
import {serverList} from '../../../../src/tui/servers/servers.ts';
import {route} from '../../../../src/tui/core/store/route.ts';

afterEach(() => fillOwnCommands([]));

/** The user's commands as the screens parse them. */
const own = (wanted: Readonly<Record<string, unknown>>) => {
	const commands = readUserCommands(wanted);
	fillOwnCommands(commands);
	return {commands, ...readKeys(keysOfOwn(commands))};
};

test("a command of the user's own has its key everywhere, and is in palette, help and the table of keys", () => {
	const {rebound, problems} = own({
		gpu: {run: '!nvidia-smi', key: 'ctrl+g'},
		esc: {run: 'print("\u001b[2J\u202e")\nprint(2)'},
	});
	expect(problems).toEqual([]);
	const {getState} = storeOn('http://127.0.0.1:9', {rebound});
	const gpu = {scope: 'own', binding: {action: 'gpu', keys: ['ctrl+g'], label: 'gpu: !nvidia-smi'}};
	expect(everyAction(getState())).toContainEqual(
		expect.objectContaining({...gpu, binding: expect.objectContaining(gpu.binding)}),
	);
	expect(everyKey(getState()).filter(({scope}) => scope === 'own')).toMatchObject([{...gpu, isHere: true}]);
	expect(keyTable(rebound)).toMatch(/^ {2}Ctrl\+g +own\.gpu +gpu: !nvidia-smi \(your keys\)$/m);
	expect(keyTable(rebound)).not.toMatch(/[\u001b\u202e]/);
	const readOnly = {...getState(), readOnly: true};
	expect(everyAction(readOnly).filter(({scope}) => scope === 'own')).toEqual([]);
});

test.each([
	['ctrl+p', '"ctrl+p" is also the key of anywhere.palette (find anything); give one of them another key'],
	['ctrl+x', /^"ctrl\+x" is also a part of "ctrl\+x /],
	['g', '"g" would be typed as text there; use one with ctrl+ or alt+'],
	['f5', '"f5" does not reach the program: choose a key that is not a function key'],
	['ctrl+shift', /is not a key: write one character/],
])('the key %s is refused, with the reason', (key, message) => {
	const {problems, rebound} = own({gpu: {run: '1', key}});
	expect(problems).toEqual([
		{entry: 'own.gpu', message: typeof message === 'string' ? message : expect.stringMatching(message)},
	]);
	expect(rebound).toEqual({});
});

test('two commands do not share a key', () => {
	const {problems} = own({a: {run: '1', key: 'ctrl+g'}, b: {run: '2', key: 'ctrl+g'}});
	expect(problems).toMatchObject([
		{entry: 'own.b', message: expect.stringContaining('is also the key of own.a (a: 1)')},
	]);
});

test('it runs on the current server as a cell, and on none that is not ready', async () => {
	const ran: string[] = [];
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('lab'), serverItem('old', {status: 'offline'})]}),
		run({server, body}) {
			ran.push(`${server} ${(JSON.parse(body) as {code: string}).code}`);
			return success({
				content: {cell_type: 'code', execution_count: 1, metadata: {}, source: '', outputs: []},
			});
		},
	});
	const {commands} = own({gpu: {run: '!nvidia-smi', key: 'ctrl+g'}});
	const {getState} = storeOn(service.baseUrl, {
		ownCommands: new Map(commands.map(({name, run}) => [name, run])),
	});
	const press = () => runAction(getState, 'own', 'gpu');
	expect(press()).toBe('Choose a server first');
	await serverList(getState).refreshServers();
	route(getState).chooseServer('old', 'servers');
	expect(press()).toBe('old is not ready, so gpu was not run: s starts it');
	route(getState).chooseServer('lab', 'servers');
	expect(press()).toBe(undefined);
	expect(getState()).toMatchObject({screen: 'repl', current: 'lab'});
	await expect.poll(() => ran).toEqual(['lab !nvidia-smi']);
});
