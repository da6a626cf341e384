import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {DISPUTED_CASES} from './hostile-cases.ts';
import {
	computeOfText,
	executedCell,
	fileEntry,
	folderEntry,
	serverItem,
	startHostileService,
	stream,
	success,
} from './hostile-service.ts';
import {openWatched} from './watched-screen.ts';

test(`${DISPUTED_CASES.length} texts whose width terminals dispute, in every list, in a file, an output and an answer: only their own rows are not in order`, async () => {
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: DISPUTED_CASES.map(text =>
					serverItem(text, {
						environment: text,
						server_request: text,
						status: text.isWellFormed() ? 'ready' : text,
					}),
				),
			}),
		compute: () => success({compute: DISPUTED_CASES.map(text => computeOfText(text))}),
		environments: () =>
			success({
				environments: DISPUTED_CASES.map(text => ({environment_id: text, name: text, description: text})),
			}),
		file: ({path}) =>
			success({
				content:
					path === ''
						? folderEntry('', [
								fileEntry('a.txt'),
								...DISPUTED_CASES.map(text => fileEntry(`x${text}`, {name: `x${text}`})),
							])
						: fileEntry(path, {content: DISPUTED_CASES.join('\n')}),
			}),
		run: () =>
			success({
				content: executedCell('1', [
					...DISPUTED_CASES.map(text => ({output_type: 'stream', name: 'stdout', text})),
					{output_type: 'stream', name: 'stdout', text: '\nthat is all'},
				]),
			}),
		chat: () => stream(...DISPUTED_CASES.map(text => `0:${JSON.stringify(`${text}\n`)}`), '0:"that is all"'),
	});
	await using screen = await openWatched(service, {columns: 140, rows: 40});
	const {terminal} = screen;
	// Checks every frame during the move: all rows except those must be in order.
	const look = async (texts: number, move: () => void): Promise<void> => {
		for (let count = 0; count < texts; count++) {
			move();
			await screen.frame();
		}
	};
	await screen.shows(` Servers ${DISPUTED_CASES.length} `);
	for (const name of ['servers', 'compute', 'environments'] as const) {
		pressAction(terminal, 'anywhere', name);
		await screen.shows(
			new RegExp(`^─ ${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${DISPUTED_CASES.length}`, 'm'),
		);
		await look(DISPUTED_CASES.length, () => pressAction(terminal, name, 'down'));
	}
	pressAction(terminal, 'anywhere', 'files');
	await screen.shows('a.txt');
	await look(DISPUTED_CASES.length, () => pressAction(terminal, 'tree', 'down'));
	pressAction(terminal, 'tree', 'first');
	pressAction(terminal, 'tree', 'open');
	await screen.shows(` 1/${DISPUTED_CASES.flatMap(text => text.split('\n')).length} `);
	pressAction(terminal, 'anywhere', 'repl');
	await screen.shows('esc read the cells');
	terminal.type('1');
	pressAction(terminal, 'repl', 'run');
	await screen.shows('that is all');
	pressAction(terminal, 'anywhere', 'assistant');
	await screen.shows('esc read the answers');
	terminal.type('1');
	pressAction(terminal, 'assistant', 'send');
	await screen.shows(/that is all[^]*that is all/);
	await screen.frame();
	expect(screen.harm()).toEqual([]);
});
