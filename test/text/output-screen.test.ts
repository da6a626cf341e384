import headless from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {output} from '../../src/text/output/output.ts';

const rowsOf = (text: string): string =>
	text
		.split('\n')
		.map(line => line.trimEnd())
		.join('\n')
		.trimEnd();

/** The text as xterm shows it. */
const onTerminal = async (text: string): Promise<string> => {
	const terminal = new headless.Terminal({
		cols: 200,
		rows: 60,
		convertEol: true,
		allowProposedApi: true,
		scrollback: 0,
	});
	await new Promise<void>(resolve => terminal.write(text, resolve));
	const buffer = terminal.buffer.active;
	const lines = Array.from({length: 60}, (_, row) => buffer.getLine(row)?.translateToString(true) ?? '');
	terminal.dispose();
	return rowsOf(lines.join('\n'));
};

test('two progress bars are two lines', () => {
	const bars = Array.from({length: 50}, (_, at) => `\router ${at}%\n\rinner ${at * 2}%\u001B[A`).join('');
	expect(output(bars).text).toBe('outer 49%\ninner 98%');
});

test('a table that is drawn again over itself is one table', () => {
	const drawn = (step: number): string => `a ${step}\nb ${step}\nc ${step}\n`;
	const again = '\r\u001B[2K\u001B[1A\u001B[2K\u001B[1A\u001B[2K\u001B[1A\u001B[2K';
	expect(output(`${drawn(1)}${again}${drawn(2)}${again}${drawn(3)}done\n`).text).toBe(
		'a 3\nb 3\nc 3\ndone\n',
	);
});

test('cursor movements give the same text as in xterm', async () => {
	const piece = fc.constantFrom(
		'word',
		'x',
		'\r',
		'\n',
		'\b',
		'\u001B[A',
		'\u001B[2A',
		'\u001B[F',
		'\u001B[K',
		'\u001B[1K',
		'\u001B[2K',
		'\u001B[32m',
		'\u001B[0m',
	);
	await fc.assert(
		fc.asyncProperty(fc.array(piece, {maxLength: 40}), async pieces => {
			const text = `start\n${pieces.join('')}\u001B[A`;
			expect(rowsOf(output(text, {colour: false}).text)).toBe(await onTerminal(text));
		}),
	);
});

test('the cursor does not reach further up than a screen, and nothing above is lost', () => {
	const text = `${Array.from({length: 500}, (_, at) => `line ${at}\n`).join('')}\u001B[999AX`;
	const lines = output(text).text.split('\n');
	expect(lines).toHaveLength(501);
	expect(lines[0]).toBe('line 0');
	expect(lines.findIndex(line => line.startsWith('X'))).toBe(441);
});
