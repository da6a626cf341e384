import {expect, test} from 'vitest';
import type {CellOutput} from '../../../src/contract/cells.ts';
import {SAFE_LIMIT} from '../../../src/text/width/cap.ts';
import {withoutColours} from '../../../src/text/width/width.ts';
import {errorOfCell, outputOfCell} from '../../../src/tui/cells/cell-text.ts';
import {outputLines} from '../../../src/tui/cells/rows/output-lines.ts';
import {outputsText} from '../../../src/work/results.ts';
import {cell} from '../../support/factories.ts';
import {HOSTILE_TEXTS} from '../../text/hostile-text.ts';

const gave = (...outputs: CellOutput[]) =>
	cell({result: {cell_type: 'code', execution_count: 1, metadata: {}, source: '', outputs}});
/** Outputs with which code can return a text, by name. */
const waysTo = (text: string): Readonly<Record<string, CellOutput>> => ({
	printed: {output_type: 'stream', name: 'stdout', text},
	value: {output_type: 'execute_result', data: {'text/plain': text}},
	'value in lines': {output_type: 'display_data', data: {'text/plain': text.split(/(?<=\n)/)}},
	traceback: {output_type: 'error', ename: 'E', evalue: '', traceback: [text]},
	error: {output_type: 'error', ename: 'E', evalue: text, traceback: []},
});

test.each(HOSTILE_TEXTS)('$name acts on no terminal, however code gives it', ({text}) => {
	for (const [way, output] of Object.entries(waysTo(`${text}\u001B[2J hi`)))
		expect(outputOfCell(gave(output)), way).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
});

const line = `${'x'.repeat(99)}\n`;
const long = `${line.repeat(Math.ceil((SAFE_LIMIT * 1.5) / line.length))}the end`;
test.each(Object.entries(waysTo(long)))('more than is looked at in one go is all there: %s', (_, output) =>
	expect(outputOfCell(gave(output)).length).toBeGreaterThanOrEqual(long.length),
);

test('an error is whole, too', () =>
	expect(errorOfCell(gave(waysTo(long)['traceback']!))?.traceback).toBe(long));

const FAILED: CellOutput = {
	output_type: 'error',
	ename: 'UsageError',
	evalue: 'Line magic function `%x` not found.',
	traceback: ['UsageError: Line magic function `%x` not found.'],
};
const said = (...texts: string[]): CellOutput[] =>
	texts.map(text => ({output_type: 'stream', name: 'stderr', text}));

test('the message of a magic that fails, which IPython prints itself, is shown and copied once', () => {
	const message = 'UsageError: Line magic function `%x` not found.\n';
	const failed = gave(...said('UsageError: ', message.slice('UsageError: '.length)), FAILED);
	expect(outputOfCell(failed)).toBe(message);
	expect(outputsText(failed.result!.outputs)).toBe(message);
	const look = {
		width: 80,
		open: false,
		pictureStyle: {depth: 1, blocks: 'quadrants'},
		pictureRows: 0,
	} as const;
	expect(outputLines(failed, look).map(withoutColours)).toEqual([`       ${message.trimEnd()}`]);
	expect(errorOfCell(failed)?.error).toBe(message.trimEnd());
	// Other text on stderr is not treated as such a message.
	expect(outputOfCell(gave(...said('careful\n'), FAILED))).toBe(`careful\n${message}`);
});
