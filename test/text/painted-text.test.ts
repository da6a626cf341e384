import headless from '@xterm/headless';
import {expect, test} from 'vitest';
import {createPaintedText, type PaintedText} from '../../src/text/output/painted.ts';

/** The text in a terminal of 20 columns. */
const drawn = async (paint: (text: PaintedText) => string): Promise<string> => {
	const terminal = new headless.Terminal({cols: 20, rows: 8, allowProposedApi: true, convertEol: true});
	const text = createPaintedText({columns: 20, colour: true});
	await new Promise<void>(resolve => terminal.write(paint(text), resolve));
	const {active} = terminal.buffer;
	return Array.from({length: active.length}, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
		.join('\n')
		.trimEnd();
};

test('plain text is written as it is, each piece once', () => {
	const text = createPaintedText({columns: 20, colour: true});
	expect(text.push('one')).toBe('one');
	expect(text.push(' two\nthree\n')).toBe(' two\nthree\n');
	expect(text.push('')).toBe('');
});

test('a bar stays in its line, however it is cut into pieces', async () => {
	const bar = Array.from({length: 2000}, (_, step) => `\r${step} ${'#'.repeat(step / 200)}`).join('');
	const all = `start\n${bar}\nend\n`;
	for (const size of [7, 100, 20_000])
		expect(
			await drawn(text =>
				Array.from({length: Math.ceil(all.length / size)}, (_, at) =>
					text.push(all.slice(at * size, (at + 1) * size)),
				).join(''),
			),
		).toBe('start\n1999 #########\nend');
});

test('bars above one another are drawn over, in lines that wrap too', async () => {
	expect(
		await drawn(text => text.push('a 1\nb 1\n') + text.push('\u001b[2Aa 2\nb 2\n') + text.push('done\n')),
	).toBe('a 2\nb 2\ndone');
	expect(await drawn(text => text.push('x'.repeat(50)) + text.push('\rgone') + text.push('\n'))).toBe(
		`gone${'x'.repeat(16)}\n${'x'.repeat(20)}\n${'x'.repeat(10)}`,
	);
});

test('colours continue in the next line, and nothing else acts on the terminal', () => {
	const text = createPaintedText({columns: 20, colour: true});
	expect(text.push('\u001b[31mred\n')).toContain('\u001b[31mred');
	const next = text.push('still red\u001b]0;title\u0007\u001b[2J\u001b[5;5H\n');
	expect(next).toContain('\u001b[31mstill red');
	expect(next).not.toMatch(/title|\[2J|\[5;5H/);
	expect(createPaintedText({columns: 20, colour: false}).push('\u001b[31mred\n')).toBe('red\n');
});

test('cleared text disappears, and the end can be replaced while it is the end', async () => {
	expect(await drawn(text => text.push('a\nb\nc') + text.clear() + text.push('d\n'))).toBe('d');
	expect(
		await drawn(text => text.push('a\n1\n') + (text.replaceEnd('1\n', '2\n') ?? '') + text.push('b\n')),
	).toBe('a\n2\nb');
	const text = createPaintedText({columns: 20, colour: true});
	text.push('1\nb\n');
	expect(text.replaceEnd('1\n', '2\n')).toBeNull();
});
