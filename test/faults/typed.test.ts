// @module-tag long
import {expect, test, vi} from 'vitest';
import {block, label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome} from '../support/program.ts';
import {beginning} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {serverItem, startHostileService, success} from './hostile-service.ts';
import {openWatched, screenOf, textOf} from './watched-screen.ts';

vi.setConfig({testTimeout: 240_000});

/** Texts that can be pasted into one line. */
const TEXTS = CASES.filter(
	text => !/[\r\n]|\u001B\[20[01]~/.test(text) && text.isWellFormed() && text.length < 1000,
);
const GROUPS = Array.from({length: Math.ceil(TEXTS.length / 8)}, (_, index) =>
	TEXTS.slice(index * 8, index * 8 + 8),
);
/** Number of texts that are pasted as questions, one by one. */
const LAST = 30;
const squeezed = (text: string): string => text.replaceAll(/[\s│┃↪]/g, '');

test(`${TEXTS.length} texts pasted as code: in the field, in the cell, brought back from the history, and in the fields of the next program`, async () => {
	await using home = await newHome();
	await using service = await startHostileService();
	// A terminal that shows a single pane.
	const size = {columns: 98, rows: 40, home};
	const expectLines = (shown: string, texts: readonly string[]): void => {
		for (const text of texts) expect(squeezed(shown)).toContain(squeezed(beginning(block(`# ${text}`), 60)));
	};
	{
		await using screen = await openWatched(service, size);
		const {terminal} = screen;
		await screen.shows(/calm +\S ready/);
		pressAction(terminal, 'global', 'repl');
		await screen.shows('>>>');
		for (const group of GROUPS) {
			terminal.paste(group.map(text => `# ${text}`).join('\n'));
			await screen.sees(frame => expectLines(screenOf(frame), group.slice(-3)));
			pressAction(terminal, 'repl', 'run');
			await screen.sees(frame => {
				expectLines(screenOf(frame), group);
				expect(frame.some(row => /^ >>> *$/.test(textOf(row)))).toBe(true);
				// During the answer, Ctrl-C stops the answer and does not clear the field.
				expect(screenOf(frame)).not.toContain('running');
			});
			pressAction(terminal, 'repl', 'earlier');
			await screen.sees(frame => expect(frame.some(row => textOf(row).startsWith(' >>> # '))).toBe(true));
			pressAction(terminal, 'always', 'interrupt');
			await screen.shows('Set aside');
		}
		terminal.paste(TEXTS.map(text => `# ${text}`).join('\n'));
		await screen.sees(frame => expectLines(screenOf(frame), TEXTS.slice(-3)));
		pressAction(terminal, 'anywhere', 'assistant');
		await screen.shows('Assistant · ');
		// The texts are pasted one by one, because a paste of many lines would be shown as a short
		// label.
		for (const text of TEXTS.slice(-LAST)) {
			terminal.paste(`# ${text}`);
			pressAction(terminal, 'assistant', 'newline');
		}
		await screen.sees(frame => expectLines(screenOf(frame), TEXTS.slice(-3)));
		pressAction(terminal, 'anywhere', 'servers');
		pressAction(terminal, 'global', 'quit');
		expect(await terminal.exit).toEqual({code: 0, signal: null});
		expect(screen.harm()).toEqual([]);
	}
	await using screen = await openWatched(service, size);
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	for (const [pane, first] of [
		['repl', 0],
		['assistant', -LAST],
	] as const) {
		pressAction(terminal, 'anywhere', pane);
		await screen.sees(frame => expectLines(screenOf(frame), TEXTS.slice(-3)));
		pressAction(terminal, pane, 'textStart');
		await screen.sees(frame => expectLines(screenOf(frame), TEXTS.slice(first).slice(0, 3)));
	}
	expect(screen.harm()).toEqual([]);
});

test(`${TEXTS.length} texts pasted into the filter of a list: each finds the one row that has it`, async () => {
	await using service = await startHostileService({
		servers: () => success({servers: TEXTS.map((text, index) => serverItem(`${text} #${index}`))}),
	});
	await using screen = await openWatched(service, {columns: 118, rows: 20});
	const {terminal} = screen;
	await screen.shows(` Servers ${TEXTS.length} `);
	pressAction(terminal, 'servers', 'filter');
	for (const [index, text] of TEXTS.entries()) {
		terminal.paste(`${text} #${index}`);
		await screen.sees(frame => {
			expect(screenOf(frame)).toMatch(new RegExp(`^─ Servers \\d+ of ${TEXTS.length} `, 'm'));
			expect(
				frame
					.slice(3)
					.map(textOf)
					.find(row => row.startsWith(' ▸ ')),
			).toContain(beginning(label(text), 20));
		});
		pressAction(terminal, 'filter', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});
