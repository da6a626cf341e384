import {expect, test} from 'vitest';
import type {FolderItem} from '../../../../src/api/file-tree.ts';
import {EMPTY_TREE} from '../../../../src/tui/files/tree/listing.ts';
import type {FileTree, Folder} from '../../../../src/tui/files/tree/tree.ts';
import {treeMoved, treeWithFolder, treeWithout} from '../../../../src/tui/files/tree/tree-changes.ts';
import {movedPath} from '../../../../src/tui/files/tree/tree-paths.ts';
import {cursorAfter, treeRows} from '../../../../src/tui/files/tree/rows.ts';

const leaf = (path: string, isFolder = false): FolderItem => ({
	name: path.split('/').at(-1) ?? '',
	path,
	isFolder,
	size: null,
	modified: null,
});
const listed = (...value: readonly FolderItem[]): Folder => ({status: 'ready', value, at: 1});

const tree: FileTree = {
	...EMPTY_TREE,
	folders: new Map([
		['', listed(leaf('data', true), leaf('src', true), leaf('a.txt'), leaf('b.txt'))],
		['data', listed(leaf('data/x.csv'))],
		['src', listed(leaf('src/lib', true), leaf('src/main.py'))],
		['src/lib', listed(leaf('src/lib/io.py'))],
	]),
	unfolded: new Set(['src', 'src/lib']),
	cursor: 'src/lib/io.py',
	recent: ['src/lib/io.py', 'a.txt'],
};
const paths = (changed: Partial<FileTree>): readonly string[] =>
	treeRows({...tree, ...changed}).map(({path}) => path);

test('the content of a renamed folder moves with it, and no name that only begins alike', () => {
	expect(movedPath('src/lib/io.py', 'src', 'code')).toBe('code/lib/io.py');
	expect(movedPath('src', 'src', 'code')).toBe('code');
	expect(movedPath('src2/io.py', 'src', 'code')).toBe('src2/io.py');
});

test('a renamed folder stays unfolded, with the cursor where it was', () => {
	const moved = treeMoved(tree, 'src', 'zoo/src');
	expect(moved.cursor).toBe('zoo/src/lib/io.py');
	expect(moved.recent).toEqual(['zoo/src/lib/io.py', 'a.txt']);
	expect([...(moved.unfolded ?? [])]).toEqual(['zoo/src', 'zoo/src/lib', 'zoo']);
	expect(paths(treeMoved(tree, 'src', 'code'))).toEqual([
		'code',
		'code/lib',
		'code/lib/io.py',
		'code/main.py',
		'data',
		'a.txt',
		'b.txt',
	]);
});

test('a file that is moved into a folder appears in order, and the folder is unfolded', () => {
	expect(paths(treeMoved(tree, 'b.txt', 'data/b.txt'))).toEqual([
		'data',
		'data/b.txt',
		'data/x.csv',
		'src',
		'src/lib',
		'src/lib/io.py',
		'src/main.py',
		'a.txt',
	]);
});

test('a deleted folder takes what lies in it along, a new one has the cursor', () => {
	const without = treeWithout(tree, 'src');
	expect(paths(without)).toEqual(['data', 'a.txt', 'b.txt']);
	expect(without.recent).toEqual(['a.txt']);
	const made = treeWithFolder(tree, 'src/new');
	expect(made.cursor).toBe('src/new');
	expect(paths(made)).toContain('src/new');
});

test('the cursor of a removed entry is on the one below it, otherwise above it', () => {
	const before = treeRows(tree);
	const after = (gone: string): string =>
		cursorAfter(before, treeRows({...tree, ...treeWithout(tree, gone)}), gone);
	expect(before.map(({path}) => path).slice(-2)).toEqual(['a.txt', 'b.txt']);
	expect([after('a.txt'), after('b.txt'), after('src')]).toEqual(['b.txt', 'a.txt', 'a.txt']);
	expect(cursorAfter(before, before, 'src/main.py')).toBe('src/main.py');
	// A cursor path that was not listed before stays, because the entry is about to appear.
	expect(cursorAfter(before, before, 'data/new/a.txt')).toBe('data/new/a.txt');
});
