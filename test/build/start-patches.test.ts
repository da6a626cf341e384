import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {lazySegmenter} from '../../src/build/lazy-segmenter.ts';
import {unitCells} from '../../src/text/width/graphemes.ts';
import {grapheme} from '../support/code-points.ts';

const simple = Array.from({length: 0x10000}, (_, unit) => unit)
	.filter(unit => unitCells(unit) === 1)
	.map(unit => String.fromCharCode(unit));
const anything = fc.string({
	unit: fc.oneof(
		fc.constantFrom(...simple),
		fc.string({unit: grapheme, minLength: 1, maxLength: 1}),
		fc.constantFrom(
			'\u0301',
			'\u200D',
			'\uFE0F',
			'\r',
			'\n',
			'\t',
			'\0',
			'\u007F',
			'\u0085',
			'\u001B[1;31m',
			'👩',
			'日',
		),
	),
});
const segments = (text: string) =>
	[...new Intl.Segmenter().segment(text)].map(({segment, index}) => ({segment, index}));

test('every character that the start takes for simple is one cell wide, alone and beside any other', () => {
	expect(simple.length).toBeGreaterThan(1000);
	for (const character of simple) expect([character, stringWidth(character)]).toEqual([character, 1]);
	fc.assert(
		fc.property(fc.string({unit: fc.constantFrom(...simple)}), text => stringWidth(text) === text.length),
		{numRuns: 2000},
	);
});

test('text is taken apart into the same graphemes with and without a segmenter', () => {
	fc.assert(
		fc.property(anything, text => {
			const ours = [...lazySegmenter.segment(text)].map(({segment, index}) => ({segment, index}));
			expect(ours).toEqual(segments(text));
		}),
		{numRuns: 2000},
	);
});

test('the grapheme around a place in the text is the same too', () => {
	fc.assert(
		fc.property(anything, fc.nat({max: 20}), (text, at) => {
			const theirs = new Intl.Segmenter().segment(text).containing(at);
			const ours = lazySegmenter.segment(text).containing(at);
			expect(ours && {segment: ours.segment, index: ours.index}).toEqual(
				theirs && {segment: theirs.segment, index: theirs.index},
			);
		}),
		{numRuns: 2000},
	);
});

test('no module of the start makes a segmenter when it is imported', () => {
	const start = readFileSync(new URL('../../dist/screens.cjs', import.meta.url), 'utf8');
	expect(start.match(/(?:var |[,;])[\w$]+=new Intl\.Segmenter/g)).toBeNull();
});
