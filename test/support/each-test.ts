import {appendFileSync} from 'node:fs';
import {relative} from 'node:path';
import {afterAll, afterEach, beforeEach, expect} from 'vitest';
import {forgetFrames, keepFrames} from './frames.ts';
import {sweepHomes, sweepLater} from './homes.ts';

sweepLater(() => expect.getState().currentTestName ?? 'all tests');
afterAll(sweepHomes);
beforeEach(forgetFrames);

const fileOf = (path: string): string => relative(import.meta.dirname, path).replace(/^\.\.\//, '');

// Time limit of `.ci/run` in seconds since the epoch, and the file in which it lists skipped tests.
const {SVC_TESTS_UNTIL: until, SVC_TESTS_LEFT_OUT: leftOut} = process.env;
if (until !== undefined && leftOut !== undefined)
	beforeEach(({task, skip}) => {
		if (Date.now() / 1000 < Number(until)) return;
		appendFileSync(leftOut, `${fileOf(task.file.filepath)}: ${task.name}\n`);
		skip('the time is over');
	});

afterEach(({task}) => {
	keepFrames(task.result, [fileOf(task.file.filepath), task.name]);
});
