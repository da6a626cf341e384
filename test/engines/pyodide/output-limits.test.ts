import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createOutputBuffer, STREAM_LIMIT_BYTES} from '../../../src/kernel/output-buffer.ts';
import {printed, sharePython, traceback} from './python.ts';

const shared = sharePython();

test('a hundred thousand printed lines arrive whole', {tags: 'long'}, async () => {
	const python = await shared();
	const lines = printed(await python.run("for i in range(100_000): print(f'{i:>80}')")).split('\n');
	expect(lines.length).toBe(100_001);
	expect(lines[99_999]).toBe('99999'.padStart(80));
});

test('an endless output keeps its start and end, with the number of bytes left out between', async () => {
	const python = await shared();
	const text = printed(await python.run("print('first')\nprint('x' * 20_000_000)\nprint('last')"));
	const hidden = 20_000_000 + 'first\n\nlast\n'.length - STREAM_LIMIT_BYTES;
	expect(text.startsWith('first\nxxx')).toBe(true);
	expect(text.endsWith('xxx\nlast\n')).toBe(true);
	expect(text).toContain(`\n… ${hidden.toLocaleString('en')} bytes not shown …\n`);
	expect(printed(await python.run("print('next')"))).toBe('next\n');
});

test('results are bounded, one by one and together', async () => {
	const python = await shared();
	const [large] = await python.run("'x' * 3_000_000");
	const shown = (large?.['data'] as Record<string, string>)['text/plain'] ?? '';
	expect(shown.length).toBeLessThan(1_100_000);
	expect(shown).toContain('characters hidden');
	const many = await python.run("for i in range(100): display('y' * 100_000)");
	expect(many.length).toBeLessThan(60);
	expect(printed(many, 'stderr')).toContain('the limit is 4 MiB');
	const loud = await python.run("raise ValueError('z' * 3_000_000)");
	expect(traceback(loud).length).toBeLessThan(1_100_000);
});

test('code that alternates between its streams ends with few outputs', {tags: 'long'}, async () => {
	const python = await shared();
	const outputs = await python.run('import sys\nfor i in range(5000): print(i); print(i, file=sys.stderr)');
	expect(outputs.length).toBeLessThanOrEqual(2001);
	expect(printed(outputs).split('\n').length).toBe(5001);
	expect(printed(outputs, 'stderr').split('\n').length).toBe(5001);
});

test('the stored and the hidden part add up for any text, and characters stay whole', () => {
	const pieces = fc.array(fc.string({unit: fc.constantFrom('a', 'é', '…', '🐍'), maxLength: 40}));
	fc.assert(
		fc.property(pieces, fc.integer({min: 8, max: 120}), (pieces, limit) => {
			const buffer = createOutputBuffer(limit);
			for (const piece of pieces) buffer.addText('stdout', piece);
			const whole = pieces.join('');
			const text = printed(buffer.take());
			const [, head, hidden, tail] = /^(.*)\n… ([\d,]+) bytes not shown …\n(.*)$/s.exec(text) ?? [];
			if (head === undefined || tail === undefined) {
				expect(text).toBe(whole);
				return;
			}
			expect([whole.startsWith(head), whole.endsWith(tail)]).toEqual([true, true]);
			expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(limit);
			expect(Buffer.byteLength(head + tail) + Number(hidden?.replaceAll(',', ''))).toBe(
				Buffer.byteLength(whole),
			);
		}),
	);
});
