import {describe, expect, test} from 'vitest';
import {childrenOf, placeIn} from '../../src/api/file-tree.ts';

const listed = (folder: string, content: readonly unknown[]): readonly string[] =>
	childrenOf(
		{name: '', path: 'whatever the service says', type: 'directory', content: [...content]},
		folder,
	).map(({path}) => path);

describe('a listing holds only what lies below the folder that was asked for', () => {
	test.each([
		['the folder itself', {name: 'data', path: 'data', type: 'directory'}],
		['an empty path', {name: 'a.txt', path: ''}],
		['an empty name', {name: ''}],
		['the root', {name: 'a.txt', path: '/'}],
		['the folder above', {name: '..', path: 'data/..'}],
		['the folder itself, with a slash and a dot', {name: '.', path: 'data//.'}],
		['a way out of it', {name: 'x', path: 'data/../../x'}],
		['a sibling', {name: 'a.txt', path: 'other/a.txt'}],
		['a sibling that begins alike', {name: 'a.txt', path: 'data2/a.txt'}],
		['a name that leads elsewhere than its path', {name: '../b', path: 'data/b'}],
		['no name at all', {type: 'file'}],
		['a name that is a number', {name: 7}],
		['no object', 'a.txt'],
		['null', null],
	])('%s is left out', (_, item) => {
		expect(listed('data', [item, {name: 'kept', path: 'data/kept'}])).toEqual(['data/kept']);
	});

	test.each([
		['a slash in front and behind', '/data/b/', 'data/b'],
		['doubled slashes and dots', './data//./b', 'data/b'],
		['another letter case', 'DATA/b', 'data/b'],
		['a path further down', 'data/c/d', 'data/c/d'],
		[
			'an empty part within the name, which is refused where it is asked for,',
			'data/http://x',
			'data/http://x',
		],
	])('%s is the same path', (_, path, expected) => {
		expect(listed('data', [{name: 'any', path}])).toEqual([expected]);
	});

	test('accents as characters of their own, as macOS has them, are the same path; what comes twice is there once', () => {
		const folder = 'é'.normalize('NFC');
		expect(placeIn(folder, `${folder.normalize('NFD')}/a`)).toEqual({name: 'a', path: `${folder}/a`});
		expect(
			listed('', [{name: 'a'}, {name: 'b', path: 'a'}, {name: 'a', path: 'a', type: 'directory'}]),
		).toEqual(['a']);
	});

	test('a size that no file can have is unknown', () => {
		const sizes = [-1, 1e300, Number.NaN, 'much', {}, 12, '34'];
		const leaves = childrenOf(
			{name: '', path: '', type: 'directory', content: sizes.map((size, at) => ({name: `f${at}`, size}))},
			'',
		);
		expect(leaves.map(({size}) => size)).toEqual([null, null, null, null, null, 12, 34]);
	});

	test('the name is the one by which the path ends', () => {
		const [leaf] = childrenOf(
			{name: '', path: '', type: 'directory', content: [{name: 'harmless.txt', path: 'run.sh'}]},
			'',
		);
		expect(leaf?.name).toBe('run.sh');
	});
});
