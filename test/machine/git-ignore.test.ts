import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {readGitIgnore} from '../../src/machine/git-ignore.ts';
import {localTree, realFolder} from '../../src/machine/local-tree.ts';
import {tempFolder} from '../support/temp-folder.ts';

const write = (root: string, files: Readonly<Record<string, string>>): void => {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), {recursive: true});
		writeFileSync(join(root, path), content);
	}
};

const PATTERNS = {
	'.gitignore': '# made\n*.log\n!keep.log\n/build/\nout\n**/cache/*.bin\ndoc/*.txt\n\\#odd\nends \nUpper\n',
	'src/.gitignore': '!needed.log\n/local.py\nsub/*\n!sub/stays\n',
	'.git/info/exclude': 'secret.txt\n',
};
const NAMES = [
	'a.log',
	'keep.log',
	'build/x/y.txt',
	'src/build/z',
	'src/out/deep/file',
	'src/a.log',
	'src/needed.log',
	'src/local.py',
	'src/more/local.py',
	'src/sub/goes',
	'src/sub/stays',
	'a/b/cache/x.bin',
	'a/b/cache/x.txt',
	'doc/a.txt',
	'doc/b/a.txt',
	'#odd',
	'ends',
	'upper',
	'Upper',
	'secret.txt',
	'plain [x].txt',
	'ünï.txt',
];

test('a tree leaves out what git leaves out', () => {
	using temp = tempFolder();
	const root = realpathSync(temp.path);
	execFileSync('git', ['init', '-q', root]);
	write(root, {...PATTERNS, ...Object.fromEntries(NAMES.map(name => [name, name]))});
	const {stdout} = spawnSync('git', ['-C', root, 'check-ignore', '-z', '--stdin'], {
		input: NAMES.join('\0'),
		encoding: 'utf8',
	});
	const left = stdout.split('\0').slice(0, -1);
	expect(left.length).toBeGreaterThan(8);
	const stays = NAMES.filter(name => !left.includes(name));
	expect(stays.length).toBeGreaterThan(8);

	const ignored = readGitIgnore(root);
	expect(NAMES.filter(name => ignored.ignores(name, false))).toEqual(left);
	expect(localTree(root, ignored)).toEqual({
		files: [...stays, '.gitignore', 'src/.gitignore'].sort(),
		links: [],
		missed: [],
	});
	// The repository's rules also apply inside its folders.
	const below = localTree(join(root, 'src'), readGitIgnore(join(root, 'src')));
	expect(below.files).toEqual(
		[...stays.filter(name => name.startsWith('src/')).map(name => name.slice(4)), '.gitignore'].sort(),
	);
});

test('links are named and not followed, and a pattern that would take long is none', () => {
	using temp = tempFolder();
	const root = realFolder(temp.path);
	const slow = `${'a*'.repeat(30)}b`;
	write(root, {'in/.gitignore': `${slow}\n*.tmp\n`, 'in/x.tmp': '', [`in/${'a'.repeat(200)}`]: ''});
	write(root, {'rules.txt': 'secret\n', secret: ''});
	symlinkSync('/etc', join(root, 'out'));
	symlinkSync('rules.txt', join(root, '.gitignore'));
	expect(localTree(root, readGitIgnore(root))).toEqual({
		files: ['in/.gitignore', `in/${'a'.repeat(200)}`, 'rules.txt', 'secret'],
		links: ['.gitignore', 'out'],
		missed: [],
	});
});

test('patterns for any depth, and ones that are too large, end a look at a deep folder neither late nor with an error', () => {
	using temp = tempFolder();
	const root = realFolder(temp.path);
	const deep = `${'a/'.repeat(400)}c`;
	const slow = ['a/**/a/**/a/**/a/**/a/**/b', 'a/**/a/**/a/**/b', `a${' '.repeat(60_000)}b`];
	write(root, {'.gitignore': `${slow.join('\n')}\nx/**/y/**/z\n`});
	const {ignores} = readGitIgnore(root);
	expect(ignores(deep, false)).toBe(false);
	expect(ignores('x/1/y/2/z', false)).toBe(true);
});
