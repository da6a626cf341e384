import {mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {beginStamp, isBuilt} from '../../src/build/stamp.ts';
import {tempFolder} from '../support/temp-folder.ts';

const mode = process.env['SVC_BUILD'];
afterEach(() => {
	if (mode === undefined) delete process.env['SVC_BUILD'];
	else process.env['SVC_BUILD'] = mode;
});

test('nothing is built again until a source, its folder, the packages or the kind of build change', () => {
	using folder = tempFolder();
	const root = folder.path;
	const at = (path: string, time: number): void => utimesSync(join(root, path), time, time);
	mkdirSync(join(root, 'src/deep'), {recursive: true});
	mkdirSync(join(root, 'dist'));
	for (const path of ['package.json', 'package-lock.json', 'src/a.ts', 'src/deep/b.ts', 'dist/svc-tui'])
		writeFileSync(join(root, path), '');
	const paths = ['package.json', 'package-lock.json', 'src/a.ts', 'src/deep/b.ts', 'src/deep', 'src'];
	const age = (): void => paths.forEach(path => at(path, 1000));
	age();
	expect(isBuilt(root)).toBe(false);
	const write = beginStamp(root);
	expect(isBuilt(root)).toBe(false);
	write();
	expect(isBuilt(root)).toBe(true);
	for (const path of paths) {
		at(path, Date.now() / 1000 + 60);
		expect(isBuilt(root), path).toBe(false);
		at(path, 1000);
		expect(isBuilt(root), path).toBe(true);
	}
	rmSync(join(root, 'src/deep/b.ts'));
	expect(isBuilt(root)).toBe(false);
	paths.splice(3, 1);
	age();
	process.env['SVC_BUILD'] = 'plain';
	expect(isBuilt(root)).toBe(false);
	beginStamp(root)();
	expect(isBuilt(root)).toBe(true);
	// A failed build leaves no stamp.
	beginStamp(root);
	expect(isBuilt(root)).toBe(false);
});
