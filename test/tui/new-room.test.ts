import {afterAll, beforeAll, expect, test} from 'vitest';
import {FEATURES} from '../../src/tui/feature-list.ts';
import {keyTable} from '../../src/tui/core/keys/key-table.ts';
import {readKeys} from '../../src/tui/core/keys/rebind.ts';
import {assemble} from '../../src/tui/core/features.ts';
import {keyBytes} from '../support/key-bytes.ts';
import {openScreens} from '../support/screens.tsx';
import {notes} from './fixtures/notes/index.ts';

/** A store of the program with an additional feature. */
const open = () => {
	assemble([...FEATURES, notes]);
	const screens = openScreens();
	return {
		...screens,
		press: (...keys: readonly string[]) => screens.type(keys.map(key => keyBytes(key)).join('')),
	};
};

let terminal: ReturnType<typeof open>;
beforeAll(() => {
	terminal = open();
});
afterAll(() => {
	terminal.close();
	assemble(FEATURES);
});

test('a new room has a tab, and its jump key leads to its list', async () => {
	expect(await terminal.until(/ 7 Notes /)).toMatch(/6 (?:Chat|Assistant)/);
	terminal.press('7');
	expect(await terminal.until(/> shopping/)).toMatch(/^ {2}plan/m);
});

test('its keys are in the footer and work, also those of a list and several at once', async () => {
	expect((await terminal.until(/read the note/)).trimEnd().split('\n').at(-1)).toContain('p pin the note');
	terminal.press('j', 'p');
	await terminal.until(/> plan \(pinned\)/);
	terminal.press('p');
	await terminal.until(/plan is pinned already/);
});

test('its dialog opens above the list and closes again', async () => {
	terminal.press('k', 'enter');
	await terminal.until(/Two GPUs and a loaf of bread/);
	terminal.press('esc', 'j');
	expect(await terminal.until(/> plan/)).not.toContain('loaf');
});

test('the filter of its list takes text', async () => {
	terminal.press('/', ...'shop');
	expect(await terminal.until(/> shopping/)).not.toMatch(/^ {2}plan/m);
	terminal.press('enter', 'U');
	await terminal.until(/plan \(pinned\)/);
});

test('from elsewhere the palette leads to it and does what its key does', async () => {
	terminal.press('1');
	await terminal.until(/ Servers /);
	terminal.press('ctrl+p', ...'read the note');
	await terminal.until(/Read the note {3}Notes/);
	terminal.press('enter');
	await terminal.until(/Train on Monday/);
	terminal.press('esc');
});

test('help lists its keys, the settings give it others, and the printed table has them', async () => {
	terminal.press('?', ...'pin the note');
	await terminal.until(/Pin the note.* p /);
	terminal.press('esc');
	expect(readKeys({'notes.pin': 'x'})).toEqual({rebound: {'notes.pin': ['x']}, problems: []});
	expect(keyTable()).toMatch(/^ {2}p +notes\.pin +pin the note$/m);
});
