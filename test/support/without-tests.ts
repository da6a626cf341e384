// Finds test files that a run with `--tags-filter` need not load. Otherwise vitest would transform
// and import such a file, with everything that it imports, only to find no test to run.
import {existsSync, globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

const IMPORT = /\b(?:from|import) '(\.[^']+)'/g;
const TAG = /['"`](long|short|plain)['"`]|@module-tag (long|short|plain)\b/g;

type Read = {readonly isLong: boolean; readonly tags: readonly string[]; readonly imports: readonly string[]};

/** Finds the tags in a file and in the files that it imports from `folder`. */
const tagReader = (folder: string) => {
	const known = new Map<string, Read>();
	const read = (file: string): Read => {
		const before = known.get(file);
		if (before) return before;
		const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
		const found = {
			isLong: /^\/\/ @module-tag long$/m.test(text),
			tags: [...text.matchAll(TAG)].map(([, quoted, module]) => quoted ?? module ?? ''),
			imports: [...text.matchAll(IMPORT)]
				.map(([, path = '']) => join(dirname(file), path))
				.filter(path => path.startsWith(folder)),
		};
		known.set(file, found);
		return found;
	};
	const names = (file: string, tag: string, seen = new Set<string>()): boolean => {
		if (seen.has(file)) return false;
		seen.add(file);
		const {tags, imports} = read(file);
		return tags.includes(tag) || imports.some(each => names(each, tag, seen));
	};
	return {names, isLong: (file: string): boolean => read(file).isLong};
};

/**
 * Files below `folder` that have no test for the filter. Handles only the filters of the npm
 * scripts; for any other filter, the list is empty.
 */
export const withoutTests = (folder: string, filter: string | undefined): readonly string[] => {
	const files = globSync('**/*.test.{ts,tsx}', {cwd: folder}).map(file => join(folder, file));
	const {names, isLong} = tagReader(folder);
	if (filter === 'not long') return files.filter(isLong);
	if (filter === 'short or not long') return files.filter(file => isLong(file) && !names(file, 'short'));
	if (filter === 'long and not short') return files.filter(file => !names(file, 'long'));
	if (filter === 'plain') return files.filter(file => !names(file, 'plain'));
	return [];
};
