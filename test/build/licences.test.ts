import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bundledPackages} from '../../src/build/licences.ts';

const dist = join(import.meta.dirname, '../../dist');

test('every package whose code is in the bundle has its licence beside it', async () => {
	const text = await readFile(join(dist, 'licences.txt'), 'utf8');
	for (const name of ['ink', 'react', 'yoga-layout', 'got', 'zod', 'commander'])
		expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
	expect(text).toMatch(/^dejavu-fonts-ttf [\d.]+ /m);
	expect(text).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
});

test('a package counts when a byte of it is in an output, scoped and nested ones by their own name', () => {
	const inputs = {
		'src/app/boot.ts': {bytesInOutput: 9},
		'node_modules/@scope/one/lib/a.js': {bytesInOutput: 1},
		'original:/repository/node_modules/@scope/one/lib/b.js': {bytesInOutput: 1},
		'node_modules/two/node_modules/three/index.js': {bytesInOutput: 1},
		'node_modules/unused/index.js': {bytesInOutput: 0},
	};
	const output = {bytes: 12, imports: [], exports: [], inputs};
	expect(bundledPackages([{inputs: {}, outputs: {'dist/boot.js': output}}])).toEqual([
		'node_modules/@scope/one',
		'node_modules/two/node_modules/three',
	]);
});
