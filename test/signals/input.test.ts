// @module-tag long
import {expect, test} from 'vitest';
import {openAssistant, openRepl, startWelcome} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {createRandom, newSeed} from '../support/random.ts';
import {waitFor} from '../support/wait-for.ts';
import {isTitleRule} from '../support/title-rule.ts';

const START = '\u001B[200~';
const END = '\u001B[201~';

test("a terminal's reports about itself are never typed into a field", async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	const reports = [
		'\u001B]11;rgb:0000/0000/0000\u0007',
		'\u001B]10;rgb:ffff/ffff/ffff\u001B\\',
		'\u001BP>|XTerm(379)\u001B\\',
		'\u001B_Gi=31;OK\u001B\\',
		'\u001B]52;c;cXVpdA==\u0007',
		'\u001B[<0;10;12M',
		'\u001B[<0;10;12m',
		'\u001B[32;10;12M',
		'\u001B[M !!',
		'\u001B[I',
		'\u001B[O',
		'\u001B[12;40R',
		'\u001B[?62;22c',
		'\u001B[>0;276;0c',
		'\u001B[?2026;2$y',
		END,
	];
	for (const report of reports) terminal.type(`x${report}`);
	terminal.type('ready');
	await terminal.until(`>>> ${'x'.repeat(reports.length)}ready`);
});

test('a paste without an end blocks nothing: Ctrl-C works at once, and the text is not lost', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type(`${START}pasted by`);
	pressAction(terminal, 'always', 'interrupt');
	// The text was moved into the history, like every text when Ctrl-C is pressed.
	await terminal.until('Set aside: Up brings it back');
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('>>> pasted by');
	pressAction(terminal, 'repl', 'leave');
	await terminal.until('esc servers');
	terminal.type(`${START}again`);
	pressAction(terminal, 'always', 'interrupt');
	await terminal.until('again to quit');
	pressAction(terminal, 'always', 'interrupt');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test('a paste without an end is text after a while, runs nothing, and typing continues', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type(`${START}first = 1\rsecond = 2`);
	await terminal.until(/>>> first = 1 *\n +\.\.\. second = 2 *$/m);
	terminal.type('0');
	await terminal.until('... second = 20');
	expect(terminal.screen()).not.toMatch(/\[[ *\d]+\] /);
});

test('a burst of five thousand letters arrives whole, and so does a paste of ninety-six thousand', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type(`"${'é日ab '.repeat(1000)}"[0:4]`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ → +'é日ab' *$/m);
	terminal.paste(`text = """\n${'line é日\n'.repeat(12_000)}"""\nlen(text), text.count("\\n")`);
	await terminal.until('... len(text), text.count("\\n")');
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/\[2\] [^]*→ +\(96001, 12001\)/);
});

test('keys typed while the program starts act in their order', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.untilTrue('raw mode', () => terminal.modes().alternateScreen);
	pressAction(terminal, 'global', 'compute');
	pressAction(terminal, 'compute', 'available');
	pressAction(terminal, 'global', 'servers');
	pressAction(terminal, 'global', 'help');
	await terminal.until('esc close');
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('esc close');
	pressAction(terminal, 'global', 'compute');
	await terminal.until(/^ avail −\d+ /m);
});

test('150 sudden sizes while an answer streams end in a correct frame, and keep the typed text', async () => {
	const {seed, below} = createRandom(newSeed());
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type('kept = 1');
	await openAssistant(terminal);
	terminal.type('what is str?');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/reference assistant[^]*answering/);
	terminal.type('kept as well');
	for (let count = 0; count < 150; count++) {
		const {frames} = terminal.events;
		terminal.resize(1 + below(count % 3 === 0 ? 500 : 150), 1 + below(count % 3 === 0 ? 200 : 50));
		// Most sizes arrive in bursts. Waiting for a frame now and then varies the size at which a
		// burst starts.
		if (count % 10 === 9) await terminal.untilTrue('a frame', () => terminal.events.frames > frames);
	}
	terminal.resize(140, 33);
	const why = `SEED=${seed}`;
	await terminal.until(/^ svc-tui .*welcome \S ready[^]*› kept as well/);
	await terminal.until('>>> kept = 1');
	pressAction(terminal, 'assistant', 'leave');
	// The answer may have ended before on a busy machine.
	await terminal.until(/stopped; the part received| in · /);
	// The expected text may be in a frame of an earlier size.
	await waitFor(() => {
		expect(terminal.line(0), why).toMatch(/^ svc-tui .*welcome \S ready/);
		expect(isTitleRule(terminal.line(1), 140), why).toBe(true);
		expect(terminal.line(32), why).toMatch(/ esc \S.*$/);
		expect(
			terminal
				.screen()
				.split('\n')
				.filter(line => line.startsWith(' svc-tui')),
			why,
		).toHaveLength(1);
		const dividers = Array.from({length: 28}, (_, row) => terminal.line(row + 2).charAt(92));
		// The scroll mark of the answer is on the divider.
		expect(
			dividers.filter(each => each !== '│' && each !== '┃'),
			why,
		).toEqual([]);
	});
});

test('Shift-Enter and Ctrl-J never run the typed code, in any encoding of the terminal', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	expect(terminal.modes().keys).toEqual(['1036', '1039', 'modifyOtherKeys']);
	// New lines as sent with xterm's modifyOtherKeys, with the kitty protocol, and by every
	// terminal.
	for (const newline of ['\u001B[27;2;13~', '\u001B[13;2u', '\n', '\u001B\r']) terminal.type(`1${newline}`);
	terminal.type('2');
	await terminal.until(/>>> 1 *\n +\.\.\. 1 *\n +\.\.\. 1 *\n +\.\.\. 1 *\n +\.\.\. 2 *$/m);
	expect(terminal.screen()).not.toMatch(/\[[ *\d]+\] /);
	// Ctrl-_ of an old terminal and Ctrl-/ of the kitty protocol undo the 2.
	terminal.type('\u001B[47;5u');
	await terminal.gone(/\.\.\. 2 *$/m);
	terminal.type('\u001B[45:95;4u');
	await terminal.until(/\.\.\. 2 *$/m);
});
