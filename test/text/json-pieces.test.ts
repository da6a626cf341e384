import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createOutputBuffer} from '../../src/kernel/output-buffer.ts';
import {parseExact} from '../../src/text/exact-json.ts';
import {jsonPieces} from '../../src/text/json-pieces.ts';

test('pieces are the JSON of the value', () => {
	fc.assert(
		fc.property(fc.jsonValue(), value => {
			expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
		}),
	);
	const value = {left: undefined, list: [undefined, {}], at: new Date(0), number: parseExact('{"a":1.0}')};
	expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
});

test('a long text is cut into pieces, also within a character, and printed text is never joined', () => {
	const value = {text: `${'a'.repeat(2 ** 16 - 1)}😀${'b'.repeat(200_000)}`};
	const pieces = [...jsonPieces(value)];
	expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(2 ** 17 + 20);
	expect(JSON.parse(pieces.join(''))).toEqual(value);
	const buffer = createOutputBuffer();
	for (let line = 0; line < 100; line++) buffer.addText('stdout', 'x'.repeat(100_000));
	const [output] = buffer.take();
	const [printed] = JSON.parse([...jsonPieces([output])].join('')) as readonly unknown[];
	expect(printed).toEqual({...output});
});
