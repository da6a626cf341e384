import {expect, test} from 'vitest';
import {plainKey} from '../../../../src/tui/core/keys/modified-keys.ts';

test.each([
	// modifyOtherKeys of xterm: modifiers, then the key.
	['Shift-Enter', '\u001B[27;2;13~', '\u001B[13;2u'],
	['Ctrl-Enter', '\u001B[27;5;13~', '\u001B[13;5u'],
	['Ctrl-1', '\u001B[27;5;49~', '\u001B[49;5u'],
	['Ctrl-minus, which undoes as Ctrl-_ does', '\u001B[27;5;45~', '\u001B[95;5u'],
	// The kitty protocol with alternate keys.
	['Alt-?', '\u001B[47:63;4u', '\u001B[63;3u'],
	['Alt-_', '\u001B[45:95;4u', '\u001B[95;3u'],
	['Alt-B', '\u001B[98:66;4u', '\u001B[66;3u'],
	['Alt-? with Num Lock on', '\u001B[47:63;132u', '\u001B[63;131u'],
	['Alt-?, held', '\u001B[47:63;4:2u', '\u001B[63;3:2u'],
	['Alt-? of a keyboard that is named too', '\u001B[223:63:47;4u', '\u001B[63;3u'],
	['Ctrl-Shift-A, which is Ctrl-A', '\u001B[97:65;6u', '\u001B[97;6u'],
	['Ctrl-/, which is Ctrl-_', '\u001B[47;5u', '\u001B[95;5u'],
	['Shift-Enter of kitty', '\u001B[13;2u', '\u001B[13;2u'],
	['Alt-1', '\u001B[49;3u', '\u001B[49;3u'],
])('%s comes in the form that Ink reads', (_, sent, read) => {
	expect(plainKey(sent)).toBe(read);
});

test.each([
	'\u001B[A',
	'\u001B[1;5C',
	'\u001B[3~',
	'\u001B[27~',
	'\u001B[27;5u',
	'\u001B[?1u',
	'\u001B[57441;1:3u',
	'\u001B[97u',
	'\u001B[Z',
	'\u001B',
])('%j stays as it is', sent => {
	expect(plainKey(sent)).toBe(sent);
});
