import {expect, test} from 'vitest';
import {taskChanges, changeText, changeSummary} from '../../src/work/task-changes.ts';
import type {Task} from '../../src/work/task.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Change = readonly [path: string, before: string | null, after: string];
const stepsOf = (
	...changes: readonly (readonly [...Change, state?: 'undone' | 'untaken'])[]
): Task['steps'] =>
	changes.map(([path, before, after, state], at) => ({
		number: at + 1,
		step: {kind: 'write', path, text: after},
		state: 'done',
		result: null,
		startedAt: null,
		seconds: null,
		change: {path, before: before === null ? null : base64(before), after: base64(after)},
		took: state !== 'untaken',
		isUndone: state === 'undone',
	}));

test('a file that was changed twice is one change, an unchanged one is none', () => {
	const steps = stepsOf(
		['a', 'one\n', 'two\n'],
		['b', 'x\n', 'y\n'],
		['a', 'two\n', 'three\n'],
		['b', 'y\n', 'x\n'],
		['c', null, '1\n2\n'],
		['d', null, 'z', 'undone'],
		['e', null, 'z', 'untaken'],
	);
	const changes = taskChanges({steps});
	expect(changes.map(({path}) => path)).toEqual(['a', 'c']);
	expect(changes.map(changeSummary)).toEqual(['1 line added, 1 removed', 'new, 2 lines']);
	expect(changes.map(changeText)).toEqual(['@@ line 1 @@\n-one\n+three\n', '@@ line 1 @@\n+1\n+2\n']);
});

test('binary content is counted in bytes', () => {
	const [change] = stepsOf(['a', null, 'x\n']);
	const noise = {path: 'a', before: Buffer.from([0xff, 0xfe]).toString('base64'), after: base64('x\n')};
	expect(change?.change && changeSummary(noise)).toBe('changed');
	expect(changeText(noise)).toBe('\\ Binary file: 2 bytes before, 2 after.\n');
});
