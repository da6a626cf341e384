import xterm from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {block, label, output} from '../../src/text/safe.ts';
import {hostileString} from './hostile-characters.ts';
import {HOSTILE_TEXTS} from './hostile-text.ts';
import {testCases} from '../support/test-cases.ts';

type Watched = {readonly terminal: xterm.Terminal; readonly events: string[]};

/** A terminal emulator that records everything except text, line ends and colours. */
const watchedTerminal = (): Watched => {
	const terminal = new xterm.Terminal({
		cols: 80,
		rows: 24,
		allowProposedApi: true,
		scrollback: 100_000,
		logLevel: 'off',
	});
	const events: string[] = [];
	const note = (event: string) => {
		events.push(event);
	};

	terminal.onTitleChange(title => note(`title ${title}`));
	terminal.onBell(() => note('bell'));
	terminal.onData(data => note(`reply ${JSON.stringify(data)}`));
	terminal.onBinary(() => note('binary reply'));
	const handled = (event: string) => () => {
		note(event);
		return true;
	};

	for (const command of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 22, 50, 52, 99, 104, 133, 777, 1337])
		terminal.parser.registerOscHandler(command, handled(`osc ${command}`));
	for (let final = 0x40; final <= 0x7e; final++) {
		const letter = String.fromCharCode(final);
		if (letter !== 'm') terminal.parser.registerCsiHandler({final: letter}, handled(`csi ${letter}`));
		for (const prefix of ['?', '>', '='])
			terminal.parser.registerCsiHandler({prefix, final: letter}, handled(`csi ${prefix}${letter}`));
		for (const intermediates of ['', '$', '+'])
			terminal.parser.registerDcsHandler(
				{intermediates, final: letter},
				handled(`dcs ${intermediates}${letter}`),
			);
		if (!'[]PX^_'.includes(letter))
			terminal.parser.registerEscHandler({final: letter}, handled(`esc ${letter}`));
	}

	return {terminal, events};
};

const write = (terminal: xterm.Terminal, text: string): Promise<void> =>
	new Promise(resolve => terminal.write(`${text.replaceAll('\n', '\r\n')}\r\n`, resolve));

const safe = (text: string): string => [label(text), block(text), output(text).text].join('\n');

test('the watched terminal notices the raw hostile texts, so that silence means something', async () => {
	const {terminal, events} = watchedTerminal();
	for (const {text} of HOSTILE_TEXTS) await write(terminal, text);
	const kinds = new Set(events.map(event => event.split(' ')[0]));
	expect([...kinds].sort()).toEqual(['bell', 'csi', 'dcs', 'esc', 'osc']);
	expect(events).toContain('osc 52');
});

test('a terminal that is fed the safe form of every hostile text does nothing but print', async () => {
	const {terminal, events} = watchedTerminal();
	for (const {text} of HOSTILE_TEXTS) await write(terminal, safe(text));
	expect(events).toEqual([]);
	expect(terminal.buffer.active.type).toBe('normal');
	expect(terminal.modes.mouseTrackingMode).toBe('none');
});

testCases('nor does it for generated hostile texts', 100, async cases => {
	const {terminal, events} = watchedTerminal();
	await fc.assert(
		fc.asyncProperty(fc.array(hostileString(), {minLength: 20, maxLength: 20}), async texts => {
			await write(terminal, texts.map(safe).join('\n'));
			expect(events).toEqual([]);
		}),
		{numRuns: cases},
	);
});

testCases('a line of output after any other starts without colour', 300, async cases => {
	const {terminal} = watchedTerminal();
	await fc.assert(
		fc.asyncProperty(hostileString(), async text => {
			terminal.reset();
			await write(terminal, `${output(text).text}\nplain`);
			const buffer = terminal.buffer.active;
			const cell = buffer.getLine(buffer.baseY + buffer.cursorY - 1)?.getCell(0);
			expect(cell?.getChars()).toBe('p');
			expect([cell?.isFgDefault(), cell?.isBgDefault(), cell?.isBold(), cell?.isInverse()]).toEqual([
				true,
				true,
				0,
				0,
			]);
		}),
		{numRuns: cases},
	);
});
