import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {forgetFrames, keepFrames, noteFrames} from './frames.ts';
import {tempFolder} from './temp-folder.ts';

const NAMES = ['journeys/some.test.ts', 'what a title / says'];

test('a test that fails leaves the frames and keys that led to it, and its message names them', () => {
	forgetFrames();
	using folder = tempFolder();
	const log = noteFrames('svc-tui (20x2)');
	log.shows('first\nrow');
	log.shows('first\nrow');
	log.isSent('\u001B[A');
	log.shows('second');
	const error = {message: 'waited for $& in vain', stack: 'Error: waited for $& in vain\n    at here'};
	keepFrames({state: 'fail', errors: [error]}, NAMES, folder.path);
	const kept = join(folder.path, 'journeys-some.test.ts', 'what-a-title-says');
	expect(readFileSync(join(kept, 'terminal-1.txt'), 'utf8').replaceAll(/\d+\.\d{3}/g, '0')).toBe(
		'svc-tui (20x2)\n── 0 s: shows\n│first\n│row\n── 0 s: is sent "\\u001b[A"\n── 0 s: shows\n│second\n',
	);
	expect(error.message).toMatch(/^waited for \$& in vain\n\nWhat led to it: .*what-a-title-says$/);
	expect(error.stack).toBe(`Error: ${error.message}\n    at here`);
	log.ends();
});

test('a test that passes, or has no terminal, leaves nothing', () => {
	forgetFrames();
	using folder = tempFolder();
	keepFrames({state: 'fail', errors: []}, NAMES, folder.path);
	const log = noteFrames('svc-tui');
	log.shows('a frame');
	keepFrames({state: 'pass'}, NAMES, folder.path);
	expect(readdirSync(folder.path)).toEqual([]);
	log.ends();
});

test('a terminal that several tests share leaves the frames of the test that failed', () => {
	using folder = tempFolder();
	const shared = noteFrames('svc-tui (20x2)');
	const closed = noteFrames('svc-tui (30x2)');
	shared.shows('of the first test');
	closed.shows('of the first test');
	closed.ends();
	forgetFrames();
	shared.shows('of the second test');
	keepFrames({state: 'fail', errors: []}, NAMES, folder.path);
	const kept = join(folder.path, 'journeys-some.test.ts', 'what-a-title-says');
	expect(readdirSync(kept)).toEqual(['terminal-1.txt']);
	expect(readFileSync(join(kept, 'terminal-1.txt'), 'utf8')).toMatch(/of the second test\n$/);
	expect(readFileSync(join(kept, 'terminal-1.txt'), 'utf8')).not.toContain('first');
	shared.ends();
	forgetFrames();
});
