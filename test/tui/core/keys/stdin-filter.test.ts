import fc from 'fast-check';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createInputFilter} from '../../../../src/tui/core/keys/stdin-filter.ts';
import {testCases} from '../../../support/test-cases.ts';

const START = '\u001B[200~';
const END = '\u001B[201~';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/**
 * The input that the program receives from these chunks, with `pause` ms between them and a long
 * pause at the end.
 */
const through = (chunks: readonly string[], pause = 0): readonly string[] => {
	const events: string[] = [];
	const filter = createInputFilter(text => events.push(text));
	for (const chunk of chunks) {
		filter.push(chunk);
		vi.advanceTimersByTime(pause);
	}
	vi.advanceTimersByTime(10_000);
	return events;
};

const keys = [
	'a',
	'hello\r',
	'\u0003',
	'\t',
	'\u007F',
	'日本👩‍👩‍👧',
	'\u001B',
	'\u001B\u001B',
	'\u001Bb',
	'\u001B\r',
	'\u001B_',
	'\u001B]',
	'\u001BP',
	'\u001BX',
	'\u001B[',
	'\u001BO',
	'\u001B[A',
	'\u001B[1;5C',
	'\u001B[3~',
	'\u001BOP',
	'\u001B[[A',
	'\u001B[Z',
	'\u001B[2$',
	'\u001B[97;5u',
	'\u001B[?1u',
	'\u001B[57441;1:3u',
	`${START}${END}`,
	`${START}one\rtwo${END}`,
	`${START}\u001B[A \u001B]11;rgb:0/0/0\u0007 \u0003${END}`,
];
const reports = [
	'\u001B[<0;10;12M',
	'\u001B[<35;200;1m',
	'\u001B[32;10;12M',
	'\u001B[M !!',
	'\u001B[I',
	'\u001B[O',
	'\u001B[12;40R',
	'\u001B[?1;2c',
	'\u001B[>0;276;0c',
	'\u001B[0n',
	'\u001B[8;40;120t',
	'\u001B[?2026;2$y',
	'\u001B]11;rgb:0000/0000/0000\u0007',
	'\u001B]10;rgb:ffff/ffff/ffff\u001B\\',
	'\u001B]52;c;cXVpdA==\u0007',
	'\u001B]lxterm\u001B\\',
	'\u001BP>|XTerm(379)\u001B\\',
	'\u001BP1$r0m\u001B\\',
	'\u001B_Gi=31;OK\u001B\\',
	END,
];

/**
 * Keys that look like the start of a sequence are sent to Ink in an unambiguous form: Esc, and Alt
 * with `[`, `O` and the keys that start a string.
 */
const inFull = (typed: string): string =>
	/^\u001B+$/.test(typed)
		? '\u001B[27u'.repeat(typed.length)
		: typed.replace(/^\u001B([[O\]P_])$/, (_, letter: string) => `\u001B[${letter.codePointAt(0)};3u`);

test.each(keys)('%j reaches the program as it was typed', typed => {
	expect(through([typed]).join('')).toBe(inFull(typed));
	expect(through([`x${typed}`, 'y'], 5000).join('')).toBe(`x${inFull(typed)}y`);
});

test.each(reports)('%j, which a terminal sends unasked, is not typing', report => {
	expect(through([report])).toEqual([]);
	expect(through([`a${report}b${report}`]).join('')).toBe('ab');
	// The bytes of a report may arrive in two parts, split anywhere.
	for (let cut = 1; cut < report.length; cut++)
		expect(through([`a${report.slice(0, cut)}`, `${report.slice(cut)}b`]).join(''), `cut at ${cut}`).toBe(
			'ab',
		);
});

const ANSWERS = [
	'\u001B]11;rgb:0000/0000/0000\u0007',
	'\u001B]11;rgb:ffff/ffff/ffff\u001B\\',
	'\u001B[?62;1;2c',
	'\u001B[1;3R',
	'\u001B[<64;200;12M',
	'\u001B[<0;7;9m',
];

test.each(ANSWERS)('%j is not typing with seconds between its pieces', answer => {
	for (let cut = 4; cut < answer.length; cut++)
		expect(through([answer.slice(0, cut), `${answer.slice(cut)}b`], 5000).join(''), `cut at ${cut}`).toBe(
			'b',
		);
});

test.each(ANSWERS)('an incomplete %j is not typed', answer => {
	for (let cut = 4; cut < answer.length; cut++)
		expect(through([answer.slice(0, cut)]).join(''), `cut at ${cut}`).toBe('');
});

test('a key behind an answer that breaks off is a key', () => {
	expect(through(['\u001B]11;rgb:ff', 'q'], 100).join('')).toBe('q');
	expect(through(['\u001B]11;rgb:ff\u001B[A']).join('')).toBe('\u001B[A');
});

testCases(
	'any input comes out in the same order, cut into any pieces, without the reports between',
	500,
	cases => {
		const part = fc.oneof(
			fc
				.constantFrom(...keys.filter(key => !/^\u001B+$|^\u001B[[O\]P_X]$|\$$/.test(key)))
				.map(text => ({text, kept: text})),
			fc.constantFrom(...reports).map(text => ({text, kept: ''})),
		);
		fc.assert(
			fc.property(fc.array(part, {maxLength: 12}), fc.array(fc.nat(), {maxLength: 20}), (parts, cuts) => {
				const all = parts.map(({text}) => text).join('');
				const places = [...new Set(cuts.map(cut => cut % (all.length + 1)))].sort(
					(one, other) => one - other,
				);
				const chunks = [0, ...places].map((from, index) => all.slice(from, places[index]));
				expect(through(chunks).join('')).toBe(parts.map(({kept}) => kept).join(''));
			}),
			{numRuns: cases},
		);
	},
);

test('a paste comes as one event, in however many pieces it arrived', () => {
	const pasted = `${START}first\rsecond${END}`;
	expect(through([...pasted], 5)).toEqual([pasted]);
});

test('a paste that never ends is taken as text after two seconds, and what follows is typing again', () => {
	const events: string[] = [];
	const filter = createInputFilter(text => events.push(text));
	filter.push(`${START}half a `);
	vi.advanceTimersByTime(1900);
	filter.push('paste');
	vi.advanceTimersByTime(1900);
	expect(events).toEqual([]);
	vi.advanceTimersByTime(200);
	expect(events).toEqual([`${START}half a paste${END}`]);
	filter.push(`x${END}`);
	expect(events.at(-1)).toBe('x');
});

test('Ctrl-C gets out of a paste without an end within a tenth of a second', () => {
	const events: string[] = [];
	const filter = createInputFilter(text => events.push(text));
	filter.push(`${START}stuck`);
	filter.push('\u0003');
	vi.advanceTimersByTime(110);
	filter.push(`${START}stuck\u0003`);
	vi.advanceTimersByTime(110);
	expect(events).toEqual([`${START}stuck${END}`, '\u0003', `${START}stuck${END}`, '\u0003']);
});

test('a Ctrl-C inside a paste is text, at any cut of the paste', () => {
	const pasted = `${START}\u0003one\u0003\rtwo\u0003${END}`;
	expect(through([...pasted], 5)).toEqual([pasted]);
});

test('of a huge paste the start is kept, as one event, and the next keys are typing', () => {
	const pasted = 'é日😀 0123456789\r'.repeat(300_000);
	const bytes = `${START}${pasted}${END}`;
	const chunks = Array.from({length: Math.ceil(bytes.length / 65_536)}, (_, index) =>
		bytes.slice(index * 65_536, (index + 1) * 65_536),
	);
	const [event = '', ...rest] = through([...chunks, 'x']);
	expect(rest).toEqual(['x']);
	expect(event.length).toBeLessThan(1.1 * 2 ** 20);
	expect(event.slice(0, START.length + 2 ** 20)).toBe(START + pasted.slice(0, 2 ** 20));
	expect(event.endsWith(END)).toBe(true);
});
