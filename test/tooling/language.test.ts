import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findingLines, findings} from './language.ts';
import {changelogHits, commentHits, commitProblems, stringHits, titleHits} from './language-checks.ts';

test('no file has a wording finding', () => {
	expect(findingLines(findings(join(import.meta.dirname, '../..')))).toEqual([]);
});

const commentChecks = (source: string): readonly string[] =>
	commentHits(
		source,
		[...source.matchAll(/\/\/.*|\/\*[^]*?\*\//g)].map(({index, 0: text}) => [index, index + text.length]),
	).map(({check, line}) => `${line} ${check}`);

test.each([
	['/** What it does. */', ['1 opening']],
	['/** Of a chat. */', ['1 opening']],
	['// That one.', ['1 opening']],
	['// Its name.', ['1 opening']],
	['// By then the list is there.', ['1 opening']],
	['// Null: send none.', ['1 opening']],
	['// A key that nobody knows.', ['1 phrase']],
	['// The cell stands below.', ['1 phrase']],
	['// Output, which goes on.', ['1 phrase']],
	['// A list of what became of it.', ['1 phrase']],
	['// Opens by itself.', ['1 phrase']],
	['// Data is kept here.', ['1 phrase']],
	['// Replaces the value by one that fits.', ['1 phrase']],
	['// The answer is no text.', ['1 phrase']],
	[`// A${' word'.repeat(20)}.`, ['1 width']],
	[`\t\t\t\t\t\t\t\t// A${' word'.repeat(13)}.`, ['1 width']],
	['/** Size in ms. */ readonly size: number;', ['1 member-line']],
	['// starts small.', ['1 sentence']],
	['// Ends without a stop', ['1 sentence']],
	['// Rejects links (A7).', ['1 outside-id']],
	['// Status of interface 2.1.', ['1 outside-id']],
	['const a = 1;\n// First line\n// ends here\nconst b = 2;', ['2 sentence']],
	['/**\n * What it\n * does.\n */', ['1 opening']],
])('the comment %j has findings', (source, checks) => {
	expect(commentChecks(source)).toEqual(checks);
});

test.each([
	'// First line of a sentence\n// that ends in the second one, as it should.',
	'/** Time limit, in ms. */\nconst limit = 1;',
	'// In ms.',
	'// For example `a.py`.',
	'// There is no route to the host, and it is no longer asked.',
	'// https://example.org/a-long-address-that-cannot-be-wrapped-anywhere/since-it-is-a-single-word/and-has-no-spaces',
	'// @module-tag long',
	'const a = 1; // A reason.',
])('the comment %j is accepted', source => {
	expect(commentChecks(source)).toEqual([]);
});

test.each(['F55: a conflict is shown', 'B200 servers are listed'])('the title %j opens with an id', title => {
	expect(titleHits(title, 7)).toHaveLength(1);
});

test.each(['A conflict is shown', 'H100 8 47.76 paperspace'])('the title %j is accepted', title => {
	expect(titleHits(title, 7)).toEqual([]);
});

test.each([
	'The key travels in the clear',
	'A save is under way',
	'This opens by itself',
	'It is not there any more',
	'The file was changed meanwhile',
	'Standard input goes along',
	'The name, letter for letter',
	'The folder is made',
	'This is no folder',
	'The price is not known',
	'Text stands outside of the block',
	'The job goes on',
	'The cell begins',
	'Deleting is final',
	'What you type cannot be saved',
])('%j is not for users', text => {
	expect(stringHits(text, 1)).toHaveLength(1);
});

test.each([
	'What do you want to do?',
	'Folder created',
	'There is no code cell',
	'begin',
	'Lines that begin with #',
])('%j is for users', text => {
	expect(stringHits(text, 1)).toEqual([]);
});

test('the changelog has one short line for each change, in the groups of Keep a Changelog', () => {
	const lines = (text: string): readonly number[] => changelogHits(text).map(({line}) => line);
	expect(lines('# Changelog\n\nA preface.\n\n## 1.0.0\n\n### Added\n- A command.\n')).toEqual([]);
	expect(lines('## 1.0.0\n\n### Files\n- A command.\n')).toEqual([3, 4]);
	expect(lines(`## 1.0.0\n### Fixed\n- A bug\n  in files.\n- ${'x'.repeat(140)}\n`)).toEqual([4, 5]);
	expect(lines('## 1.0.0\n- A command.\n')).toEqual([2]);
});

test.each([
	'Print the address of a server',
	'repl: write a submitted cell to disk immediately',
	'Fix a crash\n\nThe queue was empty.\nhttps://example.org/an-address-that-is-longer-than-seventy-two-columns-of-text',
	"Merge branch 'check'",
])('the commit message %j is accepted', message => {
	expect(commitProblems(message)).toEqual([]);
});

test.each([
	'Say plainly where files are',
	'Fixes a crash',
	'repl: fixed a crash',
	'Adding a command',
	'Print what is asked',
	'Fix a crash.',
	`Fix ${'x'.repeat(70)}`,
	'Fix a crash\nat once',
	`Fix a crash\n\n${'word '.repeat(20)}`,
])('the commit message %j is refused', message => {
	expect(commitProblems(message)).toHaveLength(1);
});
