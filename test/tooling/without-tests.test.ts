import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {tempFolder} from '../support/temp-folder.ts';
import {withoutTests} from '../support/without-tests.ts';

const FILES = {
	'plain/all-long.test.ts': "// @module-tag long\ntest('a', () => {});\n",
	'plain/long-and-short.test.ts': "// @module-tag long\ntest('a', {tags: 'short'}, () => {});\n",
	'one-long.test.tsx': "test('a', {tags: ['long']}, () => {});\n",
	'drawn.test.ts': "test('a', {tags: 'plain'}, () => {});\n",
	'none.test.ts': "test('not long', () => {});\n",
	'by-import.test.ts': "import {cases} from './support/cases.ts';\n",
	'support/cases.ts': "import './more.ts';\n",
	'support/more.ts': "import '../by-import.test.ts';\nexport const tags = ['long', 'plain'];\n",
};

test('a run loads the files that have a test for it, also where an imported file has the tag', () => {
	using temp = tempFolder();
	for (const folder of ['plain', 'support']) mkdirSync(join(temp.path, folder));
	for (const [name, text] of Object.entries(FILES)) writeFileSync(join(temp.path, name), text);
	const left = (filter?: string): readonly string[] =>
		withoutTests(temp.path, filter)
			.map(file => basename(file).replace('.test.ts', ''))
			.toSorted();
	expect(left('short or not long')).toEqual(['all-long']);
	expect(left('not long')).toEqual(['all-long', 'long-and-short']);
	expect(left('long and not short')).toEqual(['drawn', 'none']);
	expect(left('plain')).toEqual(['all-long', 'long-and-short', 'none', 'one-longx']);
	expect([left(), left('short')]).toEqual([[], []]);
});

test('the filters of the scripts are known', () => {
	const text = ['../../package.json', '../plain.sh']
		.map(file => readFileSync(join(import.meta.dirname, file), 'utf8'))
		.join('\n');
	const filters = [...text.matchAll(/--tags-filter='([^']+)'/g)].map(([, filter]) => filter);
	expect(filters).toHaveLength(4);
	for (const filter of filters)
		expect(withoutTests(join(import.meta.dirname, '..'), filter), filter).not.toEqual([]);
});
