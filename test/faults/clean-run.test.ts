import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {startHostileService} from './hostile-service.ts';
import {openWatched, OWN_CONTROLS} from './watched-screen.ts';

test('a program that meets nothing hostile sends these controls and no other', async () => {
	await using service = await startHostileService();
	await using screen = await openWatched(service);
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	for (const [action, shown] of [
		['compute', ' Compute 1 '],
		['environments', ' Environments 1 '],
		['files', 'plain.txt'],
		['repl', 'esc read the cells'],
		['assistant', 'esc read the answers'],
		['servers', ' Servers 1 '],
	] as const) {
		pressAction(terminal, 'anywhere', action);
		await screen.shows(shown);
	}
	pressAction(terminal, 'servers', 'create');
	await screen.shows('Rent a server');
	pressAction(terminal, 'form', 'cancel');
	await terminal.gone('Rent a server');
	pressAction(terminal, 'global', 'help');
	await screen.shows('Type to search all');
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('Type to search all');
	pressAction(terminal, 'global', 'quit');
	expect(await terminal.exit).toEqual({code: 0, signal: null});
	expect([...screen.controls.keys()].sort()).toEqual([...OWN_CONTROLS.keys()].sort());
	expect(screen.harm()).toEqual([]);
});
