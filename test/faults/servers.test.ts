import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {cellWidth, cut} from '../../src/text/width.ts';
import {paneRects} from '../../src/ui/frame/layout.ts';
import {pressAction} from '../support/press-action.ts';
import {beginning, expectDividers, insideBox, valuesBelow, type Head} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {serverItem, startedServer, startHostileService, success} from './hostile-service.ts';
import {openWatched, screenOf, textOf, type Frame} from './watched-screen.ts';

// One run carries all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

const HEADS: readonly Head[] = [{name: 'NAME'}, {name: 'STATE'}, {name: 'ENVIRONMENT'}, {name: 'COMPUTE'}, {name: 'RATE /H', right: true}];
const HEAD = 3;

/** Every row in view is aligned, and the row under the cursor shows this server. */
const expectTable = (frame: Frame, columns: number, text: string): void => {
	const last = frame.length - 5;
	const rows = Array.from({length: last - HEAD}, (_, index) => HEAD + 1 + index).filter(y => textOf(frame[y] ?? []) !== '');
	const values = valuesBelow(frame, HEAD, rows, HEADS, columns);
	const at = rows.findIndex(y => frame[y]?.[1] === '▸');
	// The columns shrink to what the terminal has, so that a value is compared as far as it is shown.
	const [name = '', state = '', environment = '', compute = ''] = values[at] ?? [];
	for (const [value, whole] of [[name, label(text)], [state, `· ${label(text, 20)}`], [environment, label(text)], [compute, label(text)]] as const) {
		expect(whole.trim().startsWith(value.replace(/…$/, '').trim()), `${value} for ${whole}`).toBe(true);
	}
};

test(`${CASES.length} texts as name, state, environment and compute of a server: in the table, below it, in a notice, in the header and in the pane of a server that is not ready`, async () => {
	await using service = await startHostileService({servers: () => success({servers: CASES.map(text => serverItem(text, {status: text, environment: text, server_request: text}))})});
	await using screen = await openWatched(service, {rows: 20});
	const {terminal, columns, rows} = screen;
	await screen.shows(` Servers ${CASES.length} `);
	for (const text of CASES) {
		const [name, state] = [label(text, 40), label(text, 20)];
		const below = `   ${name} is ${state} …`;
		await screen.sees(frame => {
			expectTable(frame, columns, text);
			if (cellWidth(below) <= columns) expect(screenOf(frame)).toContain(below);
		});
		pressAction(terminal, 'servers', 'start');
		await screen.sees(frame => expect(textOf(frame[rows - 2] ?? [])).toBe(` › ${cut(`${label(text)} is ${label(text)}: only an offline server can be started`, columns - 4)}`));
		pressAction(terminal, 'servers', 'open');
		await screen.sees(frame => {
			expect(textOf(frame[0] ?? [])).toContain(` · ${state}`.trimEnd());
			expect(textOf(frame[3] ?? [])).toContain(cut(`     ${label(text, 60)} is ${state} …`, columns).slice(5, 50).trim());
		});
		pressAction(terminal, 'global', 'servers');
		if (text !== CASES.at(-1)) pressAction(terminal, 'servers', 'down');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});

test(`${CASES.length} texts as name, environment and compute of a server that is started: in the dialog, in two notices, in the header, in the titles of its three panes and in the words at the end`, async () => {
	const started = new Set<string>();
	await using service = await startHostileService({
		servers: () => success({servers: CASES.map(text => serverItem(text, {status: started.has(text) ? 'ready' : 'offline', environment: text, server_request: text, url: text.slice(0, 300), token: text.slice(0, 300), thumb: text.slice(0, 300)}))}),
		start({server}) {
			started.add(server);
			return success(startedServer(server, {message: server, url: server, token: server, port_forward_url: server, environment: server, server_request: server}));
		},
	});
	await using screen = await openWatched(service, {columns: 150, rows: 20});
	const {terminal, columns, rows} = screen;
	await screen.shows(` Servers ${CASES.length} `);
	const rects = paneRects({screen: 'files', docked: {files: true, repl: true, assistant: true}, partner: 'files'}, columns, rows);
	// Half of a character has no place in an address: such a server cannot be started (see odd-names.test.ts).
	const startable = CASES.filter(text => text.isWellFormed());
	for (const text of CASES) {
		if (startable.includes(text)) {
			pressAction(terminal, 'servers', 'start');
			await screen.sees(frame => {
				const [title = '', , environment = '', compute = ''] = insideBox(frame, columns, 60);
				expect(title).toContain(beginning(`Start ${label(text, 40)}?`, 54));
				expect(environment).toContain(beginning(label(text), 43));
				expect(compute).toContain(beginning(label(text), 43));
			});
			pressAction(terminal, 'confirm', 'yes');
			await screen.sees(frame => {
				expect(textOf(frame[rows - 2] ?? []).startsWith(` ✓ ${beginning(`${label(text)} is ready`, columns - 4)}`)).toBe(true);
				expect(textOf(frame[0] ?? [])).toMatch(/● ready +2\.49 \/h$/);
			});
			pressAction(terminal, 'servers', 'open');
			await screen.sees(frame => {
				expect(screenOf(frame)).toContain('plain.txt');
				expectDividers(frame, rects);
				for (const {x, width} of rects) expect(textOf((frame[2] ?? []).slice(x, x + width))).toContain(beginning(label(text, 40), width - 15));
			});
			pressAction(terminal, 'global', 'servers');
		}
		if (text !== CASES.at(-1)) pressAction(terminal, 'servers', 'down');
	}
	pressAction(terminal, 'global', 'quit');
	await terminal.exit;
	expect(terminal.screen()).toMatch(/, 3\d\d\.\d\d \/h\s*$/);
	expect(screen.harm()).toEqual([]);
	expect(await terminal.leftovers()).toEqual([]);
	expect(service.strays).toEqual([]);
});
