// @module-tag long
// Completion and documentation while typing, from the kernel itself, on the embedded engine and on
// Debian's Jupyter Server.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing)
	console.warn(
		'\n*** SKIPPED: no completion by ipykernel: jupyter-server and ipykernel are not installed ***\n',
	);

const SIZE = {columns: 90, rows: 40};
const NAMES =
	'import json\nclass Kennel:\n    def bark_once(self): "One bark."\n    def bark_twice(self): pass\n    size = 3\nkennel = Kennel()\nlitter = {"rex": 1, "rover": 2}\nopen("bark list.txt", "w").close()';

const openAt = async (home: Home, engine: string): Promise<Terminal> => {
	const terminal = await openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	terminal.paste(NAMES);
	pressAction(terminal, 'repl', 'run');
	await terminal.until('[1]');
	return terminal;
};
const press = (terminal: Terminal, action: 'complete' | 'inspect' | 'killToStart'): void =>
	pressAction(terminal, 'repl', action);
/** Types code in an empty prompt and asks for completions. */
const complete = async (terminal: Terminal, code: string): Promise<void> => {
	terminal.type(code);
	await terminal.until(`>>> ${code}`);
	press(terminal, 'complete');
};
const empty = async (terminal: Terminal): Promise<void> => {
	press(terminal, 'killToStart');
	await terminal.until(/^ >>> *$/m);
};

describe.each(['embedded', 'jupyter'])('on the engine %s', engine => {
	const isMissing = engine === 'jupyter' && missing;

	test.skipIf(isMissing)(
		'the first Tab opens a menu over the cells, typing narrows it, arrows choose, Enter takes, and no cell is counted',
		{tags: engine === 'embedded' ? 'short' : 'long'},
		async () => {
			await using home = await newHome();
			await using terminal = await openAt(home, engine);
			const before = terminal.screen().split('\n').slice(0, 20);
			await complete(terminal, 'kennel.b');
			// The common part of the completions is inserted, and the menu lists them.
			const menu = await terminal.until(/── completions ─+ 1\/2 ─/);
			expect(menu).toMatch(/▸ bark_once .*\n +bark_twice .*\n─+[^\n]*\n >>> kennel\.bark_\n/);
			expect(menu.split('\n').slice(0, 20)).toEqual(before);
			expect(menu).toMatch(/⏎ take +Tab next/);
			pressAction(terminal, 'completions', 'next');
			await terminal.until(/── completions ─+ 2\/2 ─/);
			pressAction(terminal, 'completions', 'previous');
			await terminal.until(/▸ bark_once/);
			terminal.type('tw');
			const narrow = await terminal.gone('bark_once ');
			expect(narrow).not.toMatch(/\[2]/);
			// Only one completion is left, which is not inserted yet.
			await terminal.until(/── completions ─+\n[^]*▸ bark_twice/);
			pressAction(terminal, 'completions', 'accept');
			await terminal.until(/>>> kennel\.bark_twice\n/);
			await terminal.until(/⏎ run/);
			await empty(terminal);
			await complete(terminal, 'kennel.si');
			await terminal.until('>>> kennel.size');
			pressAction(terminal, 'repl', 'run');
			await terminal.until(/\[2\] [^]*→ +3$/m);
			pressAction(terminal, 'repl', 'earlier');
			await terminal.until('>>> kennel.size');
		},
	);

	test.skipIf(isMissing)(
		'keys of a dictionary, paths in a text, Esc that closes, and a key that does not belong',
		async () => {
			await using home = await newHome();
			await using terminal = await openAt(home, engine);
			await complete(terminal, 'litter["r');
			await terminal.until(/▸ rex [^]*rover /);
			pressAction(terminal, 'completions', 'close');
			await terminal.gone('▸ rex');
			await terminal.until(/>>> litter\["r\n/);
			await empty(terminal);
			await complete(terminal, 'open("bark');
			await terminal.until('>>> open("bark list.txt');
			await empty(terminal);
			await complete(terminal, 'kennel.');
			await terminal.until(/▸ bark_once/);
			// A bracket is inserted as text and closes the menu without completing a name.
			terminal.type('x(');
			await terminal.gone('▸ bark_once');
			await terminal.until('>>> kennel.x(');
			await empty(terminal);
			await complete(terminal, 'no_such_thing.x');
			await terminal.until(/Nothing (?:more begins|to complete here)/);
			await terminal.until('>>> no_such_thing.x');
		},
	);

	test.skipIf(isMissing)(
		'Shift-Tab and ? show the documentation while typing, ?? the source; Esc closes it',
		async () => {
			await using home = await newHome();
			await using terminal = await openAt(home, engine);
			terminal.type('json.dumps(');
			await terminal.until('>>> json.dumps(');
			press(terminal, 'inspect');
			await terminal.until(/── documentation ─+ \d+\/\d+ ─[^]*Signature:[^]*sort_keys/);
			terminal.type('litter');
			expect(await terminal.until('>>> json.dumps(litter')).toMatch(
				/── documentation ─+ \d+\/\d+ ─+\n +Signature:/,
			);
			pressAction(terminal, 'documentation', 'pageDown');
			await terminal.until(/── documentation ─+ \d+\/\d+ ─+\n(?! *Signature:)/);
			pressAction(terminal, 'documentation', 'close');
			await terminal.gone('── documentation');
			expect(terminal.screen()).toContain('>>> json.dumps(litter');
			await empty(terminal);
			terminal.type('kennel.bark_once?');
			await terminal.until(/── documentation[^]*One bark\./);
			terminal.type('?');
			await terminal.until(/── source/);
			expect(terminal.screen()).not.toMatch(/\[2]/);
			await empty(terminal);
			await terminal.gone('── source');
			// The key moves to the previous pane if the prompt is empty.
			press(terminal, 'inspect');
			await terminal.gone('esc read the cells');
		},
	);
});

test('while a cell runs the kernel is not asked, which is shown; used names are offered', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const {begun, letGo} = await defineHeld(terminal, home);
	runCode(terminal, 'held(); kennel_north = kennel_south = 1');
	await begun();
	await complete(terminal, 'held.');
	await terminal.until('is running a cell: try again when it has ended');
	await empty(terminal);
	await complete(terminal, 'kenn');
	await terminal.until(/▸ kennel_north +used *\n +kennel_south +used *\n/);
	pressAction(terminal, 'completions', 'close');
	await terminal.gone('▸ kennel_north');
	await empty(terminal);
	letGo();
	await terminal.until('[2]');
	await complete(terminal, 'kennel_s');
	await terminal.until('>>> kennel_south');
});
