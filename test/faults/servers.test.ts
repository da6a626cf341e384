// @module-tag long
import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {cellWidth} from '../../src/text/width/width.ts';
import '../../src/tui/feature-list.ts';
import {workspaceLayout} from '../../src/tui/core/frame/workspace-layout.ts';
import {pressAction} from '../support/press-action.ts';
import {
	beginning,
	besideList,
	expectDividers,
	expectShown,
	fieldRows,
	insideBox,
	readTable,
} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {serverItem, startedServer, startHostileService, success} from './hostile-service.ts';
import {noticeOf, openWatched, screenOf, textOf} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

test(`${CASES.length} texts as name, state, environment and compute of a server: in the table, in the dialog that starts it, beside the table, in the header and in the pane of a server that is not ready`, async () => {
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: CASES.map(text =>
					serverItem(text, {
						status: text,
						environment: text,
						server_request: text,
						status_reason: text,
						message: text,
						[text]: text,
					}),
				),
			}),
	});
	// Wide enough for every column beside the details.
	await using screen = await openWatched(service, {columns: 220, rows: 20});
	const {terminal} = screen;
	await screen.shows(` Servers ${CASES.length} `);
	for (const text of CASES) {
		const [name, state] = [label(text, 40), label(text, 20)];
		pressAction(terminal, 'servers', 'start');
		await screen.sees(frame => {
			const box = insideBox(frame);
			expect(box[0]).toContain(beginning(`Start ${name}?`, 50));
			for (const field of ['Environment', 'Compute'])
				expect(fieldRows(box, field).field).toContain(beginning(label(text), 20));
		});
		pressAction(terminal, 'review', 'cancel');
		await terminal.gone('╭');
		await screen.sees(frame => {
			const {here} = readTable(frame, 'Name');
			expectShown(here['Name'], label(text));
			expectShown(here['State'], `· ${state}`);
			expectShown(here['Environment'], label(text));
			expectShown(here['Compute'], label(text));
			const title = frame[1] ?? [];
			expect(textOf(title.slice(title.indexOf('┬')))).toContain(beginning(name, 30));
			// A long state is wrapped.
			expect(besideList(frame).join('').replaceAll(' ', '')).toContain(
				beginning(`· ${state}`, 12).replaceAll(' ', ''),
			);
		});
		pressAction(terminal, 'servers', 'open');
		await screen.sees(frame => {
			expect(textOf(frame[0] ?? [])).toContain(` · ${state}`.trimEnd());
			expect(screenOf(frame.slice(2))).toContain(beginning(`${label(text, 60)} is ${state}`, 50));
		});
		pressAction(terminal, 'global', 'servers');
		if (text !== CASES.at(-1)) pressAction(terminal, 'servers', 'down');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});

test(`${CASES.length} texts as name, environment and compute of a server that is started: in the dialog, in a notice, in the header, in the titles of its three panes and in the words at the end`, async () => {
	const started = new Set<string>();
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: CASES.map(text =>
					serverItem(text, {
						status: started.has(text) ? 'ready' : 'offline',
						environment: text,
						server_request: text,
						url: text.slice(0, 300),
						token: text.slice(0, 300),
						thumb: text.slice(0, 300),
					}),
				),
			}),
		start({server}) {
			started.add(server);
			return success(
				startedServer(server, {
					message: server,
					url: server,
					token: server,
					port_forward_url: server,
					environment: server,
					server_request: server,
				}),
			);
		},
	});
	await using screen = await openWatched(service, {columns: 150, rows: 20});
	const {terminal, columns, rows} = screen;
	await screen.shows(` Servers ${CASES.length} `);
	const {panes: rects} = workspaceLayout(columns, rows, {
		...{main: 'files', focus: 'files', last: 'assistant', companions: ['repl', 'assistant']},
		...{inUse: new Set(), filled: new Set(), closed: new Set(), hasRail: false, isAlone: false},
	});
	// URLs cannot contain unpaired surrogates, so servers with such names cannot be started (see
	// `odd-names.test.ts`).
	const startable = CASES.filter(text => text.isWellFormed());
	for (const text of CASES) {
		if (startable.includes(text)) {
			pressAction(terminal, 'servers', 'start');
			await screen.sees(frame => {
				const box = insideBox(frame);
				expect(box[0]).toContain(beginning(`Start ${label(text, 40)}?`, 50));
				for (const name of ['Environment', 'Compute'])
					expect(fieldRows(box, name).field).toContain(beginning(label(text), 20));
			});
			pressAction(terminal, 'confirm', 'yes');
			await terminal.gone('╭');
			pressAction(terminal, 'global', 'refresh');
			pressAction(terminal, 'servers', 'open');
			let said = false;
			await screen.sees(frame => {
				const ready = ` ✓ ${beginning(`${label(text)} is ready`, columns - 4)}`;
				// The notice disappears later, so an earlier frame counts.
				said ||= noticeOf(frame).includes(ready);
				expect(said, `${ready} in\n${screenOf(frame)}`).toBe(true);
				// The header has no room for the rate if the name is long.
				expect(textOf(frame[0] ?? [])).toMatch(
					cellWidth(label(text)) < 20 ? /● ready +2\.49\/h$/ : /● ready(?: +2\.49\/h)?$/,
				);
				expect(screenOf(frame)).toContain('plain.txt');
				expectDividers(frame, rects);
				// The title has no room for the pane's status if the name is long.
				for (const {x, width} of rects)
					expect(textOf((frame[1] ?? []).slice(x, x + width))).toContain(beginning(label(text, 8), 8));
			});
			pressAction(terminal, 'global', 'servers');
		}
		if (text !== CASES.at(-1)) pressAction(terminal, 'servers', 'down');
	}
	await screen.sees(frame => expectShown(readTable(frame, 'Name').here['Name'], label(CASES.at(-1) ?? '')));
	pressAction(terminal, 'global', 'quit');
	await terminal.exit;
	const words = screen.lastWords();
	// The final message names the first ten servers.
	for (const text of startable.slice(0, 10)) expect(words).toContain(label(text, 40));
	expect(words).toMatch(/, 3\d\d\.\d\d\/h\s/);
	expect(screen.harm()).toEqual([]);
	expect(await terminal.leftovers()).toEqual([]);
	expect(service.strays).toEqual([]);
});

/**
 * Wide, joined and hostile names. Code runs on each of these servers, and its response never
 * arrives.
 */
const RUNNING = CASES.filter(
	text => text.isWellFormed() && !/\n/.test(text) && cellWidth(label(text, 40)) < 40,
)
	.filter((_, index) => index % 9 === 0)
	// The final message lists this many servers.
	.slice(0, 12);

test(`${RUNNING.length} texts as name of a server on which code runs: in the REPL's title, in the header's tabs and in the words at the end`, async () => {
	await using service = await startHostileService({
		servers: () => success({servers: RUNNING.map(text => serverItem(text))}),
		run: () => new Promise<never>(() => {}),
	});
	await using screen = await openWatched(service, {rows: 24});
	const {terminal} = screen;
	await screen.shows(` Servers ${RUNNING.length} `);
	for (const text of RUNNING) {
		pressAction(terminal, 'servers', 'open');
		pressAction(terminal, 'anywhere', 'repl');
		await screen.shows('esc read the cells');
		terminal.type('1');
		pressAction(terminal, 'repl', 'run');
		await screen.sees(frame => {
			expect(screenOf(frame)).toContain('── running ');
			expect(textOf(frame[1] ?? [])).toContain(beginning(`REPL · ${label(text, 40)}`, 20));
		});
		pressAction(terminal, 'anywhere', 'servers');
		pressAction(terminal, 'servers', 'down');
	}
	await screen.shows(` Servers ${RUNNING.length} `);
	pressAction(terminal, 'global', 'quit');
	await terminal.exit;
	expect(screen.lastWords()).toContain(
		`code may still be running on ${RUNNING.map(text => label(text, 40)).join(', ')}`,
	);
	expect(screen.harm()).toEqual([]);
	expect(await terminal.leftovers()).toEqual([]);
});
