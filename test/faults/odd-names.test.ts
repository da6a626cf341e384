// @module-tag long
import {afterAll, beforeAll, expect, test} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {beginning} from './columns.ts';
import {serverItem, startedServer, startHostileService, success} from './hostile-service.ts';
import {openWatched, screenOf, textOf} from './watched-screen.ts';

/**
 * Names that would refer to something else if they were inserted into a URL unescaped. Each must be
 * sent as a single escaped path segment, or not at all.
 */
const ODD: readonly string[] = [
	'..',
	'.',
	'a/b',
	'../../admin',
	'__proto__',
	'constructor',
	'a?b=c',
	'a#b',
	'a\\b',
	'%2e%2e',
	'a%2Fb',
	' ',
	'a;b',
	'a:b@c',
	'//evil.example/x',
	'http://evil.example/',
	'x'.repeat(5000),
	'half \uD83D',
	'\u0000',
	'\n',
];
/** Names that cannot be part of a URL. */
const NAMELESS: ReadonlySet<string> = new Set(['..', '.', 'half \uD83D']);
const REFUSAL = /cannot be part of an\s+address|contains an invalid character/;

const LONG = 5000;
const addressesOf = (name: string): readonly string[] => {
	const segment = NAMELESS.has(name) ? undefined : encodeURIComponent(name);
	return segment === undefined
		? []
		: [
				`POST /api/servers/${segment}/start`,
				`GET /api/servers/${segment}/files/`,
				`POST /api/servers/${segment}/run-code`,
				`POST /api/assistant/${segment}/model_2`,
			];
};
const LISTS = ['GET /api/servers', 'GET /api/compute', 'GET /api/environments'];

const title = (name: string): string => (name.length >= LONG ? 'of 5000 letters' : JSON.stringify(name));

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

/** Text of the row with the cursor. */
const selected = (frame: readonly (readonly string[])[]): string =>
	textOf(frame.find(cells => cells[1] === '▸') ?? []);

/** Requests except those for the lists. */
const askedOf = (asked: readonly string[]): readonly string[] =>
	[...new Set(asked)].filter(line => !LISTS.includes(line)).sort();

test(`${ODD.length} names such as .., a/b and __proto__ are shown as they are, and on every screen nothing but a server's own address is asked`, async () => {
	const started = new Set<string>();
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: ODD.map(name => serverItem(name, {status: started.has(name) ? 'ready' : 'offline'})),
			}),
		start({server}) {
			started.add(server);
			return success(startedServer(server));
		},
	});
	await using screen = await openWatched(service, {columns: 96, rows: 30});
	const {terminal} = screen;
	await screen.shows(` Servers ${ODD.length} `);
	for (const name of ODD) {
		const refused = NAMELESS.has(name);
		await screen.sees(frame => expect(selected(frame)).toContain(beginning(label(name), 20)));
		pressAction(terminal, 'servers', 'start');
		await screen.shows('y Start');
		pressAction(terminal, 'confirm', 'yes');
		if (refused) {
			await screen.shows(REFUSAL);
			pressAction(terminal, 'review', 'cancel');
		}
		await terminal.gone('╭');
		// This server cannot be started. Only a service with wrong data would report it as ready.
		started.add(name);
		pressAction(terminal, 'global', 'refresh');
		await screen.sees(frame => expect(selected(frame)).toContain('● ready'));
		pressAction(terminal, 'servers', 'open');
		await screen.shows(refused ? REFUSAL : 'plain.txt');
		pressAction(terminal, 'anywhere', 'repl');
		await screen.shows('esc read the cells');
		terminal.type('1');
		pressAction(terminal, 'repl', 'run');
		await screen.shows(refused ? REFUSAL : 'printed');
		pressAction(terminal, 'anywhere', 'assistant');
		await screen.shows('esc read the answers');
		terminal.type('1');
		pressAction(terminal, 'assistant', 'send');
		await screen.shows(refused ? REFUSAL : 'an answer');
		expect(screenOf(await screen.frame())).toContain(
			`Assistant · ${beginning(label(name, 40), 30)}`.trimEnd(),
		);
		pressAction(terminal, 'anywhere', 'servers');
		await screen.shows(` Servers ${ODD.length} `);
		pressAction(terminal, 'servers', 'down');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
	expect(askedOf(service.asked)).toEqual(ODD.flatMap(addressesOf).sort());
});

test.each(
	['..', '.', 'a/b', '../../admin', '__proto__', 'a?b=c', '//evil.example/x', 'x'.repeat(LONG)].map(
		name => [title(name), name] as const,
	),
)('a command for a server named %s asks nothing but its own address', async (_, name) => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem(name, {status: 'offline'})]}),
	});
	for (const [words, more, input] of [
		[['server', 'start'], [], ''],
		[['files', 'list'], [], ''],
		[['run'], ['-'], '1'],
		[['chat'], ['question'], ''],
	] as const) {
		const {code, stderr} = await runHere([...words, '--', name, ...more], {home, env: service.env, input});
		if (NAMELESS.has(name)) expect({code, stderr}).toEqual({code: 2, stderr: expect.stringMatching(REFUSAL)});
		else expect({code, stderr}).toEqual({code: 0, stderr: ''});
	}
	expect(service.strays).toEqual([]);
	expect(askedOf(service.asked)).toEqual([...addressesOf(name)].sort());
});

test('a server with an empty name is reported as unreadable, and no request is sent for it', async () => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('', {status: 'ready'})]}),
	});
	const {stdout, stderr} = await runHere(['servers'], {home, env: service.env});
	expect(stdout + stderr).toMatch(/cannot be read|could not be read|unreadable/);
	expect(await runHere(['server', 'start', '--', ''], {home, env: service.env})).toMatchObject({code: 3});
	expect(askedOf(service.asked)).toEqual([]);
	expect(service.strays).toEqual([]);
});
