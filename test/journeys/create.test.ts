import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

/** Opens the create form, with the lists that check its fields. */
const openForm = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until('Price /h');
	await terminal.until('Medium CPU');
	pressAction(terminal, 'global', 'environments');
	await terminal.until(/Environments 10/);
	pressAction(terminal, 'global', 'servers');
	await terminal.until('State');
	pressAction(terminal, 'servers', 'create');
	await terminal.until('Rent a server');
	pressAction(terminal, 'review', 'name');
	await terminal.until(/▸ name/);
};

const fill = (terminal: Terminal, text: string): void => {
	pressAction(terminal, 'form', 'killToStart');
	terminal.type(text);
};

/** Clears the port field, whose suggested value is selected. */
const emptyPort = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/port +8888 /);
	pressAction(terminal, 'form', 'backspace');
	await terminal.until(/port +│/);
};

test('every invalid field shows the reason, and clears it when corrected', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openForm(terminal);

	pressAction(terminal, 'form', 'killToStart');
	pressAction(terminal, 'form', 'accept');
	await terminal.until('Give the server a name');
	fill(terminal, 'my.server');
	await terminal.until('Letters, digits and inner hyphens only');
	fill(terminal, 'Welcome');
	await terminal.until('already exists: choose another name');
	fill(terminal, 'fresh');
	await terminal.gone('already exists');

	pressAction(terminal, 'form', 'next');
	await terminal.until(/▸ environment/);
	pressAction(terminal, 'form', 'next');
	await terminal.until(/▸ compute/);
	fill(terminal, 'no-such-thing');
	pressAction(terminal, 'form', 'accept');
	await terminal.until('No compute option no-such-thing');
	fill(terminal, 'svc-medium');
	await terminal.gone('No compute option');

	pressAction(terminal, 'form', 'next');
	await terminal.until(/▸ port/);
	await emptyPort(terminal);
	terminal.type('70000');
	pressAction(terminal, 'form', 'next');
	await terminal.until('A port is a whole number from 1 to 65535');
});

test('port 0 is refused in words', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openForm(terminal);
	pressAction(terminal, 'form', 'previous');
	await terminal.until(/▸ port/);
	await emptyPort(terminal);
	terminal.type('0');
	await terminal.until(/port +0\s/);
	pressAction(terminal, 'form', 'accept');
	await terminal.until('A port is a whole number from 1 to 65535');
});

test('compute that is not available now is refused with its reason', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openForm(terminal);
	terminal.type('gpu-box');
	pressAction(terminal, 'form', 'next');
	pressAction(terminal, 'form', 'next');
	await terminal.until(/▸ compute/);
	fill(terminal, 'jarvislabs-A5000x2');
	pressAction(terminal, 'form', 'accept');
	await terminal.until('Not available in any region now');
});

test('a server created in the form, its environment from the list, becomes ready and is listed with these choices', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openForm(terminal);
	terminal.type('trainer');
	pressAction(terminal, 'form', 'next');
	const list = await terminal.until(/▸ environment[^]*▸ ai/);
	const second = /│ ▸ ai .*\n.*│ {3}([a-z][\w-]*) /.exec(list)?.[1];
	expect(second).toBeDefined();
	pressAction(terminal, 'form', 'later');
	await terminal.until(new RegExp(`│ ▸ ${second} `));
	pressAction(terminal, 'form', 'accept');
	await terminal.until(new RegExp(`Environment +${second}[^]*Compute +svc-medium[^]*Rent for free`));
	// The key that completes the form does not submit it.
	pressAction(terminal, 'form', 'accept');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.gone('Rent a server');
	await terminal.until(/trainer \S ready/);
	await terminal.until(new RegExp(`▸ trainer +\\S ready +\\dm +Medium CPU +${second} +0\\.00 +0\\.00 `));
	await terminal.until(/welcome +\S offline/);
	await terminal.until(/Servers 2 · 1 ready/);
});

test(
	'in the smallest terminal the form shows the field being filled, and the price before it is sent',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 60, rows: 15});
		await openForm(terminal);
		terminal.type('small');
		await terminal.until(/▸ name +small/);
		pressAction(terminal, 'form', 'next');
		const list = await terminal.until(/▸ environment[^]*▸ ai /);
		// The list is drawn inside its box, and the rows below the box are complete.
		expect(list).toMatch(/╰─+(?: \d+\/\d+ ─*)?╯/);
		expect(terminal.line(13)).toBe('');
		expect(terminal.line(14)).toMatch(/^ ⏎ review .* esc close the form/);
		pressAction(terminal, 'form', 'next');
		await terminal.until(/▸ compute +svc-medium/);
		pressAction(terminal, 'form', 'next');
		await terminal.until(/▸ port +8888/);
		pressAction(terminal, 'form', 'accept');
		await terminal.until('y Rent for free');
	},
);

test(
	'the previous field keeps the name: the next letter is added, and text replaced by a letter is shown and restored',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await openForm(terminal);
		terminal.type('trainer');
		pressAction(terminal, 'form', 'next');
		await terminal.until(/▸ environment/);
		pressAction(terminal, 'form', 'previous');
		await terminal.until(/▸ name +trainer/);
		terminal.type('s');
		await terminal.until(/▸ name +trainers /);
		pressAction(terminal, 'form', 'undo');
		await terminal.until(/▸ name +trainer /);
		pressAction(terminal, 'form', 'previous');
		await terminal.until(/▸ port +8888/);
		terminal.type('9');
		await terminal.until(/▸ port +9 /);
		pressAction(terminal, 'form', 'undo');
		await terminal.until(/▸ port +8888 /);
	},
);

test('leaving the form creates nothing', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openForm(terminal);
	terminal.type('trainer');
	await terminal.until(/name +trainer/);
	pressAction(terminal, 'form', 'cancel');
	await terminal.gone('Rent a server');
	pressAction(terminal, 'global', 'refresh');
	expect(await terminal.until(/Servers 1 /)).not.toContain('trainer');
});
