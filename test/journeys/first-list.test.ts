import {expect, test} from 'vitest';
import {
	serverItem,
	startedServer,
	startHostileService,
	success,
	type Answer,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

/** A service whose list of servers arrives when `tell` is called. */
const slowList = async () => {
	const list = Promise.withResolvers<Answer>();
	const service = await startHostileService({servers: () => list.promise});
	return {service, tell: (answer: Answer) => list.resolve(answer)};
};
const listed = (status: string) =>
	success({servers: [serverItem('welcome', {status}), serverItem('other', {status: 'offline'})]});

test('keys pressed before the first list wait for it and act in order; until then unknown data is marked so', async () => {
	const {service, tell} = await slowList();
	await using _ = service;
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until('asking …');
	expect(terminal.screen()).not.toMatch(/no server|ready|0\.00/);
	expect(terminal.line(0)).not.toContain('●');
	pressAction(terminal, 'servers', 'start');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until('Waiting for the list of servers');
	tell(listed('offline'));
	await terminal.until(/welcome is starting/);
	expect(service.asked.filter(line => line.startsWith('POST'))).toEqual(['POST /api/servers/welcome/start']);
});

test('on a local service s, y typed at once starts welcome', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until('asking …');
	terminal.type('sy');
	await terminal.until(/welcome \S ready/);
});

test(
	'waiting keys are dropped, with a notice, when the list fails and when they are cancelled',
	{tags: 'long'},
	async () => {
		const {service, tell} = await slowList();
		await using _ = service;
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until('asking …');
		pressAction(terminal, 'servers', 'start');
		pressAction(terminal, 'global', 'back');
		await terminal.until('A key was discarded: cancelled');
		pressAction(terminal, 'servers', 'start');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('Waiting for the list of servers');
		tell({status: 500, body: '{}'});
		await terminal.until('2 keys were discarded: the list of servers did not arrive');
		expect(terminal.screen()).not.toMatch(/0\.00|●/);
		service.answer({servers: () => listed('offline')});
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(/▸ welcome +\S offline/);
		expect(terminal.screen()).not.toContain('Start welcome?');
		expect(service.asked.some(line => line.startsWith('POST'))).toBe(false);
	},
);

test('code typed for a server that turns out to be offline becomes no keys', {tags: 'long'}, async () => {
	const {service, tell} = await slowList();
	await using _ = service;
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['open', 'welcome', 'repl'], env: service.env});
	await terminal.until('asking the service about welcome');
	terminal.type('sys');
	tell(listed('offline'));
	await terminal.until('3 keys were discarded: welcome is not ready');
	expect(terminal.screen()).not.toContain('Start welcome?');
});

test('code typed for a server that turns out to be ready runs there', {tags: 'long'}, async () => {
	const {service, tell} = await slowList();
	await using _ = service;
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['open', 'welcome', 'repl'], env: service.env});
	await terminal.until('asking the service about welcome');
	terminal.type('1+q\r');
	tell(listed('ready'));
	await terminal.until(/\[1\] +1\+q[^]*printed/);
});

/** A service whose server is starting until `finish` is called. */
const slowStart = async () => {
	let status = 'offline';
	const service = await startHostileService({
		servers: () => listed(status),
		start() {
			status = 'warming up';
			return success(startedServer('welcome'));
		},
	});
	return {
		service,
		finish(next: string) {
			status = next;
		},
	};
};

test(
	'code typed while its server is starting waits for it and runs there, and nothing of it is a key',
	{tags: 'long'},
	async () => {
		const {service, finish} = await slowStart();
		await using _ = service;
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/▸ welcome +\S offline/);
		pressAction(terminal, 'servers', 'start');
		await terminal.until('Start welcome?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/welcome \S warming up/);
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('Opens automatically when ready.');
		expect(terminal.screen()).not.toMatch(/: command|^ \? help/m);
		terminal.type('1+q\r');
		await terminal.until('Waiting until welcome is ready');
		finish('ready');
		pressAction(terminal, 'anywhere', 'servers');
		await terminal.until(/welcome \S ready/);
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until(/\[1\] +1\+q[^]*printed/);
	},
);

test('text typed for a server whose start fails is dropped, with a notice', {tags: 'long'}, async () => {
	const {service, finish} = await slowStart();
	await using _ = service;
	finish('warming up');
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['open', 'welcome', 'repl'], env: service.env});
	await terminal.until('Opens automatically when ready.');
	terminal.type('sys');
	await terminal.until('Waiting until welcome is ready');
	finish('offline');
	await terminal.until('3 keys were discarded: welcome is not ready');
	expect(terminal.screen()).not.toContain('Start welcome?');
	expect(service.asked.some(line => line.startsWith('POST'))).toBe(false);
});

test('a pane without a text field keeps its page keys while its server is starting', async () => {
	const {service, finish} = await slowStart();
	await using _ = service;
	finish('warming up');
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['open', 'welcome', 'files'], env: service.env});
	await terminal.until('Opens automatically when ready.');
	pressAction(terminal, 'global', 'servers');
	await terminal.until(/▸ welcome +\S warming up/);
});
