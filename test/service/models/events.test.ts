import fc from 'fast-check';
import {expect, test} from 'vitest';
import {eventData, EventTooLargeError} from '../../../src/service/assistant/models/model-answer.ts';

const collect = async (pieces: readonly string[]): Promise<string[]> => {
	const all: string[] = [];
	for await (const data of eventData(
		(async function* () {
			yield* pieces;
		})(),
	))
		all.push(data);
	return all;
};

test('events are read alike with any cut of their bytes and any line ends', async () => {
	const event = fc.array(fc.string({unit: fc.constantFrom('a', ':', ' ', '{', '"', '😀', ' ')}), {
		minLength: 1,
		maxLength: 3,
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(event, {maxLength: 6}),
			fc.constantFrom('\n', '\r\n', '\r'),
			fc.array(fc.nat(400)),
			async (events, eol, cuts) => {
				const text = events
					.map(
						lines => `: note${eol}${lines.map(line => `data: ${line}${eol}`).join('')}retry: 1${eol}${eol}`,
					)
					.join('');
				const at = [0, ...cuts.map(cut => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
				const pieces = at.slice(1).map((to, index) => text.slice(at[index], to));
				expect(await collect(pieces)).toEqual(events.map(lines => lines.join('\n')));
			},
		),
		{numRuns: 300},
	);
});

test('an event without end is not kept without end', async () => {
	await expect(collect(['data: ', ...Array.from({length: 40}, () => 'x'.repeat(32_768))])).rejects.toThrow(
		EventTooLargeError,
	);
	await expect(collect(Array.from({length: 40}, () => `data: ${'x'.repeat(32_768)}\n`))).rejects.toThrow(
		EventTooLargeError,
	);
	expect(await collect(Array.from({length: 40}, () => `data: ${'x'.repeat(32_768)}\n\n`))).toHaveLength(40);
});
