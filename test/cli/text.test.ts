import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bytesOf, uploadOf} from '../../src/api/file-bytes.ts';
import {outputText} from '../../src/cli/run/cell-text.ts';
import {safeJson} from '../../src/cli/json.ts';
import {tableText} from '../../src/cli/table.ts';
import {createSafeStream, terminalBlock} from '../../src/cli/terminal-text.ts';
import {suggestedCommand} from '../../src/cli/suggested-command.ts';
import {cellWidth} from '../../src/text/width/width.ts';
import {hostileString} from '../text/hostile-characters.ts';
import {codePoint} from '../support/code-points.ts';

/** The text cut into fragments at these positions. */
const cutAt = (text: string, places: readonly number[]): readonly string[] => {
	const ends = [...new Set([...places.map(place => place % (text.length + 1)), text.length])].toSorted(
		(a, b) => a - b,
	);
	return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
};

test('an answer is shown the same however it was cut into fragments', () => {
	fc.assert(
		fc.property(hostileString(60), fc.array(fc.nat(60), {maxLength: 12}), (text, places) => {
			const stream = createSafeStream();
			const shown =
				cutAt(text, places)
					.map(fragment => stream.push(fragment))
					.join('') + stream.end();
			expect(shown).toBe(terminalBlock(text));
		}),
		{numRuns: 3000, examples: [['\u{1F469}\u200D\u{1F680}', [4]]]},
	);
});

test('text is shown when it arrives, not when its line ends', () => {
	const stream = createSafeStream();
	expect([stream.push('one'), stream.push(' two\nth'), stream.push('ree')]).toEqual([
		'one',
		' two\nth',
		'ree',
	]);
});

test('a line of a million characters in small fragments is shown whole', () => {
	const stream = createSafeStream();
	let shown = '';
	for (let at = 0; at < 10_000; at++) shown += stream.push('0123456789'.repeat(10));
	expect((shown + stream.end()).length).toBe(1_000_000);
});

test('JSON of hostile text is the same value and holds nothing that acts on a terminal or turns text', () => {
	fc.assert(
		fc.property(hostileString(60), text => {
			const json = safeJson({[text]: [text]}, 2);
			expect(json).not.toMatch(
				/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
			);
			expect(JSON.parse(json)).toEqual({[text]: [text]});
		}),
		{numRuns: 2000},
	);
});

test('columns are aligned by the cells that a terminal gives to each character', () => {
	const text = tableText(
		[
			{head: 'A', value: (row: readonly string[]) => row[0] ?? ''},
			{head: 'B', value: row => row[1] ?? ''},
		],
		[
			['表計算', 'x'],
			['plain', 'x'],
			['👩‍🚀é', 'x'],
		],
		Infinity,
	);
	const [, ...rows] = text.trimEnd().split('\n');
	expect(rows.map(row => cellWidth(row.slice(0, -1)))).toEqual([8, 8, 8]);
});

test('any bytes are the same after an upload and a download', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.uint8Array({maxLength: 200}),
				fc.string({unit: codePoint}).map(text => Buffer.from(text)),
			),
			bytes => {
				const {content = '', format} = uploadOf(Buffer.from(bytes));
				expect(bytesOf({name: 'f', path: 'f', type: 'file', format, content})).toEqual(Buffer.from(bytes));
			},
		),
		{numRuns: 1000},
	);
});

test('base64 that is none is an error, not other bytes', () => {
	expect(bytesOf({name: 'f', path: 'f', type: 'file', format: 'base64', content: 'not*base64'})).toContain(
		'not valid base64',
	);
});

test('a suggested command line is parsed by a shell as intended', () => {
	expect(suggestedCommand(['server', 'start', "Ann's box", '--wait'], {})).toBe(
		String.raw`svc-tui server start 'Ann'\''s box' --wait`,
	);
	expect(suggestedCommand(['servers'], {baseUrl: 'https://a.example/x?y'})).toBe(
		"svc-tui servers --base-url 'https://a.example/x?y'",
	);
});

test('without colours a traceback has none, and what code prints itself is left as it is', () => {
	const red = '\u001b[0;31mValueError\u001b[0m: no';
	const error = {output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [red, 'end']};
	expect(outputText(error)).toEqual({to: 'stderr', text: `${red}\nend\n`});
	expect(outputText(error, {colour: false})).toEqual({to: 'stderr', text: 'ValueError: no\nend\n'});
	const printed = {output_type: 'stream', name: 'stdout', text: red};
	expect(outputText(printed, {colour: false})).toEqual({to: 'stdout', text: red});
});

test('an object with a meaningless name is printed in its richer form; undrawable parts are named beside it', () => {
	const shown = (data: Readonly<Record<string, unknown>>) =>
		outputText({output_type: 'display_data', metadata: {}, data});
	const name = {'text/plain': '<IPython.core.display.X object>'};
	expect(shown({...name, 'text/markdown': '**hi**'})).toEqual({to: 'stdout', text: '**hi**\n'});
	expect(shown({'text/html': '<p>one</p><p>two</p>'})).toEqual({to: 'stdout', text: 'one\n\ntwo\n'});
	expect(shown({'text/plain': '   a\n0  1', 'text/html': '<table></table>'})).toEqual({
		to: 'stdout',
		text: '   a\n0  1\n',
	});
	expect(shown({'text/plain': '<Figure size 640x480 with 1 Axes>', 'image/png': 'AAAA'})).toEqual({
		to: 'note',
		text: 'A picture (PNG, 3 bytes) is not drawn here; use --json. The REPL and the notebook draw it.',
	});
	const widget = {'application/vnd.jupyter.widget-view+json': {}, 'text/plain': 'IntSlider(value=5)'};
	expect(shown(widget)).toMatchObject({to: 'stdout', text: 'IntSlider(value=5)\n'});
	expect(shown(widget)).toHaveProperty(
		'note',
		expect.stringMatching(/^A widget is not drawn here; use --json/),
	);
	expect(shown({'application/vnd.x+json': {}})).toEqual({
		to: 'note',
		text: 'Output of type application/vnd.x+json is not shown; use --json.',
	});
	expect(shown({})).toEqual({to: 'note', text: 'Output of type unknown is not shown; use --json.'});
});
