import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createOutputBuffer} from '../../src/kernel/output-buffer.ts';
import {excerptOf, fold, foldExcerpt} from '../../src/text/output/fold.ts';

const FOLD = {most: 40, first: 15, last: 15};
const LIMIT = 600_000;

/** The part of a stream that is stored, and its excerpt. */
const gathered = (pieces: readonly string[], limit = LIMIT) => {
	const buffer = createOutputBuffer(limit, '...');
	for (const piece of pieces) buffer.addText('stdout', piece);
	const [output] = buffer.look();
	if (output === undefined) throw new Error('nothing was gathered');
	return {text: String(output['text']), excerpt: excerptOf(output), output};
};

const piece = fc
	.tuple(
		fc.constantFrom('a', 'line\n', 'é\n', '€', '\n', '😀 x\n', '\u001B[31mred\u001B[0m\n'),
		fc.nat(30_000),
	)
	.map(([unit, times]) => unit.repeat(times));

test('an excerpt folds as its whole text does, with any content and any amount left out', () => {
	let seen = 0;
	fc.assert(
		fc.property(fc.array(piece, {minLength: 2, maxLength: 30}), pieces => {
			const {text, excerpt} = gathered(pieces);
			if (excerpt === null) return;
			seen++;
			expect(foldExcerpt(excerpt, FOLD)).toEqual(fold(text, FOLD));
		}),
		{numRuns: 60},
	);
	expect(seen).toBeGreaterThan(10);
});

test('a text has an excerpt while it grows, before anything is left out and long after', () => {
	const buffer = createOutputBuffer(LIMIT, '...');
	let hidden = 0;
	for (let number = 0; number < 60_000; number++) {
		buffer.addText('stdout', `step ${number} of many\n`);
		if (number % 9999 !== 0 || number === 0) continue;
		const [output] = buffer.look();
		const excerpt = output && excerptOf(output);
		if (!output || !excerpt) throw new Error(`no excerpt at ${number}`);
		const folded = foldExcerpt(excerpt, FOLD);
		expect(folded.tail).toContain(`step ${number} of many`);
		expect(folded).toEqual(fold(String(output['text']), FOLD));
		if (String(output['text']).includes('bytes not shown')) hidden++;
	}
	expect(hidden).toBeGreaterThan(0);
});

test('a short text has none, nor does a rising one, in one piece or cut anywhere', () => {
	const up = '\u001B[12A';
	expect(gathered(['short\n']).excerpt).toBeNull();
	expect(gathered(['line\n'.repeat(50_000)]).excerpt).not.toBeNull();
	for (let at = 0; at <= up.length; at++)
		expect(gathered(['line\n'.repeat(50_000), up.slice(0, at), up.slice(at)]).excerpt).toBeNull();
});

test('a snapshot is plain data that can be copied or written', () => {
	const {output, text} = gathered(['line\n'.repeat(50_000)]);
	expect({...output}).toEqual({output_type: 'stream', name: 'stdout', text});
	expect(JSON.parse(JSON.stringify(output))).toEqual({output_type: 'stream', name: 'stdout', text});
	expect(structuredClone(output)).toEqual({output_type: 'stream', name: 'stdout', text});
});
