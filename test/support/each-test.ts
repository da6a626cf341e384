import {relative} from 'node:path';
import {afterAll, afterEach, beforeEach, expect} from 'vitest';
import {forgetFrames, keepFrames} from './frames.ts';
import {sweepHomes, sweepLater} from './homes.ts';

sweepLater(() => expect.getState().currentTestName ?? 'all tests');
afterAll(sweepHomes);
beforeEach(forgetFrames);
afterEach(({task}) => {
	keepFrames(task.result, [
		relative(import.meta.dirname, task.file.filepath).replace(/^\.\.\//, ''),
		task.name,
	]);
});
