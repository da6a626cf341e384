// Lines and ranges of the command line.
import {expect, test} from 'vitest';
import {lineRange, lineTarget} from '../../../../src/tui/core/dialogs/line-commands.ts';

const PLACE = {line: 30, count: 200};

test.each([
	['120', 120],
	['+20', 50],
	['-20', 10],
	['-50', 1],
	['50%', 100],
	['100%', 200],
	['101%', null],
	['+5%', null],
	['0', null],
	['h100', null],
])(':%s from line 30 of 200 is line %s', (word, line) => {
	expect(lineTarget(word, PLACE)).toBe(line);
});

test('a range has its smaller number first', () => {
	expect(lineRange('20,10')).toEqual({from: 10, to: 20});
	expect(lineRange('10,')).toBeNull();
});
