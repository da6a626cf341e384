// @module-tag long
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {ask, columnsOf, openAssistant, openPricesFile, startWelcome, withEndlessAnswers} from './steps.ts';

const SIZE = {columns: 140, rows: 40};
/** Width of the largest pane at this size, in cells. */
const MAIN = 92;

/** Moves the focus to the assistant, which is beside or below the open file. */
const tabToAssistant = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('esc read the cells');
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('esc read the answers');
};

test('an answer about a file is drawn beside the open file while it arrives', {tags: 'plain'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openPricesFile(terminal);
	await tabToAssistant(terminal);
	ask(terminal, 'what is in src/prices.py?');
	const during = await terminal.until(/› [^]* reference assistant[^]*answering/);
	expect(columnsOf(during, 0, MAIN)).toContain('def load(path=');
	expect(columnsOf(during, MAIN)).not.toContain(' in · ');
	const after = await terminal.until(' in · ');
	const answer = columnsOf(after, MAIN);
	expect(answer).toMatch(/› what is in src\/prices\.py\?/);
	expect(answer).toMatch(/line 7: def\s+│ +load\(/);
	expect(answer).toMatch(/model_2 · \d+ in · \d+ out/);
	expect(columnsOf(after, 0, MAIN)).toContain('def load(path=');
});

test(
	'at 80x24 an answer arrives below the code, also once another pane is the big one',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using _ = await withEndlessAnswers(home);
		await using terminal = await openProgram({home, columns: 80, rows: 24});
		await startWelcome(terminal);
		await openPricesFile(terminal);
		const code = terminal.screen().split('\n').slice(3, 7);
		await tabToAssistant(terminal);
		ask(terminal, 'what is str?');
		const during = await terminal.until(/import csv[^]*\n─ {1,3}Assistant · welcome[^]*goes on[^]*answering/);
		expect(during.split('\n').slice(3, 7)).toEqual(code);
		pressAction(terminal, 'anywhere', 'assistant');
		await terminal.gone('import csv');
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until(/def load[^]*\n─ {1,3}Assistant · welcome[^]*goes on[^]*answering/);
	},
);

test('the file scrolls while an answer arrives beside it', {tags: 'plain'}, async () => {
	await using home = await newHome();
	await using _ = await withEndlessAnswers(home);
	await using terminal = await openProgram({home, ...SIZE, rows: 24});
	await startWelcome(terminal);
	await openPricesFile(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await terminal.until(/goes on[^]*answering/);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('/ find');
	pressAction(terminal, 'viewer', 'down');
	pressAction(terminal, 'viewer', 'down');
	pressAction(terminal, 'viewer', 'down');
	const scrolled = await terminal.until(/prices\.py ─+ 4\/32 /);
	expect(scrolled).toContain('answering');
	expect(columnsOf(scrolled, 0, MAIN)).toMatch(/\n +4 {2}from statistics import median/);
	// The answer continues: its last row changes while the user reads.
	const before = columnsOf(scrolled, MAIN);
	await terminal.untilTrue(
		'more of the answer beside the scrolled file',
		() =>
			terminal.screen().includes('answering') &&
			columnsOf(terminal.screen(), MAIN) !== before &&
			/prices\.py ─+ 4\/32 /.test(terminal.screen()),
	);
});

test(
	'Esc stops a long answer, keeps the part received, and the next question is answered',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openAssistant(terminal);
		ask(terminal, 'what is str?');
		await terminal.until(/ .*reference assistant[^]* .*class str\(object\)[^]*answering/);
		pressAction(terminal, 'assistant', 'leave');
		const stopped = await terminal.until('stopped; the part received is kept');
		expect(stopped).not.toContain('answering');
		expect(stopped).toContain('class str(object)');
		expect(stopped).not.toMatch(/ in · | tokens /);
		ask(terminal, 'what is len?');
		const next = await terminal.until(' in · ');
		expect(next).toMatch(/› what is len\?/);
		expect(next).toContain('Return the number of items in a container');
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until(/⏎ ask +y copy/);
		pressAction(terminal, 'turns', 'first');
		const top = await terminal.until(/› what is str\?/);
		expect(top).toContain('class str(object)');
		expect(top).toContain('stopped; the part received is kept');
	},
);

test('the answer continues while another screen is shown, which its tab shows', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	pressAction(terminal, 'anywhere', 'compute');
	await terminal.until(/Assistant ◌[^]*Price \/h/);
	await terminal.gone('Assistant ◌', 60_000);
	pressAction(terminal, 'global', 'assistant');
	await terminal.until(/ in · \d+ out/);
});

test('another model is chosen from a list, and one without usage data says so', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	pressAction(terminal, 'assistant', 'model');
	await terminal.until('Model for the next questions');
	terminal.type('4');
	await terminal.until(/□ model_4/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('Assistant · welcome · model_4');
	ask(terminal, 'what is len?');
	await terminal.until('model_4 · tokens unknown');
});

test('the assistant explains the error that the last cell raised', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('>>>');
	terminal.type('{"a": 1}["b"]');
	pressAction(terminal, 'repl', 'run');
	await terminal.until("KeyError: 'b'");
	await terminal.until('[1]');
	await openAssistant(terminal);
	ask(terminal, 'explain the last error');
	const screen = await terminal.until(' in · ');
	expect(columnsOf(screen, 0, MAIN)).toContain('KeyError');
	expect(columnsOf(screen, MAIN)).toContain("KeyError: 'b'");
});

test('words are found in the conversation from a list, and n and N continue from there', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await terminal.until(' in · ');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('⏎ ask');
	pressAction(terminal, 'turns', 'findNext');
	await terminal.until('Nothing to search for yet: / starts a search');
	pressAction(terminal, 'turns', 'find');
	await terminal.until('Find in the conversation');
	terminal.type('encoding');
	await terminal.until(/turn 1/);
	pressAction(terminal, 'chooser', 'accept');
	const [, count = ''] =
		/\/ encoding 1\/(\d+) n next, N before/.exec(await terminal.until(/\/ encoding 1\/\d+ n next/)) ?? [];
	expect(Number(count)).toBeGreaterThan(1);
	pressAction(terminal, 'turns', 'findNext');
	await terminal.until(`/ encoding 2/${count} `);
	pressAction(terminal, 'turns', 'findPrevious');
	await terminal.until(`/ encoding 1/${count} `);
	pressAction(terminal, 'turns', 'findPrevious');
	expect(await terminal.until(`/ encoding ${count}/${count} `)).toContain('The search wrapped around');
});
