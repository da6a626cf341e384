import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	fileEntry,
	serverItem,
	startHostileService,
	success,
	type HostileService,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openRepl} from './steps.ts';
import {waitFor} from '../support/wait-for.ts';

const service = async (): Promise<HostileService> =>
	startHostileService({
		servers: () => success({servers: [serverItem('alpha'), serverItem('beta')]}),
		file: ({path}) =>
			success({
				content: fileEntry(path, {
					content: Array.from({length: 200}, (_, line) => `this is line ${line + 1}`).join('\n'),
				}),
			}),
	});
const quit = async (terminal: Terminal): Promise<void> => {
	terminal.kill('SIGTERM');
	await terminal.exit;
};

test('the program reopens at its last location: server, pane and filters; --fresh starts at the servers', async () => {
	await using one = await service();
	await using other = await service();
	await using home = await newHome();
	{
		await using terminal = await openProgram({home, env: one.env});
		await terminal.until(/alpha \S ready[^]*beta/);
		pressAction(terminal, 'global', 'compute');
		await terminal.until('A100');
		pressAction(terminal, 'compute', 'filter');
		terminal.type('n>=1');
		pressAction(terminal, 'filter', 'accept');
		await terminal.until(/n>=1/);
		pressAction(terminal, 'anywhere', 'servers');
		await terminal.until('▸ alpha');
		pressAction(terminal, 'servers', 'down');
		await terminal.until('▸ beta');
		pressAction(terminal, 'servers', 'open');
		await terminal.until('Files · beta');
		await openRepl(terminal);
		await quit(terminal);
	}
	{
		await using terminal = await openProgram({home, env: one.env});
		await terminal.until(/>>>/);
		await terminal.until('REPL · beta');
		pressAction(terminal, 'anywhere', 'compute');
		await terminal.until('n>=1');
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('REPL · beta');
		await quit(terminal);
	}
	{
		await using terminal = await openProgram({home, env: other.env});
		await terminal.until('▸ alpha');
		await quit(terminal);
	}
	await using terminal = await openProgram({home, args: ['--fresh'], env: one.env});
	await terminal.until('▸ alpha');
});

test('after kill -9 the program opens again where it was a second before', {tags: 'long'}, async () => {
	await using one = await service();
	await using home = await newHome();
	{
		await using terminal = await openProgram({home, env: one.env});
		await terminal.until(/alpha \S ready[^]*beta/);
		pressAction(terminal, 'servers', 'down');
		await terminal.until('▸ beta');
		pressAction(terminal, 'servers', 'open');
		await terminal.until('Files · beta');
		const places = join(home.env['XDG_STATE_HOME'] ?? '', 'svc-tui/places');
		await waitFor(() =>
			expect(
				readdirSync(places)
					.map(file => readFileSync(join(places, file), 'utf8'))
					.join(''),
				// The cursor in the list of servers was on beta, which counts as the location too.
			).toMatch(/"screen":"files","server":"beta"/),
		);
		terminal.kill('SIGKILL');
		await terminal.exit;
	}
	await using terminal = await openProgram({home, env: one.env});
	await terminal.until('Files · beta');
});

test("open leads to a server's file at a line, its REPL or its assistant", async () => {
	await using one = await service();
	await using home = await newHome();
	const open = async (...words: readonly string[]): Promise<Terminal> =>
		openProgram({home, args: ['open', ...words], env: one.env, rows: 30});
	{
		await using terminal = await open('beta', 'files', 'src/a.py:120');
		await terminal.until(/120 +this is line 120/);
		expect(terminal.screen()).not.toContain('this is line 1\n');
	}
	{
		await using terminal = await open('beta', 'repl');
		await terminal.until('REPL · beta');
	}
	{
		await using terminal = await open('alpha', 'chat');
		await terminal.until('Assistant · alpha');
	}
	await using terminal = await open('gamma', 'repl');
	await terminal.until('There is no server gamma on this service.');
});

test.each([[['open']], [['open', 'a', 'shell']], [['open', 'a', 'repl', 'x']], [['nonsense', 'a']]])(
	'%j is rejected with the right spelling',
	async words => {
		await using home = await newHome();
		await using terminal = await openProgram({home, args: words});
		await expect(terminal.exit).resolves.toMatchObject({code: 2});
		await terminal.until(words[0] === 'open' ? /Use svc-tui open SERVER/ : /nonsense/);
	},
);

test('the line between two panes moves by keys, also while typing, and stays for terminals like this', async () => {
	await using one = await service();
	await using home = await newHome();
	const place = (terminal: Terminal): number => terminal.line(4).indexOf('│');
	const at = async (terminal: Terminal, cell: number): Promise<void> => {
		await terminal.untilTrue(`the line at ${cell}`, () => place(terminal) === cell);
	};
	{
		await using terminal = await openProgram({home, env: one.env, columns: 160, rows: 30});
		await terminal.until(/alpha \S ready[^]*beta/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until('Files · alpha');
		await openRepl(terminal);
		await terminal.until('REPL · alpha');
		await at(terminal, 102);
		pressAction(terminal, 'anywhere', 'widenPane');
		await at(terminal, 106);
		// A chord pressed in a text field inserts no letter.
		expect(terminal.screen()).toMatch(/>>> +├/);
		pressAction(terminal, 'anywhere', 'resetPanes');
		await at(terminal, 102);
		for (const cell of [98, 94, 90, 88]) {
			pressAction(terminal, 'anywhere', 'narrowPane');
			await at(terminal, cell);
		}
		pressAction(terminal, 'anywhere', 'narrowPane');
		await terminal.until('The divider cannot move further');
		expect(place(terminal)).toBe(88);
		pressAction(terminal, 'anywhere', 'widenPane');
		await at(terminal, 92);
		await quit(terminal);
	}
	await using terminal = await openProgram({home, env: one.env, columns: 160, rows: 30});
	await terminal.until('REPL · alpha');
	await at(terminal, 92);
	// A terminal of another width class has its own dividers.
	terminal.resize(200, 30);
	await at(terminal, 125);
	terminal.resize(160, 30);
	await at(terminal, 92);
});
