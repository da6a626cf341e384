import {expect, test} from 'vitest';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

const NAMES = Array.from({length: 40}, (_, index) => `job-${index + 1}`);
const servers = (names: readonly string[]) => () =>
	success({
		servers: names.map((name, index) => serverItem(name, {environment: index % 2 === 0 ? 'ai' : 'Torch'})),
	});

test('typing behind / leaves the servers that have the text, and it is still there after another screen', async () => {
	await using service = await startHostileService();
	service.answer({servers: servers(NAMES)});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/Servers 40 /);
	pressAction(terminal, 'servers', 'filter');
	terminal.type('B-3');
	await terminal.until(/Servers 0 of 40 [^]*No servers match/);
	pressAction(terminal, 'filter', 'killToStart');
	terminal.type('b-3');
	await terminal.until(/Servers 11 of 40 .*\/ b-3 /);
	// Arrows move in the list while the field has focus; Esc leaves the field and keeps the text.
	pressAction(terminal, 'filter', 'down');
	await terminal.until(/▸ job-30 /);
	pressAction(terminal, 'filter', 'leave');
	await terminal.until('/ find');
	pressAction(terminal, 'global', 'environments');
	await terminal.until(/Environments 1/);
	pressAction(terminal, 'global', 'servers');
	await terminal.until(/Servers 11 of 40 .*\/ b-3 [^]*▸ job-30 /);
	pressAction(terminal, 'servers', 'showAll');
	await terminal.until(/Servers 40 [^]*▸ job-30 /);
	pressAction(terminal, 'servers', 'showAll');
	await terminal.until('No filter is set');
});

test('the cursor stays on its server when others come and go, and at its place when that one goes', async () => {
	await using service = await startHostileService();
	service.answer({servers: servers(['a', 'b', 'c', 'd'])});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/▸ a /);
	pressAction(terminal, 'servers', 'down');
	pressAction(terminal, 'servers', 'down');
	await terminal.until(/▸ c /);
	service.answer({servers: servers(['new', 'a', 'b', 'c', 'd'])});
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/new [^]*▸ c /);
	service.answer({servers: servers(['new', 'a', 'b', 'd', 'e'])});
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/▸ d /);
	expect(terminal.screen()).not.toMatch(/ c +●/);
});
