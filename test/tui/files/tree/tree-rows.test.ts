import {expect, test} from 'vitest';
import type {FolderItem} from '../../../../src/api/file-tree.ts';
import {executedCell} from '../../../faults/hostile-service.ts';
import {listedEntries} from '../../../../src/tui/files/tree/list-by-code.ts';
import {EMPTY_TREE} from '../../../../src/tui/files/tree/listing.ts';
import {treeRows} from '../../../../src/tui/files/tree/rows.ts';
import {toSettled, idle} from '../../../../src/tui/core/store/remote.ts';

const leaf = (path: string, isFolder = false): FolderItem => ({
	name: path,
	path,
	isFolder,
	size: null,
	modified: null,
});
const folder = (...leaves: readonly FolderItem[]) =>
	toSettled<readonly FolderItem[]>(idle, {ok: true, value: leaves}, 0);

test.each(['service', 'server', 'code'] as const)(
	'a tree that the %s lists has an end though folders contain themselves and each other, and each path is in one row',
	source => {
		const tree = {
			...EMPTY_TREE,
			source,
			folders: new Map([
				['', folder(leaf('', true), leaf('a', true), leaf('b', true), leaf('c'))],
				['a', folder(leaf('a', true), leaf('b', true))],
				['b', folder(leaf('a', true), leaf('c'), leaf('b/d'))],
			]),
			unfolded: new Set(['', 'a', 'b']),
		};
		expect(treeRows(tree).map(({path}) => path)).toEqual(['a', 'b', 'c', 'b/d']);
		expect(treeRows(tree, 'c').map(({path}) => path)).toEqual(['c']);
	},
);

test('files that are known by their paths alone have a row each, and the empty path none', () => {
	const rows = treeRows({...EMPTY_TREE, source: 'known', recent: ['', 'a', 'a', 'b']});
	expect(rows.map(({path}) => path)).toEqual(['a', 'b']);
});

test('only names in the folder become entries of a printed listing, each once', () => {
	const printed = [
		['ok', false, 1],
		['ok', true, null],
		['', false, 1],
		['.', true, null],
		['..', true, null],
		['a/b', false, 1],
		['/etc/passwd', false, 1],
		[7, false, 1],
		['size', false, 'much'],
	];
	const cell = executedCell('', [
		{output_type: 'stream', name: 'stdout', text: `${JSON.stringify(printed)}\n`},
	]);
	const entries = listedEntries(cell as Parameters<typeof listedEntries>[0], 'data');
	expect(typeof entries === 'string' ? entries : entries.map(({path, size}) => [path, size])).toEqual([
		['data/ok', 1],
		['data/size', null],
	]);
});
