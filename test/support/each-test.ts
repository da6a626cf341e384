import {relative} from 'node:path';
import {afterEach, beforeEach} from 'vitest';
import {forgetFrames, keepFrames} from './frames.ts';

beforeEach(forgetFrames);
afterEach(({task}) => {
	keepFrames(task.result, [
		relative(import.meta.dirname, task.file.filepath).replace(/^\.\.\//, ''),
		task.name,
	]);
});
