// @module-tag long
import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {startHostileService} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {FIXED_SEEDS, foreignService, RAISES, refusalOf, type Foreign} from './foreign-service.ts';

vi.setConfig({testTimeout: 240_000});

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** True if the words are on the screen, even if a pane or a box wraps them. */
const tells = (screen: string, words: string): boolean => {
	const rows = screen.split('\n').map(row => row.split('│'));
	const most = Math.max(...rows.map(row => row.length));
	return Array.from({length: most}, (_, pane) =>
		rows
			.map(row => row[pane] ?? '')
			.join(' ')
			.replaceAll(/\s+/g, ' '),
	).some(text => text.includes(words));
};

/** Checks that each server has a row, with its state unchanged and `?` for missing fields. */
const expectServers = (screen: string, {servers, compute}: Foreign, said: string): void => {
	for (const {name, state, request} of servers) {
		const row =
			screen
				.split('\n')
				.slice(2)
				.map(line => line.split('│')[0]!.trimEnd())
				.find(line => line.slice(3).startsWith(`${label(name)} `)) ?? '';
		const [, status, ...cells] = row.slice(3).split(/ {2,}/);
		const price = compute.find(({id}) => id === request)?.price ?? null;
		const what = `${said}: ${name}\n${screen}`;
		expect(status?.slice(2), what).toBe(state === '' ? '?' : state);
		expect(status?.startsWith('●'), what).toBe(state === 'ready');
		if (state !== 'offline')
			expect(cells.at(-2), what).toMatch(
				price === 0 ? /^0\.00$/ : price === null || state !== 'ready' ? /^\?$/ : /^(?:2\.49|0\.0003)$/,
			);
	}
};

test.each(FIXED_SEEDS)(
	'every operation on the screens of service %i, its refusals and the ends of its answers',
	async seed => {
		const foreign = foreignService(seed);
		const said = `seed ${seed}`;
		await using service = await startHostileService(foreign.routes);
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 200, rows: 50, env: service.env});
		let sent = '';
		terminal.onOutput(chunk => {
			sent += chunk;
		});
		const {ready, offline} = foreign;
		/** Moves the cursor to the server. The details beside the list show its port. */
		const highlight = async (name: string): Promise<void> => {
			pressAction(terminal, 'servers', 'showAll');
			pressAction(terminal, 'servers', 'filter');
			terminal.type(name);
			pressAction(terminal, 'filter', 'accept');
			pressAction(terminal, 'servers', 'first');
			const port = foreign.servers.find(server => server.name === name)?.port ?? '\\?';
			await terminal.until(new RegExp(`▸ ${escaped(label(name))} [^]*│ Port +${port}$`, 'm'));
		};

		await terminal.until(new RegExp(` just now ─[^]*${escaped(label(ready))} +● ready`));
		pressAction(terminal, 'global', 'compute');
		for (const {id} of foreign.compute) await terminal.until(new RegExp(`${id.split('-')[1]}[^]*cloud`));
		pressAction(terminal, 'compute', 'filter');
		terminal.type('host:cloud1');
		await terminal.until(/Compute 1 of 3/);
		const filtered = await terminal.until('cloud1-second');
		expect(filtered, said).not.toMatch(/first \(|NaN|undefined/);
		pressAction(terminal, 'filter', 'accept');
		pressAction(terminal, 'compute', 'showAll');
		await terminal.until(/Compute 3 /);
		pressAction(terminal, 'global', 'environments');
		for (const id of foreign.environments) await terminal.until(new RegExp(` ${id} `));
		pressAction(terminal, 'global', 'servers');
		expectServers(await terminal.until(/Servers \d+ /), foreign, said);

		const refusals = ['create', 'start', 'run', 'chat', 'file'].map((_, at) => refusalOf(seed + at));
		const refuse = (route: 'create' | 'start' | 'run' | 'chat' | 'file', at: number): string => {
			service.answer({[route]: () => refusals[at]!.answer});
			return refusals[at]!.words;
		};
		const allow = (): void => service.answer(foreign.routes);
		const seeEvidence = async (line: string, words: string): Promise<void> => {
			pressAction(terminal, 'always', 'evidence');
			await terminal.until(new RegExp(String.raw`Request and response[^]*${line}[^]*${escaped(words)}`));
			pressAction(terminal, 'evidence', 'close');
			await terminal.gone('Request and response');
		};

		let words = refuse('create', 0);
		pressAction(terminal, 'servers', 'create');
		await terminal.until('Rent a server');
		pressAction(terminal, 'review', 'name');
		await terminal.until('▸ name');
		terminal.type('new-one');
		for (const field of ['name', 'environment', 'compute']) {
			const screen = await terminal.until(/▸ (?:name|environment|compute)|y Rent/);
			if (!screen.includes(`▸ ${field}`)) continue;
			pressAction(terminal, 'form', 'accept');
			await terminal.gone(`▸ ${field}`);
		}
		await terminal.until('y Rent');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.untilTrue(words, () => tells(terminal.screen(), words));
		await seeEvidence(`POST /api/servers +${refusals[0]!.answer.status}`, words);
		allow();
		pressAction(terminal, 'confirm', 'yes');
		const created = await terminal.until(/than you confirmed|new-one is starting[^]*⏎ open/);
		if (created.includes('than you confirmed')) {
			pressAction(terminal, 'told', 'close');
			await terminal.gone('than you confirmed');
		}

		words = refuse('start', 1);
		await highlight(offline);
		pressAction(terminal, 'servers', 'start');
		for (const field of ['environment', 'compute', 'port']) {
			const screen = await terminal.until(/▸ (?:environment|compute|port)|y Start/);
			if (!screen.includes(`▸ ${field}`)) continue;
			// The form starts with the first option of the list if the server has no compute
			// option.
			if (new RegExp(`▸ ${field} +│`).test(screen)) pressAction(terminal, 'form', 'later');
			pressAction(terminal, 'form', 'accept');
			await terminal.gone(`▸ ${field}`);
		}
		await terminal.until('y Start');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.untilTrue(words, () => tells(terminal.screen(), words));
		allow();
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(
			new RegExp(`${escaped(label(offline))} (?:is starting|costs \\w+ than you confirmed)`),
		);
		if (terminal.screen().includes('than you confirmed')) {
			pressAction(terminal, 'told', 'close');
			await terminal.gone('than you confirmed');
		}
		foreign.finishStarts();
		await terminal.until(new RegExp(`▸ ${escaped(label(offline))} +● ready`));

		await highlight(ready);
		pressAction(terminal, 'servers', 'open');
		await terminal.until(foreign.listsFolders ? 'a.txt' : /This service lists no folders/);
		if (!foreign.listsFolders) {
			pressAction(terminal, 'tree', 'listByCode');
			await terminal.until('List the files by code?');
			pressAction(terminal, 'confirm', 'yes');
			await terminal.until('a.txt');
		}
		words = refuse('file', 4);
		pressAction(terminal, 'tree', 'open');
		await terminal.untilTrue(words, () => tells(terminal.screen(), words));
		allow();
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(foreign.file === '' ? 'This file is empty' : foreign.file.split(/\r?\n/)[0]!);

		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('>>>');
		terminal.type('print(1)');
		pressAction(terminal, 'repl', 'run');
		await terminal.until(foreign.printed);
		terminal.type(RAISES);
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/Oops|it raised/);
		words = refuse('run', 2);
		terminal.type('2');
		pressAction(terminal, 'repl', 'run');
		await terminal.untilTrue(words, () => tells(terminal.screen(), words));
		await seeEvidence(`run-code +${refusals[2]!.answer.status}`, words);
		allow();

		pressAction(terminal, 'anywhere', 'assistant');
		await terminal.until('^J new line');
		terminal.type('why?');
		pressAction(terminal, 'assistant', 'send');
		if (foreign.answer.end === 'whole') {
			await terminal.until('An answer of many wörds.');
			await terminal.gone('answering');
		}
		if (foreign.answer.end === 'error')
			await terminal.untilTrue('the error', () => tells(terminal.screen(), 'quota used up'));
		// If a connection is reset, the last bytes may be lost.
		if (foreign.answer.end === 'cut') await terminal.until(/the answer is not complete|was lost/);
		// The error may appear before the last line of the answer.
		await terminal.gone('── answering ');
		words = refuse('chat', 3);
		terminal.type('and now?');
		pressAction(terminal, 'assistant', 'send');
		await terminal.untilTrue(words, () => tells(terminal.screen(), words));
		allow();

		pressAction(terminal, 'anywhere', 'requests');
		await terminal.until(/✗ +POST +\/api\/assistant/);
		expect(sent, said).not.toContain(service.env['SVC_API_KEY']);
		for (const token of foreign.tokens)
			expect(sent.includes(token), `${said}: ${token} is visible`).toBe(false);
		expect(service.strays, said).toEqual([]);
	},
);
