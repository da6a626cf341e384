import {PassThrough} from 'node:stream';
import {render} from 'ink';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createStore, ROOMS} from '../../src/tui/app.ts';
import {App} from '../../src/tui/core/frame/app.tsx';
import {createKeyTurn} from '../../src/tui/core/key-turn.ts';
import {keyTable} from '../../src/tui/core/keys/key-table.ts';
import {KeysProvider} from '../../src/tui/core/keys/keys.tsx';
import {readKeys} from '../../src/tui/core/keys/rebind.ts';
import {assemble} from '../../src/tui/core/rooms.ts';
import {shownText} from '../frames/draw.tsx';
import {keyBytes} from '../support/key-bytes.ts';
import {notes} from './fixtures/notes/index.ts';

const size = {columns: 120, rows: 30};
const turn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** The program with one room more, in a terminal; its service never answers. */
const open = () => {
	assemble([...ROOMS, notes]);
	const store = createStore({
		client: async () => new Promise(() => {}),
		now: () => 0,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => new Promise(() => {}),
		open: async () => false,
	});
	let frame = '';
	const screen = Object.assign(new PassThrough(), {...size, isTTY: true});
	screen.on('data', (chunk: Buffer) => {
		frame = chunk.toString('utf8');
	});
	const input = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => input,
		ref() {},
		unref() {},
	});
	const app = render(
		<KeysProvider turn={createKeyTurn(store)}>
			<App />
		</KeysProvider>,
		{stdin: input as never, stdout: screen as never, debug: true, patchConsole: false, exitOnCtrlC: false},
	);
	return {
		press: (...keys: readonly string[]) => input.write(keys.map(key => keyBytes(key)).join('')),
		/** Waits until the screen shows it, and answers the screen. */
		async until(pattern: RegExp): Promise<string> {
			let text = '';
			await expect
				.poll(async () => {
					await turn();
					text = await shownText(frame, size);
					return text;
				})
				.toMatch(pattern);
			return text;
		},
		close: () => app.unmount(),
	};
};

let terminal: ReturnType<typeof open>;
beforeAll(() => {
	terminal = open();
});
afterAll(() => {
	terminal.close();
	assemble(ROOMS);
});

test('a new room has a tab, and its jump key leads to its list', async () => {
	expect(await terminal.until(/ 7 Notes /)).toContain('6 Chat');
	terminal.press('7');
	expect(await terminal.until(/> shopping/)).toMatch(/^ {2}plan/m);
});

test('its keys are in the footer and do what they say, also those of a list and several at once', async () => {
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
