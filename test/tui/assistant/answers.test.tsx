import fc from 'fast-check';
import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {createEditor} from '../../../src/text/editor/editor.ts';
import * as markdown from '../../../src/text/markdown/markdown.ts';
import {editorLines} from '../../../src/tui/core/components/editor-lines.ts';
// Fills the key table, because rows contain key names.
import '../../../src/tui/feature-list.ts';
import {AssistantView} from '../../../src/tui/assistant/view.tsx';
import {turnBlock} from '../../../src/tui/assistant/turn-lines.ts';
import {turn} from '../../support/factories.ts';
import {plainLook} from '../../text/plain-look.ts';
import {testCases} from '../../support/test-cases.ts';

const BLOCKS = [
	'# A title with *em* and `code`\n\n',
	'Another one\n===\n',
	'A paragraph of **several** words that goes on\nover a line end, with [a link](http://a.b/c?d=e) and ~~old~~ text. ',
	'- one\n- two\n  1. in\n     - deeper\n       and on\n  2. side\n\n',
	'1. first\n\n   its second paragraph\n2. then\n',
	'> said\n> > twice\n> - a list\n\n',
	'```python title="x.py" {1,3}\nprint("a")\n\n\tx = 1\n```\n',
	'~~~~\n```\ninner\n```\n~~~~\n',
	'- x\n  ```js\n  in a list\n  ```\n',
	'````md\n```\n````\n',
	'```\nnot closed\n',
	'| name | price |\n|:--|--:|\n| T4 | 0.35 |\n| `a|b` | **1.5** |\n\n',
	'| a | very long head of a column | c |\n|---|:-:|---|\n| long text that has to be wrapped in its column | b | 日本語 |\n',
	'<div class="x">html</div>\n\n',
	'a <b>bold</b> and<br>a break &amp; &#x1F600;\n\n',
	'CRLF\r\nlines\r\n\r\n',
	'👩‍👩‍👧‍👦 family, 🇩🇪 flag, e\u0301 and 表 wide\n\n',
	`${'x'.repeat(300)}\n`,
	`${'word '.repeat(120)}\n\n`,
	'---\n',
	'    indented code\n\n',
	'\\*no em\\* and * lone _ marks `\n',
];
const answers = fc
	.array(fc.constantFrom(...BLOCKS), {minLength: 1, maxLength: 9})
	.map(blocks => blocks.join(''));
/** Divides a text at any positions, also within surrogate pairs, joined emoji and line ends. */
const pieces = (text: string, cuts: readonly number[]): readonly string[] => {
	const places = [0, ...new Set(cuts.map(cut => cut % (text.length + 1)).sort((a, b) => a - b)), text.length];
	return places.slice(1).map((to, index) => text.slice(places[index], to));
};

let lastId = 1000;
const screens = (states: readonly string[], width: number, height: number) => {
	const id = ++lastId;
	const editor = editorLines(createEditor(), {width, height: 1, prompt: ' › ', more: '   ', active: true});
	const linesOf = (answer: string, state: 'streaming' | 'done') =>
		turnBlock(
			{...turn(), id, question: 'why?', answer, state},
			{width, engine: markdown, raw: false, showsThinking: false, models: []},
		).lines;
	const view = (answer: string, state: 'streaming' | 'done') => {
		const lines = linesOf(answer, state);
		return (
			<AssistantView
				server="welcome"
				isLocal
				detail="model_1"
				tray={[]}
				meter=""
				blocks={[lines]}
				top={null}
				codes={[]}
				looked={null}
				editor={editor}
				answering=""
				focused
				width={width}
				height={height}
			/>
		);
	};
	const {lastFrame, rerender, unmount} = render(view(states[0] ?? '', 'streaming'));
	// Drawing is slow in this test, and two frames suffice to show that rows move.
	for (const state of states.slice(1)) linesOf(state, 'streaming');
	rerender(view(states.at(-1) ?? '', 'done'));
	const frame = lastFrame();
	unmount();
	return frame;
};

test(
	'the rows on screen after an answer came in any fragments are those of the same answer sent whole, at any width',
	{tags: 'long'},
	() => {
		fc.assert(
			fc.property(
				answers,
				fc.array(fc.nat(), {maxLength: 12}),
				fc.integer({min: 24, max: 98}),
				(text, cuts, width) => {
					let sofar = '';
					const states = pieces(text, cuts).map(piece => (sofar += piece));
					expect(screens(states, width, 24)).toBe(screens([text], width, 24));
				},
			),
			{numRuns: 20},
		);
	},
);

testCases('while an answer arrives its rows stay in place: finished rows no longer change', 200, cases => {
	fc.assert(
		fc.property(
			answers,
			fc.array(fc.nat(), {maxLength: 40}),
			fc.integer({min: 24, max: 98}),
			(text, cuts, width) => {
				let sofar = '';
				let before = markdown.renderMarkdown('', width, plainLook);
				for (const piece of pieces(text, cuts)) {
					sofar += piece;
					const next = markdown.renderMarkdown(sofar, width, plainLook, before);
					const finished = before.closed.rowCount;
					expect(next.rows.slice(0, finished)).toEqual(before.rows.slice(0, finished));
					expect(next.closed.rowCount).toBeGreaterThanOrEqual(finished);
					before = next;
				}
			},
		),
		{numRuns: cases},
	);
});

test('an answer such as models write never jumps: character by character it gets no row less', () => {
	const text =
		`## Load the *prices*\n\nThe file \`data/prices.csv\` has one row per offer. Read it with **pandas**, see [the guide](https://pandas.pydata.org/docs/io.html).\n\n1. Take the newest file.\n2. Drop rows without a price:\n   - those of *closed* regions,\n   - and more.\n\n\`\`\`python\nimport pandas as pd\n\nprint(pd.read_csv("data/prices.csv"))\n\`\`\`\n\n| region | GPU | price |\n|:--|:-:|--:|\n| eu-north-1 | A100 | 1.10 |\n| us-east-2 | H100 | 2.95 |\n\n> Prices change.\n`.repeat(
			2,
		);
	for (const width of [38, 60, 95]) {
		let before = markdown.renderMarkdown('', width, plainLook);
		for (let end = 1; end <= text.length; end++) {
			const next = markdown.renderMarkdown(text.slice(0, end), width, plainLook, before);
			expect([text.slice(0, end).slice(-40), next.rows.length]).toEqual([
				text.slice(0, end).slice(-40),
				Math.max(next.rows.length, before.rows.length),
			]);
			before = next;
		}
	}
});

test("a model's reasoning is a row until it is opened, and the rows of the code move with it", () => {
	const thought = `Perhaps ${'so '.repeat(60)}\n\u001B[2Jor not.`;
	const asked = {...turn(), question: 'why?', answer: 'So:\n\n```python\nx\n```\n', reasoning: thought};
	const rows = (showsThinking: boolean) => {
		const block = turnBlock(
			{...asked, id: ++lastId, state: 'done', firstTextAt: 12_000},
			{width: 60, engine: markdown, raw: false, showsThinking, models: []},
		);
		const lines = block.lines.map(line => line.replaceAll(/\u001B\[[\d;]*m/g, ''));
		expect(lines.every(line => line.length <= 60 && !line.includes('\u001B'))).toBe(true);
		expect(lines[block.codes[0]?.row ?? -1]).toContain('python');
		return lines;
	};
	const [folded, open] = [rows(false), rows(true)];
	expect(folded[2]).toMatch(/^ {2}▹ thought for 12 s · \d+ B · .* opens it$/);
	expect(folded.join('')).not.toContain('or not.');
	expect(open[2]).toMatch(/^ {2}▿ thought for 12 s · \d+ B · .* closes it$/);
	expect(open.filter(line => line.startsWith('  │ ')).length).toBeGreaterThan(3);
	expect(open.join('')).toContain('or not.');
});

test('other content of a stream than text is reported below the answer', () => {
	const {lines} = turnBlock(
		turn({state: 'done', answer: 'some', leftOut: 'Not in the text: 1 line of kind 9 (tool call).'}),
		{width: 80, engine: markdown, raw: false, showsThinking: false, models: []},
	);
	expect(lines.join('\n')).toContain('Not in the text: 1 line of kind 9 (tool call).');
});
