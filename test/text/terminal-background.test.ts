import {expect, test} from 'vitest';
import {backgroundIn, backgroundFromEnv} from '../../src/text/terminal-background.ts';

test.each([
	['\u001B]11;rgb:ffff/ffff/ffff\u001B\\', 'light'],
	['\u001B]11;rgb:0000/0000/0000\u0007', 'dark'],
	['\u001B]11;rgb:fd/f6/e3\u0007', 'light'],
	['\u001B]11;rgba:1e1e/1e1e/1e1e/ffff\u001B\\', 'dark'],
	['\u001B]11;rgb:0/0/f\u0007', 'dark'],
	['\u001B]11;rgb:7f/7f/7f\u0007', 'light'],
	['\u001B]10;rgb:ffff/ffff/ffff\u0007', null],
	['\u001B]11;rgb:ffff/ffff\u0007', null],
	['\u001B]11;#ffffff\u0007', null],
	['\u001B[?62;c', null],
])('the report %j means a background that is %s', (report, ground) => {
	expect(backgroundIn(report)).toBe(ground);
});

test.each([
	['15;0', 'dark'],
	['0;15', 'light'],
	['0;default;15', 'light'],
	['0;7', 'light'],
	['15;8', 'dark'],
	['15;default', null],
	['0;99', null],
	['', null],
	[undefined, null],
])('COLORFGBG=%s means a background that is %s', (value, ground) => {
	expect(backgroundFromEnv(value)).toBe(ground);
});
