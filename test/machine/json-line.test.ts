import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createOutputBuffer} from '../../src/kernel/output-buffer.ts';
import {linesAfter, jsonLine} from '../../src/machine/json-line.ts';
import {testCases} from '../support/test-cases.ts';

const read = (buffers: readonly Buffer[]): string => Buffer.concat([...buffers]).toString();

const piece = fc
	.tuple(fc.constantFrom('a', 'line\n', '"\\', '€', '😀', '\u001B[31mred\u0000\n', '\uD83D'), fc.nat(30_000))
	.map(([unit, times]) => unit.repeat(times));

testCases(
	'property: a cell is read back from its line unchanged, with output of any length and content',
	60,
	cases => {
		fc.assert(
			fc.property(
				fc.array(piece, {maxLength: 20}),
				fc.nat({max: 400_000}),
				fc.string(),
				(pieces, limit, name) => {
					const buffer = createOutputBuffer(limit, '...');
					for (const [index, text] of pieces.entries())
						buffer.addText(index % 7 === 6 ? 'stderr' : 'stdout', text);
					buffer.add({output_type: 'display_data', data: {'text/plain': name}, metadata: {}});
					const cell = {session: name, result: {source: name, outputs: buffer.look()}, failure: null};
					const line = read(jsonLine(cell));
					expect(line.at(0)).toBe('\n');
					expect(line.indexOf('\n', 1)).toBe(line.length - 1);
					expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(cell)));
				},
			),
			{numRuns: cases},
		);
	},
);

test('a cell without long texts is the JSON that everybody writes', () => {
	const cell = {
		id: 1,
		life: undefined,
		result: {outputs: [{output_type: 'stream', name: 'stdout', text: 'x\n'}]},
	};
	expect(read(jsonLine(cell))).toBe(`\n${JSON.stringify(cell)}\n`);
});

test('megabytes are in few buffers, so that the system writes them at once', () => {
	const buffer = createOutputBuffer();
	for (let count = 0; count < 100_000; count++) buffer.addText('stdout', `${'x'.repeat(100)}\n`);
	const buffers = jsonLine({outputs: buffer.look()});
	expect(buffers.length).toBeLessThan(20);
	expect(read(buffers).length).toBeGreaterThan(8 << 20);
});

test('property: the rest after a number of bytes is the text that they do not cover', () => {
	fc.assert(
		fc.property(fc.array(fc.uint8Array({maxLength: 9})), fc.nat(60), (arrays, bytes) => {
			const buffers = arrays.map(array => Buffer.from(array));
			expect(Buffer.concat([...linesAfter(buffers, bytes)])).toEqual(Buffer.concat(buffers).subarray(bytes));
			expect(linesAfter(buffers, bytes).every(({length}) => length > 0)).toBe(true);
		}),
	);
});
