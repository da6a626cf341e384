import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	executedCell,
	json,
	serverItem,
	startHostileService,
	success,
	type Answer,
	type HostileService,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openRepl} from './steps.ts';
import {waitFor} from '../support/wait-for.ts';

const service = async (name: string): Promise<HostileService> =>
	startHostileService({servers: () => success({servers: [serverItem(name)]})});

/** Writes the settings, and a key for each of the profiles `one` and `other`. */
const settle = async (home: Home, settings: object | string): Promise<string> => {
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(join(folder, 'keys'), {recursive: true});
	for (const name of ['one', 'other'])
		await writeFile(join(folder, 'keys', name), `key-of-${name}`, {mode: 0o600});
	const file = join(folder, 'settings.json');
	await writeFile(file, typeof settings === 'string' ? settings : JSON.stringify(settings, null, '\t'));
	return file;
};
const two = (one: HostileService, other: HostileService, more: object = {}) => ({
	profile: 'one',
	profiles: {one: {baseUrl: one.baseUrl}, other: {baseUrl: other.baseUrl, ...more}},
});

const chooseProfile = async (terminal: Terminal, name: string): Promise<void> => {
	pressAction(terminal, 'anywhere', 'profiles');
	await terminal.until(/╭ Profiles[^]*this machine/);
	terminal.type(name);
	await terminal.until(`› ${name}`);
	pressAction(terminal, 'chooser', 'accept');
};

test(
	'a switch of the profile ends what runs for the old one, and its late answers change nothing',
	{tags: 'long'},
	async () => {
		await using one = await service('of-one');
		await using other = await service('of-other');
		await using home = await newHome();
		await settle(home, two(one, other));
		await using terminal = await openProgram({home, columns: 120, rows: 30});
		await terminal.until(/of-one \S ready/);
		expect(terminal.line(0)).toContain(' one ●');
		// A pending request for the catalogue would be cancelled too.
		await terminal.gone('the catalogue has not');
		const late = Promise.withResolvers<Answer>();
		one.answer({servers: () => late.promise, compute: () => late.promise, run: () => late.promise});
		pressAction(terminal, 'global', 'refresh');
		await openRepl(terminal);
		terminal.type('late()');
		pressAction(terminal, 'repl', 'run');
		await waitFor(() => expect(one.asked.filter(line => line.endsWith('/run-code'))).toHaveLength(1));

		let after = '';
		await chooseProfile(terminal, 'other');
		await terminal.until(/other ●/);
		await terminal.until(/of-other \S ready/);
		terminal.onOutput(chunk => {
			after += chunk;
		});
		await waitFor(() =>
			expect(one.abandoned.toSorted()).toEqual(['GET /api/servers', 'POST /api/servers/of-one/run-code']),
		);
		const asked = one.asked.length;
		late.resolve(
			success({
				servers: [serverItem('late-server')],
				content: executedCell('late()', [{output_type: 'stream', name: 'stdout', text: 'late-output'}]),
			}),
		);
		pressAction(terminal, 'global', 'servers');
		await terminal.until(/▸ of-other/);
		await openRepl(terminal);
		expect(terminal.screen()).not.toContain('late()');
		terminal.type('1');
		pressAction(terminal, 'repl', 'run');
		await terminal.until('printed');
		expect(after).not.toMatch(/of-one|late-server|late-output/);
		expect(one.asked).toHaveLength(asked);
		expect(new Set(one.keys)).toEqual(new Set(['key-of-one']));
		expect(new Set(other.keys)).toEqual(new Set(['key-of-other']));
	},
);

test(
	'typed text stays with its service when the profile is switched and switched back',
	{tags: 'long'},
	async () => {
		await using one = await service('same-name');
		await using other = await service('same-name');
		await using home = await newHome();
		await settle(home, two(one, other));
		await using terminal = await openProgram({home, columns: 90, rows: 30});
		await terminal.until(/same-name \S ready/);
		await openRepl(terminal);
		terminal.type('half = "of one"');
		await terminal.until('half = "of one"');
		await chooseProfile(terminal, 'other');
		await terminal.until(/other ●/);
		await openRepl(terminal);
		expect(terminal.screen()).not.toContain('half');
		await chooseProfile(terminal, 'one');
		await terminal.until(/ one ●/);
		await openRepl(terminal);
		await terminal.until('half = "of one"');
	},
);

test('a read-only profile is marked, offers no key that writes, and sends nothing', async () => {
	await using one = await service('of-one');
	await using other = await startHostileService({
		servers: () => success({servers: [serverItem('asleep', {status: 'offline'})]}),
	});
	await using home = await newHome();
	await settle(home, two(one, other, {readOnly: true, colour: 'red'}));
	await using terminal = await openProgram({home, args: ['--profile', 'other'], columns: 120, rows: 30});
	await terminal.until(/asleep \S offline/);
	expect(terminal.line(0)).toMatch(/other ● read-only/);
	expect(terminal.line(29)).not.toMatch(/start|rent/);
	await terminal.until('asleep is offline');
	expect(terminal.screen()).not.toMatch(/Press \S+ to start/);
	pressAction(terminal, 'servers', 'create');
	await terminal.until('This profile is read-only: rent is not offered');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until(/─ Command ─/);
	terminal.type('start asleep');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('This profile is read-only: start is not offered');
	await terminal.gone(/─ Command ─/);
	pressAction(terminal, 'global', 'help');
	await terminal.until(/╭ Keys, read-only ─/);
	expect(other.asked.filter(line => !line.startsWith('GET'))).toEqual([]);
});

test('a key that is refused is reported on every screen with what to do, and a new one is signed in with from there', async () => {
	await using one = await service('of-one');
	await using home = await newHome();
	await settle(home, two(one, one));
	await using terminal = await openProgram({home, columns: 120, rows: 30});
	await terminal.until(/of-one \S ready/);
	const refuse = (): Answer => json({error: 'expired'}, 401);
	one.answer({
		servers: refuse,
		compute: refuse,
		environments: refuse,
		file: refuse,
		run: refuse,
		chat: refuse,
	});
	pressAction(terminal, 'global', 'refresh');
	const told = /✗ one rejected the API key: \^X l signs in again/;
	await terminal.until(new RegExp(`Sign in[^]*Address +${one.baseUrl}`));
	pressAction(terminal, 'signIn', 'cancel');
	await terminal.gone('╭ Sign in');
	await terminal.until(told);
	expect(terminal.line(0)).toContain('one ✗ key rejected');
	for (const screen of ['compute', 'environments', 'repl', 'assistant'] as const) {
		pressAction(terminal, 'anywhere', screen);
		await terminal.until(told);
	}
	pressAction(terminal, 'anywhere', 'signIn');
	await terminal.until(new RegExp(`Address +${one.baseUrl}`));
	await terminal.until(join(home.folder, '.config/svc-tui/keys/one').slice(0, 30));
	terminal.paste('wrong-canary-1\n');
	await terminal.until('*'.repeat(14));
	pressAction(terminal, 'signIn', 'accept');
	// Waits for the response to this key, because other requests are rejected too.
	await waitFor(() => expect(one.keys).toContain('wrong-canary-1'));
	await terminal.until('rejected the API key (401)');
	expect(await readFile(join(home.folder, '.config/svc-tui/keys/one'), 'utf8')).toBe('key-of-one');
	one.answer({
		servers: () => success({servers: [serverItem('of-one')]}),
		environments: () => success({environments: []}),
		compute: () => success({compute: []}),
	});
	pressAction(terminal, 'signIn', 'killToStart');
	terminal.paste('good-canary-2');
	pressAction(terminal, 'signIn', 'accept');
	await terminal.until(/ one ● /);
	await terminal.gone('rejected the API key');
	expect(await readFile(join(home.folder, '.config/svc-tui/keys/one'), 'utf8')).toBe('good-canary-2\n');
	expect(one.keys.at(-1)).toBe('good-canary-2');
	expect(terminal.screen()).not.toContain('canary');
});

test('a key that was never taken opens the sign-in for that service, once, and is sent again only by a key', async () => {
	await using one = await startHostileService({servers: () => json({error: 'expired'}, 401)});
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 30, env: one.env});
	await terminal.until(new RegExp(`Address +${one.baseUrl}`));
	pressAction(terminal, 'signIn', 'cancel');
	await terminal.gone('╭ Sign in');
	await terminal.until(/rejected the API key \(401\): expired/);
	expect(one.asked.filter(call => call === 'GET /api/servers')).toHaveLength(1);
	pressAction(terminal, 'global', 'refresh');
	await waitFor(() => expect(one.asked.filter(call => call === 'GET /api/servers')).toHaveLength(2));
	await terminal.until(/^ *R now/m);
	expect(terminal.screen()).not.toContain('Next try');
	expect(terminal.screen()).not.toMatch(/Address +http/);
});

test("keys of the user's own work and are shown, and a conflict is reported with file, line and what to do", async () => {
	await using one = await startHostileService({
		servers: () => success({servers: [serverItem('asleep', {status: 'offline'})]}),
	});
	await using home = await newHome();
	const file = await settle(
		home,
		`{
	"keys": {
		"servers.start": ["x", "ctrl+t"],
		"servers.create": ["x"],
		"global.quit": "Q"
	}
}`,
	);
	await using terminal = await openProgram({home, columns: 160, rows: 30, env: one.env});
	await terminal.until(
		`${file.replace(home.folder, '~')}:4: servers.create: "x" is also the key of servers.start (start); give one of them another key`,
	);
	await terminal.until(/asleep \S offline[^]*x start {3}c rent/);
	terminal.press('x');
	await terminal.until('Start asleep?');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('Start asleep?');
	terminal.press('ctrl+t');
	await terminal.until('Start asleep?');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('Start asleep?');
	pressAction(terminal, 'global', 'help');
	await terminal.until(/On Servers {3}x start/);
	pressAction(terminal, 'chooser', 'complete');
	await terminal.until(/Start\s+x {2}\^T/);
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone(/Start\s+x {2}\^T/);
	terminal.press('Q');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
});

test('settings that cannot be understood are reported on the screen with file and line', async () => {
	await using home = await newHome();
	const file = await settle(home, '{\n\t"profile": "nowhere"\n}');
	await using terminal = await openProgram({home, columns: 160, rows: 30});
	await terminal.until(`${file}:2: profile names "nowhere", which does not exist; the profiles are local.`);
});
