import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';

const FAMILY = '👩‍👩‍👧';
const LEFT = '\u001B[D';
const BACKSPACE = '\u007F';

/** The text between the start of a field and the cursor. */
const beforeCursor = (terminal: Terminal, name: string): string => {
	const {row, column} = terminal.cursor();
	const line = Array.from({length: column}, (_, at) => terminal.cell(at, row)).join('');
	return line.slice(line.indexOf(name) + name.length).trimStart();
};

test('a form is filled and left for its last page with one burst of keys, and its port takes digits only', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until('welcome');
	terminal.type('ctrainer\t\t\t12345\u007F\u007F\u001B[D\u001B[D7\r');
	await terminal.until(/y Rent /);
	await terminal.until(/Port +1723/);
	pressAction(terminal, 'review', 'port');
	await terminal.until(/▸ port +1723/);
	terminal.type('8é');
	await terminal.until('A port is a whole number: digits only');
	await terminal.until(/▸ port +8 /);
	terminal.type('\u001F');
	await terminal.until(/▸ port +1723 /);
	// The first key replaces the old text. Undo first removes the letters one by one, then restores
	// the old text.
	terminal.type('88\u001F\u001F');
	await terminal.until(/▸ port +1723 /);
	pressAction(terminal, 'form', 'lineStart');
	terminal.type('\u001B[3~\u001B[3~9');
	await terminal.until(/▸ port +923 /);
	terminal.paste('4\r5');
	await terminal.until('A port is a whole number: digits only');
	await waitFor(() => expect(beforeCursor(terminal, 'port')).toBe('9'));
});

test(
	'a name of a profile is edited by graphemes and words, however many keys come together',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until('welcome');
		pressAction(terminal, 'anywhere', 'signIn');
		await terminal.until('Sign in');
		terminal.type(`https://one.example\tmy lab${FAMILY}日本${LEFT}${LEFT}${BACKSPACE}x${LEFT}!`);
		await terminal.until(/Profile +my lab!x日本/);
		// The package draws the letter, the store moves the cursor after it.
		await waitFor(() => expect(beforeCursor(terminal, 'Profile')).toBe('my lab!'));
		// A word back, a word removed, and it is inserted after the rest.
		terminal.type('\u001Bb\u0017\u0005\u0019');
		await terminal.until(/Profile +lab!x日本my /);
		terminal.type('\u0001\u000B');
		await terminal.until(/Profile +one\.example/);
		terminal.type(`${FAMILY}é${FAMILY}${LEFT}${LEFT}${BACKSPACE}`);
		await terminal.until(/Profile +é👩/u);
		terminal.paste('a\r\nb');
		await terminal.until(/Profile +a bé/);
		// Shift-Tab returns from the key, and text typed in one field is in no other.
		terminal.type('\rsecret\u001B[Z\u0001\u000Bwork\tmore');
		await terminal.until(/Profile +work[^]*API key +\*{10}/);
		expect(terminal.screen()).not.toContain('secret');
	},
);
