import {expect, test} from 'vitest';
import {plainKey} from '../../../../src/tui/core/keys/modified-keys.ts';

test.each([
	// Format of xterm's modifyOtherKeys: modifiers, then the key.
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
	// A keyboard layout without Latin letters. The third number is the key in the same position of
	// the US layout.
	['Ctrl-C on a Cyrillic layout', '\u001B[1089::99;5u', '\u001B[99;5u'],
	['Ctrl-C on a Greek layout', '\u001B[968::99;5u', '\u001B[99;5u'],
	['Ctrl-R, held, on a Hebrew layout', '\u001B[1512::114;5:2u', '\u001B[114;5:2u'],
	['Ctrl-/ on a Cyrillic layout', '\u001B[46:44:47;5u', '\u001B[46;5u'],
	['Ctrl-Shift-A on a Cyrillic layout', '\u001B[1092:1060:97;6u', '\u001B[97;6u'],
	['Alt-B on a Cyrillic layout', '\u001B[1080::98;3u', '\u001B[98;3u'],
	['Alt-Shift-B on a Cyrillic layout', '\u001B[1080:1048:98;4u', '\u001B[66;3u'],
	['Alt-< on a Cyrillic layout', '\u001B[1073:1041:44;4u', '\u001B[60;3u'],
	['Alt-? on a Cyrillic layout', '\u001B[1102:1070:47;4u', '\u001B[63;3u'],
	['Ctrl-Z on a German layout, which has a Z elsewhere', '\u001B[122::121;5u', '\u001B[122;5u'],
	['Ctrl-C with Caps Lock on', '\u001B[1089::99;69u', '\u001B[99;69u'],
	// The numeric keypad.
	['7 of the numeric keypad', '\u001B[57406u', '\u001B[55u'],
	['0 of the numeric keypad with Num Lock on', '\u001B[57399;129u', '\u001B[48;129u'],
	['the point of the numeric keypad', '\u001B[57409;1u', '\u001B[46;1u'],
	['the minus of the numeric keypad', '\u001B[57412u', '\u001B[45u'],
	['Enter of the numeric keypad', '\u001B[57414;129u', '\u001B[13;129u'],
	['Alt-2 of the numeric keypad', '\u001B[57401;3u', '\u001B[50;3u'],
	['the equals sign of the numeric keypad', '\u001B[57415u', '\u001B[61u'],
	['the separator of the numeric keypad', '\u001B[57416u', '\u001B[44u'],
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
	// Arrow and Begin of the numeric keypad, and a Cyrillic letter without a modifier.
	'\u001B[57417;129u',
	'\u001B[57427u',
	'\u001B[1089;129u',
	'\u001B[Z',
	'\u001B',
])('%j stays as it is', sent => {
	expect(plainKey(sent)).toBe(sent);
});
