import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {fillPath} from '../../src/contract/endpoint.ts';
import {
	isDotfile,
	nameOf,
	namesFault,
	parentOf,
	parentsOf,
	pathFault,
	repositoryOf,
	typedPath,
	typedPlace,
	windowsNameFault,
} from '../../src/contract/paths.ts';
import {decodeFilePath} from '../../src/service/http/params.ts';
import {resolveBelow} from '../../src/machine/download-folder.ts';
import {codePoint} from '../support/code-points.ts';

/** Any file name of Linux: 1 to 255 bytes of UTF-8 without slash and NUL, except `.` and `..`. */
const linuxName = fc
	.string({unit: codePoint, minLength: 1, maxLength: 60})
	.map(name => name.replaceAll(/[/\0]/g, ':'))
	.filter(name => name !== '.' && name !== '..' && name.isWellFormed() && Buffer.byteLength(name) <= 255)
	// Excludes names that are refused inside a local folder.
	.filter(name => repositoryOf(name) === undefined);
const linuxPath = fc.array(linuxName, {minLength: 1, maxLength: 5}).map(names => names.join('/'));

describe('the rule of paths', () => {
	test('every path of names that Linux takes goes through the address to the service, and below a local folder, as it is', () => {
		fc.assert(
			fc.property(linuxPath, path => {
				expect(pathFault(path)).toBeUndefined();
				expect(decodeFilePath(fillPath('/{path}', {path}))).toBe(path);
				if (process.platform !== 'win32') expect(resolveBelow('/below', path)).toBe(`/below/${path}`);
			}),
		);
	});

	test('a path is its folder and its name; the folders above it are listed from the outermost', () => {
		expect(['', 'a.py', 'src/a.py', 'src/deep/a.py'].map(parentOf)).toEqual(['', '', 'src', 'src/deep']);
		expect(['', 'a.py', 'src/a.py', 'src/deep/a.py'].map(nameOf)).toEqual(['', 'a.py', 'a.py', 'a.py']);
		expect(['', 'a.py', 'src/a.py', 'src/deep/a.py'].map(parentsOf)).toEqual([
			[],
			[],
			['src'],
			['src', 'src/deep'],
		]);
	});

	test('an impossible name is refused by the address, the service and the local folder alike', () => {
		const part = fc.constantFrom('', '.', '..', 'a\0b', '\uD83D', 'é'.repeat(128));
		fc.assert(
			fc.property(
				fc.array(linuxName, {maxLength: 2}),
				part,
				fc.array(linuxName, {maxLength: 2}),
				(before, wrong, after) => {
					const path = [...before, wrong, ...after].join('/');
					fc.pre(path !== '');
					expect(pathFault(path)).toMatch(/^The path .* cannot be used: .*\.$/s);
					expect(() => fillPath('/{path}', {path})).toThrow('cannot be used');
					if (path.isWellFormed())
						expect(() => decodeFilePath(path.split('/').map(encodeURIComponent).join('/'))).toThrow(
							'cannot be used',
						);
					expect(() => resolveBelow('/below', path)).toThrow('cannot be a path on this machine');
				},
			),
		);
	});

	test.each([
		['a%2Fb', 'contains a slash'],
		['a%00', 'NUL'],
		[`${'a/'.repeat(2048)}b`, 'longer than 4096 bytes'],
	])('in an address %j is refused: %s', (raw, why) => {
		expect(() => decodeFilePath(raw)).toThrow(why);
	});

	test.each([
		'a.',
		'a ',
		'con',
		'NUL.txt',
		'Com1.log',
		'lpt9',
		'COM¹',
		'a<b',
		'a:b',
		'a?b',
		'a*b',
		'a\\b',
		'a\nb',
	])('Windows cannot keep %j', name => {
		expect([typeof windowsNameFault(name), namesFault([name])]).toEqual(['string', undefined]);
	});

	test.each(['console', 'nullable.txt', 'com10', 'my con', '...a', 'communication.md'])(
		'and it can keep %j',
		name => {
			expect(windowsNameFault(name)).toBeUndefined();
		},
	);
});

test.each([
	['./src/a.py', 'src/a.py'],
	['/data/', 'data'],
	['.', ''],
	['./', ''],
	['.hidden', '.hidden'],
	['', ''],
])('typed as %j it is %j', (typed, path) => {
	expect(typedPath(typed)).toBe(path);
});

test.each([
	['src/a.py:120', {path: 'src/a.py', line: 120}],
	['/a.py', {path: 'a.py'}],
	[' a.py ', {path: 'a.py'}],
	['log-10:00', {path: 'log-10:00'}],
	['log-10:30', {path: 'log-10', line: 30}],
	['known-10:30', {path: 'known-10:30'}],
	['known-10:30:7', {path: 'known-10:30', line: 7}],
	['known ', {path: 'known '}],
])('the place %j is %j', (typed, place) => {
	expect(typedPlace(typed, path => ['known-10:30', 'known '].includes(path))).toEqual(place);
});

/** Spellings that macOS or Windows treat as `.git`. */
const GIT_NAMES = [
	'.git',
	'.GIT',
	'.Git',
	'git~1',
	'GIT~1',
	'.git.',
	'.git ',
	'.git. . ',
	'.git::$INDEX_ALLOCATION',
	'.git:config',
	'.g\u200Cit',
	'\uFEFF.git',
	'.gi\u200Dt',
	'.git\u200B',
	'.g\u00ADit',
	'.git\\config',
	'src\\.git',
	'\uFF0Egit',
];

test.each(GIT_NAMES)("%j is a name of git's own data on some file system", name => {
	expect(repositoryOf(name)).toBe('git');
	expect(() => resolveBelow('/below', `project/${name}/hooks/x`)).toThrow("part of git's own data");
});

test.each(['.hg', '.HG', 'hg~1'])("%j is a name of Mercurial's own data", name =>
	expect(repositoryOf(name)).toBe('Mercurial'),
);

test.each([
	'.gitignore',
	'.gitattributes',
	'.github',
	'git',
	'a.git',
	'digit~1',
	'.git-old',
	'repo.git',
	'.gits',
])("%j is not a name of git's own data", name => expect(repositoryOf(name)).toBeUndefined());

test('a hidden file, and every file in a hidden folder, is a dotfile; others are not', () => {
	expect(['.env', 'a/.b/c', '\u200B.bashrc', 'a\\.b'].map(isDotfile)).toEqual([true, true, true, true]);
	expect(['a.env', 'a/b', 'a...'].map(isDotfile)).toEqual([false, false, false]);
});
