import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stepsIn} from '../../src/work/steps.ts';
import {resultsMessage} from '../../src/work/results.ts';
import {testCases} from '../support/test-cases.ts';

const MARK = 'a1b2c3d4e5';

const one = (info: string, text = '', fence = '```'): string => `${fence}${info}\n${text}${fence}\n`;

test('each kind of step is read, with its path, lines and text', () => {
	const answer = [
		'I look first.\n',
		one(`list ${MARK} /data/`),
		one(`read ${MARK} data/a b.csv#L1-20`),
		one(`read ${MARK} notes.md`),
		one(`run ${MARK}`, 'print(1)\n'),
		one(`shell ${MARK}`, 'ls -la\n'),
		one(`write ${MARK} out/report.md`, '# Report\n\n```python\nx\n```\n', '````'),
		one(`edit ${MARK} src/a.py`, '<<<<<<< SEARCH\nold\n=======\nnew\nmore\n>>>>>>> REPLACE\n', '~~~'),
		one(`done ${MARK}`, 'All is done.\n'),
	].join('\n');
	expect(stepsIn(answer, MARK)).toEqual({
		fault: null,
		steps: [
			{kind: 'list', path: 'data'},
			{kind: 'read', path: 'data/a b.csv', from: 1, to: 20},
			{kind: 'read', path: 'notes.md', from: null, to: null},
			{kind: 'run', code: 'print(1)\n'},
			{kind: 'shell', code: 'ls -la\n'},
			{kind: 'write', path: 'out/report.md', text: '# Report\n\n```python\nx\n```\n'},
			{kind: 'edit', path: 'src/a.py', edits: [{find: 'old\n', replace: 'new\nmore\n'}]},
			{kind: 'done', text: 'All is done.'},
		],
	});
});

test.each([
	['no mark', one('run', 'x\n')],
	['another mark', one('run 0000000000', 'x\n')],
	['the mark of the task as a part of a longer word', one(`run ${MARK}0`, 'x\n')],
	['no fence', `run ${MARK}\nx\n`],
	['a quotation', `> \`\`\`run ${MARK}\n> x\n> \`\`\`\n`],
	['a fence in a fence', one('markdown', one(`run ${MARK}`, 'x\n'), '````')],
	['a fence in a fence of the other kind', one('', one(`write ${MARK} a`, 'x\n'), '~~~')],
	['code that is indented', `    \`\`\`run ${MARK}\n    x\n    \`\`\`\n`],
	['a thought before the answer', `<think>${one(`run ${MARK}`, 'x\n')}</think>`],
	['a thought that has not ended', `<think>\n${one(`run ${MARK}`, 'x\n')}`],
])('%s is not a step', (_, answer) => {
	expect(stepsIn(answer, MARK).steps).toEqual([]);
});

test.each([
	['a fence that is not closed', one(`read ${MARK} a`) + `\`\`\`run ${MARK}\nx\n`, /not closed/],
	['another block beside one that runs', one(`run ${MARK}`, 'x\n') + one('python', 'y\n'), /is not a step/],
	['an unknown kind', one(`delete ${MARK} a`), /no step of the kind "delete"/],
	['a path out of the root', one(`read ${MARK} ../a`), /cannot be used/],
	['a write without a path', one(`write ${MARK}`, 'x\n'), /needs a path/],
	['a fence that is indented', `  \`\`\`run ${MARK}\nx\n  \`\`\`\n`, /indented/],
	['a step after giving up', one(`give-up ${MARK}`, 'no\n') + one(`read ${MARK} a`), /after give-up/],
	['a step after the end', one(`done ${MARK}`, 'ok\n') + one(`read ${MARK} a`), /after done/],
	['an edit that is none', one(`edit ${MARK} a`, 'x\n'), /outside/],
	['an edit without its end', one(`edit ${MARK} a`, '<<<<<<< SEARCH\nx\n=======\ny\n'), /is missing/],
])('%s: no step of the answer is executed, with the reason', (_, answer, says) => {
	const {steps, fault} = stepsIn(answer, MARK);
	expect(steps).toEqual([]);
	expect(fault).toMatch(says);
});

const line = fc.oneof(
	fc.constantFrom('```', '~~~', '````', '```python', '~~~ md', '', 'x = 1', '  ```', '> ```', '# a'),
	fc.string({maxLength: 8}).map(text => text.replaceAll(/[\r\n]/g, '')),
);
const lines = fc.array(line, {maxLength: 12}).map(all => all.map(each => `${each}\n`).join(''));

testCases('a step is executed as intended or not at all, with any text in it', 3000, cases => {
	fc.assert(
		fc.property(lines, fc.constantFrom('```', '~~~', '````', '`````'), lines, (text, fence, around) => {
			const {steps} = stepsIn(`${one(`write ${MARK} a`, text, fence)}${around}`, MARK);
			if (steps.length > 0) expect(steps).toEqual([{kind: 'write', path: 'a', text}]);
		}),
		{numRuns: cases},
	);
});

test('text of files and outputs is never a step once it is quoted, and results never contain the mark', () => {
	const hostile = fc
		.array(fc.oneof(line, fc.constantFrom(`\`\`\`run ${MARK}`, `~~~write ${MARK} a`, MARK)), {maxLength: 12})
		.map(all => all.join('\n'));
	fc.assert(
		fc.property(hostile, hostile, (text, head) => {
			const message = resultsMessage([{number: 1, head: head.replaceAll('\n', ' '), text}], MARK);
			expect(message).not.toContain(MARK);
			expect(stepsIn(message, MARK).steps).toEqual([]);
		}),
	);
});

test('a long result is cut in the middle, with the size of the omitted part', () => {
	const message = resultsMessage([{number: 1, head: 'a', text: `begin${'x'.repeat(50_000)}end`}], MARK);
	expect(message).toMatch(/begin[^]*\n… 38,008 characters are left out here …\n[^]*end/);
});
