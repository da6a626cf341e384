// @module-tag long
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {ask, columnsOf, openAssistant, openPricesFile, startWelcome, withEndlessAnswers} from './steps.ts';

const SIZE = {columns: 120, rows: 40};
const FILE_PANE = 60;

test('an answer about a file is drawn beside the open file while it arrives', {tags: 'plain'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openPricesFile(terminal);
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('^J new line');
	ask(terminal, 'what is in src/prices.py?');
	const during = await terminal.until(/▌ [^]*answering/);
	expect(columnsOf(during, 0, FILE_PANE)).toContain('def load(path=');
	expect(columnsOf(during, FILE_PANE)).not.toContain('tokens in');
	const after = await terminal.until('tokens in');
	const answer = columnsOf(after, FILE_PANE);
	expect(answer).toMatch(/you +what is in src\/prices\.py\?/);
	expect(answer).toContain('line 7: `def load(');
	expect(answer).toMatch(/model_2 +\d+ tokens in, \d+ out/);
	expect(columnsOf(after, 0, FILE_PANE)).toContain('def load(path=');
});

test('the file scrolls while an answer arrives beside it', {tags: 'plain'}, async () => {
	await using home = await newHome();
	await using _ = await withEndlessAnswers(home);
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openPricesFile(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await terminal.until(/▌ [^]*answering/);
	pressAction(terminal, 'anywhere', 'files');
	pressAction(terminal, 'viewer', 'down');
	pressAction(terminal, 'viewer', 'down');
	pressAction(terminal, 'viewer', 'down');
	const scrolled = await terminal.until(/prices\.py ─+ 4\/32 /);
	expect(scrolled).toContain('answering');
	expect(columnsOf(scrolled, 0, FILE_PANE)).toMatch(/\n +4 {2}from statistics import median/);
	// The answer continues: its last row changes while the user reads.
	const before = columnsOf(scrolled, FILE_PANE);
	await terminal.untilTrue(
		'more of the answer beside the scrolled file',
		() =>
			terminal.screen().includes('answering') &&
			columnsOf(terminal.screen(), FILE_PANE) !== before &&
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
		await terminal.until(/▌ .*reference assistant[^]*▌ .*class str\(object\)[^]*answering/);
		pressAction(terminal, 'assistant', 'leave');
		const stopped = await terminal.until('stopped; the part received is kept');
		expect(stopped).not.toContain('answering');
		expect(stopped).toContain('class str(object)');
		expect(stopped).not.toMatch(/tokens (in|n\/a)/);
		ask(terminal, 'what is len?');
		const next = await terminal.until('tokens in');
		expect(next).toMatch(/you +what is len\?/);
		expect(next).toContain('Return the number of items in a container');
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until('R ask again');
		pressAction(terminal, 'turns', 'first');
		const top = await terminal.until(/you +what is str\?/);
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
	await terminal.until(/Assistant ◌[^]*PRICE \/H/);
	await terminal.gone('Assistant ◌', 60_000);
	pressAction(terminal, 'global', 'assistant');
	await terminal.until(/tokens in, \d+ out/);
});

test('another model is chosen from a list, and one without usage data shows n/a', async () => {
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
	await terminal.until(/model_4 +tokens n\/a/);
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
	await terminal.until('In [1]');
	await openAssistant(terminal);
	ask(terminal, 'explain the last error');
	const screen = await terminal.until('tokens in');
	expect(columnsOf(screen, 0, FILE_PANE)).toContain("KeyError: 'b'");
	expect(columnsOf(screen, FILE_PANE)).toContain('KeyError');
});

test('words are found in the conversation from a list, and n and N continue from there', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await terminal.until('tokens in');
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
