// @module-tag long
import {expect, test, vi} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
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
import {openWatched, screenOf} from './watched-screen.ts';

vi.setConfig({testTimeout: 240_000});

/**
 * The first status starts with a clipboard write. The header and the titles of the panes show the
 * status.
 */
const statusOf = (index: number): string =>
	index === 0 ? 'ready' : index % 2 === 0 ? 'offline' : (CASES[index] ?? '');
const openMatrix = () =>
	startHostileService({
		servers: () =>
			success({
				servers: CASES.map((text, index) =>
					serverItem(text, {
						status: statusOf(index),
						environment: text,
						server_request: text,
						status_reason: text,
					}),
				),
			}),
		compute: () =>
			success({
				compute: CASES.map((text, index) => ({
					...computeOfText(text, [{available: false, region: `${text}!`}]),
					hourly_price: 1 + index / 100,
				})),
			}),
		environments: () =>
			success({environments: CASES.map(text => ({environment_id: text, name: text, description: text}))}),
		file: ({path}) =>
			success({
				content:
					path === ''
						? folderEntry(
								'',
								[...CASES.map(text => folderEntry(text, [])), fileEntry('zz.txt')].map(entry => ({
									...entry,
									content: null,
								})),
							)
						: fileEntry(path, {content: CASES.join('\n')}),
			}),
		run: () =>
			success({
				content: executedCell('1', [
					...CASES.map(text => ({output_type: 'stream', name: 'stdout', text})),
					...CASES.map(text => ({output_type: 'error', ename: text, evalue: text, traceback: [text]})),
					{output_type: 'stream', name: 'stdout', text: '\nthat is all'},
				]),
			}),
		chat: () => stream(...CASES.map(text => `0:${JSON.stringify(`${text}\n`)}`), '0:"the last word"'),
	});

test.each([
	[60, 15, {}],
	[80, 24, {}],
	[80, 24, {NO_COLOR: '1'}],
	[100, 30, {}],
	[200, 50, {}],
] as const)(
	`${CASES.length} texts in every field of a service, on all screens and in all dialogs of a terminal of %i by %i %j`,
	async (columns, rows, env) => {
		await using service = await openMatrix();
		await using screen = await openWatched(service, {columns, rows, env});
		const {terminal} = screen;
		const coloured: string[] = [];
		terminal.onOutput(chunk =>
			coloured.push(...(chunk.match(/\u001B\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7])[\d;]*m/g) ?? [])),
		);
		const inBox = async (title: string): Promise<void> =>
			void (await screen.sees(frame => expect(insideBox(frame)[0]).toContain(title)));
		const closed = async (): Promise<void> => {
			pressAction(terminal, 'always', 'interrupt');
			await terminal.gone('╭');
			await screen.frame();
		};
		await screen.shows(` Servers ${CASES.length}`);
		for (const [name, head] of [
			['compute', 'Compute'],
			['environments', 'Environments'],
			['servers', 'Servers'],
		] as const) {
			pressAction(terminal, 'global', name);
			await screen.sees(frame =>
				expect(screenOf(frame)).toMatch(new RegExp(`^─ ${head} ${CASES.length}`, 'm')),
			);
			for (const action of ['pageDown', 'pageDown', 'last', 'pageUp', 'first'] as const) {
				pressAction(terminal, name, action);
				await screen.frame();
			}
		}
		for (const [action, title] of [
			['help', 'Keys'],
			['palette', 'Find anything'],
			['commandLine', 'Command'],
			['messages', 'Messages'],
			['requests', 'Requests'],
		] as const) {
			pressAction(terminal, 'anywhere', action);
			await inBox(title);
			if (action === 'commandLine') terminal.type('open ');
			else if (action !== 'requests') terminal.paste('\u001B]52;c;aGk=\u0007表');
			await screen.frame();
			if (action === 'commandLine') pressAction(terminal, 'chooser', 'pageDown');
			await screen.frame();
			await closed();
		}
		for (const [action, title] of [
			['regions', 'Regions'],
			['gpu', 'GPU'],
		] as const) {
			pressAction(terminal, 'global', 'compute');
			pressAction(terminal, 'compute', action);
			await inBox(title);
			pressAction(terminal, 'chooser', 'pageDown');
			await screen.frame();
			pressAction(terminal, 'chooser', 'complete');
			await screen.frame();
			await closed();
		}
		pressAction(terminal, 'global', 'servers');
		pressAction(terminal, 'servers', 'create');
		await inBox('Rent a server');
		for (const text of ['\u001B]52;c;aGk=\u0007表', '', '', '']) {
			if (text !== '') terminal.paste(text);
			pressAction(terminal, 'form', 'next');
			await screen.frame();
		}
		await closed();
		pressAction(terminal, 'servers', 'first');
		pressAction(terminal, 'servers', 'down');
		pressAction(terminal, 'servers', 'down');
		pressAction(terminal, 'servers', 'start');
		await inBox('Start ');
		pressAction(terminal, 'review', 'cancel');
		await terminal.gone('╭');
		pressAction(terminal, 'servers', 'open');
		await screen.shows('is offline: its files');
		await screen.frame();
		pressAction(terminal, 'global', 'servers');
		pressAction(terminal, 'servers', 'first');
		pressAction(terminal, 'servers', 'open');
		await screen.shows(/ Files · [^]*^▸/m);
		for (const action of ['pageDown', 'last'] as const) {
			pressAction(terminal, 'tree', action);
			await screen.frame();
		}
		await screen.shows('zz.txt');
		pressAction(terminal, 'tree', 'open');
		await screen.shows(/ 1\/\d+ /);
		for (const action of ['pageDown', 'right', 'wrap', 'pageDown', 'last'] as const) {
			pressAction(terminal, 'viewer', action);
			await screen.frame();
		}
		pressAction(terminal, 'anywhere', 'repl');
		await screen.shows('>>>');
		terminal.type('1');
		pressAction(terminal, 'repl', 'run');
		await screen.shows('that is all');
		pressAction(terminal, 'repl', 'leave');
		await screen.shows('esc servers');
		for (const action of ['first', 'pageDown', 'pageDown', 'last'] as const) {
			pressAction(terminal, 'cells', action);
			await screen.frame();
		}
		pressAction(terminal, 'anywhere', 'assistant');
		await screen.shows('Assistant · ');
		terminal.type('1');
		pressAction(terminal, 'assistant', 'send');
		await screen.shows('the last word');
		// Until the answer ends, Esc stops it.
		await terminal.gone('── answering ');
		pressAction(terminal, 'assistant', 'leave');
		await screen.shows('esc servers');
		for (const action of ['first', 'pageDown', 'last'] as const) {
			pressAction(terminal, 'turns', action);
			await screen.frame();
		}
		expect(coloured.length > 0).toBe(!('NO_COLOR' in env));
		expect(screen.harm()).toEqual([]);
		expect(service.strays).toEqual([]);
	},
);
