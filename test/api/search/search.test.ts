// The program that searches files, run by this machine's Python.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {searchPageIn, type SearchPage} from '../../../src/api/search/search-page.ts';

const PROGRAM = join(import.meta.dirname, '../../../src/api/search/search_files.py');
const code = readFileSync(PROGRAM, 'utf8');
let root = '';
const put = (path: string, text: string | Uint8Array): void => {
	mkdirSync(dirname(join(root, path)), {recursive: true});
	writeFileSync(join(root, path), text);
};
const page = (pattern: string, more: object = {}, setup = ''): SearchPage => {
	const given = {
		pattern,
		path: '',
		fixed: false,
		ignoreCase: false,
		context: 0,
		after: null,
		seconds: 1,
		count: 100,
		...more,
	};
	const run = `import sys, json\ntext, given = json.loads(sys.stdin.read())\nm = {'__name__': 'search'}\nexec(text, m)\n${setup}\nprint(m['search'](given, text, {'_dh': [${JSON.stringify(root)}]}))`;
	const out = execFileSync('python3', ['-c', run], {
		input: JSON.stringify([code, JSON.stringify(given)]),
		encoding: 'utf8',
	});
	const found = searchPageIn(out, 'path' in more ? String(more.path) : '');
	if (found === null) throw new Error(out);
	return found;
};
const places = ({matches}: SearchPage): readonly string[] => matches.map(({path, line}) => `${path}:${line}`);

beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), 'svc-search-'));
	put('src/load.py', 'import json\n\ndef load(path):\n    return json.loads(path)\n');
	put('notes.txt', 'Load it\r\nload\n');
	put('data.bin', Buffer.from('load\0load\n'));
	put('.hidden/load.txt', 'load\n');
	put('api_token.txt', 'load\n');
	put('node_modules/a.js', 'load\n');
	put('env/pyvenv.cfg', 'load\n');
	put('repo/.gitignore', '*.log\n');
	put('repo/a.log', 'load\n');
	put('repo/b.txt', 'load\n');
	put('secret/hostile.txt', `${'a'.repeat(5000)}!\n`);
	symlinkSync('/etc', join(root, 'link'));
	execFileSync('git', ['init', '-q', join(root, 'repo')]);
});
afterAll(() => rmSync(root, {recursive: true}));

describe('pages of a search', () => {
	test('leave out hidden, private, ignored and binary files, and links', () => {
		const found = page('load');
		expect(places(found)).toEqual(['notes.txt:2', 'repo/b.txt:1', 'src/load.py:3', 'src/load.py:4']);
		expect(found.next).toBeNull();
		expect(found.matches[2]).toMatchObject({
			text: 'def load(path):',
			start: 4,
			end: 8,
			before: [],
			after: [],
		});
		expect(page('def', {context: 2}).matches).toMatchObject([
			{before: ['import json', ''], after: ['    return json.loads(path)']},
		]);
		expect(places(page('LOAD', {ignoreCase: true, path: 'notes.txt'}))).toEqual([
			'notes.txt:1',
			'notes.txt:2',
		]);
		expect(places(page('loads(', {fixed: true}))).toEqual(['src/load.py:4']);
		expect(places(page('load', {path: '.hidden'}))).toEqual(['.hidden/load.txt:1']);
	});

	test('continue where the last one ended', () => {
		const all: string[] = [];
		let after: SearchPage['next'] = null;
		do {
			const found = page('load', {count: 1, after});
			all.push(...places(found));
			after = found.next;
		} while (after !== null);
		expect(all).toEqual(['notes.txt:2', 'repo/b.txt:1', 'src/load.py:3', 'src/load.py:4']);
	});

	test('leave out what .gitignore names where git has no say', () => {
		const at = (path: string): string => `plain/${path}`;
		const ignored = [
			'a.log',
			'build/out.txt',
			'docs/deep/a.tmp',
			'top.txt',
			'[x].md',
			'logs/deep/b.txt',
			'docs/9.csv',
		];
		const kept = ['docs/top.txt', 'keep.log', 'src/a.txt', 'x.md', 'docs/x.csv', 'build.txt'];
		put(at('.gitignore'), '# words\n*.log\n!keep.log\nbuild/\n/top.txt\n\\[x].md\n**/deep/**\n[0-9].csv\n');
		put(at('docs/.gitignore'), '*.tmp\n');
		for (const path of [...ignored, ...kept]) put(at(path), 'needle\n');
		const found = (path: string): readonly string[] =>
			page('needle', {path}).matches.map(match => match.path.slice('plain/'.length));
		expect(found('plain')).toEqual(kept.toSorted());
		expect(found('plain/docs')).toEqual(['docs/top.txt', 'docs/x.csv']);
		expect(found('plain/build')).toEqual(['build/out.txt']);
		expect(found('plain/a.log')).toEqual(['a.log']);
	});

	test('read no folder before their position', () => {
		for (const folder of ['a', 'a.b', 'b', 'c']) put(`order/${folder}/x.txt`, 'needle\n');
		put('order/a.txt', 'needle\n');
		const setup = `m['os'] = __import__('types').SimpleNamespace(**vars(m['os']))
m['has_programs'] = lambda: False
def scandir(folder, real=m['os'].scandir):
    if folder.endswith('order/a.b'): raise AssertionError(folder)
    return real(folder)
m['os'].scandir = scandir`;
		const rest = page('needle', {path: 'order', after: ['order/a/x.txt', null]}, setup);
		expect(places(rest)).toEqual(['order/b/x.txt:1', 'order/c/x.txt:1']);
		expect(places(page('needle', {path: 'order'}))).toEqual(
			['a.b/x.txt', 'a.txt', 'a/x.txt', 'b/x.txt', 'c/x.txt'].map(path => `order/${path}:1`),
		);
	});

	test('end a pattern that keeps matching, and refuse it where nothing can end it', {tags: 'long'}, () => {
		expect(page('(a+)+$', {seconds: 0, path: 'secret', after: ['secret/', null]})).toMatchObject({
			trouble: 'slow',
			says: 'secret/hostile.txt',
		});
		const inside = (pattern: string): SearchPage => page(pattern, {}, "m['has_programs'] = lambda: False");
		for (const pattern of ['(a+)+$', '(a|a)*b', 'a*a*a*b', `${'a?'.repeat(40)}b`, '(a*)\\1'])
			expect(inside(pattern)).toMatchObject({trouble: 'costly'});
		expect(places(inside('def .*\\(.*:'))).toEqual(['src/load.py:3']);
	});

	test('give the reason of a pattern or path that cannot be searched', () => {
		expect(page('(')).toMatchObject({trouble: 'pattern', says: expect.stringContaining('unterminated')});
		expect(page('a', {path: 'nowhere'})).toMatchObject({trouble: 'missing'});
	});
});
