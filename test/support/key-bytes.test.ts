import {expect, test} from 'vitest';
import {keyBytes} from './key-bytes.ts';

test.each([
	['enter', '\r'],
	['esc', '\u001B'],
	['up', '\u001B[A'],
	['pageDown', '\u001B[6~'],
	['pagedown', '\u001B[6~'],
	['ctrl+c', '\u0003'],
	['ctrl+space', '\0'],
	['alt+1', '\u001B1'],
	['alt+enter', '\u001B\r'],
	['shift+tab', '\u001B[Z'],
	['ctrl+left', '\u001B[1;5D'],
	['shift+up', '\u001B[1;2A'],
	['alt+pageup', '\u001B[5;3~'],
	['G', 'G'],
	['?', '?'],
	['+', '+'],
	['ctrl+alt+x', '\u001B\u0018'],
	['f1', '\u001BOP'],
	['ü', 'ü'],
])('%s reaches the program as xterm sends it', (name, bytes) => {
	expect(keyBytes(name)).toBe(bytes);
});

test('arrows change in application cursor mode', () => {
	expect(keyBytes('up', {applicationCursor: true})).toBe('\u001BOA');
	expect(keyBytes('ctrl+up', {applicationCursor: true})).toBe('\u001B[1;5A');
});

test.each(['shift+enter', 'ctrl+enter', 'hyper+x', 'entr', 'ctrl+1'])(
	'%s is refused: a test must not press what no terminal sends',
	name => {
		expect(() => keyBytes(name)).toThrow(RangeError);
	},
);
