import {assert, property, array, constantFrom, integer, string} from 'fast-check';
import {expect, test} from 'vitest';
import {createFind} from '../../src/text/columns/find.ts';
import {createLineIndex, PIECE} from '../../src/text/columns/line-index.ts';
import {lineFrom} from '../../src/text/safe.ts';
import {
	lowestTop,
	movedBy,
	rowsFrom,
	clampTop,
	scrollToOffset,
	TOP,
	type ViewportText,
} from '../../src/text/columns/viewport.ts';
import {slice} from '../../src/text/width/width.ts';
import {wrapLine} from '../../src/text/width/wrap.ts';

const sheetOf = (text: string, step = Infinity): ViewportText => {
	const index = createLineIndex(text);
	while (!index.complete) index.advance(step);
	return {index, draw: (_, from, to, column) => lineFrom(text.slice(from, to), column)};
};

/** Lines of a text file in the usual sense, in which a final newline starts no further line. */
const linesOf = (text: string): readonly string[] =>
	(text.endsWith('\n') && text.length > 1 ? text.slice(0, -1) : text === '\n' ? '' : text)
		.split('\n')
		.map(line => line.replace(/\r$/, ''));

const texts = array(
	constantFrom('a', 'b ', 'word ', '\n', '\n', '\r\n', '\t', '漢字', 'é', '👍', '\u001B[2J', 'x'.repeat(40)),
	{maxLength: 60},
).map(parts => parts.join(''));

test('the lines of a text are found in any steps, with any line ends', () => {
	assert(
		property(texts, integer({min: 1, max: 50}), (text, step) => {
			const {index} = sheetOf(text, step);
			const found = Array.from({length: index.count}, (_, line) =>
				text.slice(index.start(line), index.end(line)),
			);
			expect(found).toEqual(linesOf(text));
			for (let line = 0; line < index.count; line++) expect(index.lineAt(index.start(line))).toBe(line);
		}),
	);
});

test('going down row by row shows the same rows as wrapping the whole text, and going up comes back the same way', () => {
	assert(
		property(texts, integer({min: 6, max: 30}), integer({min: 1, max: 8}), (text, room, height) => {
			const sheet = sheetOf(text);
			const window = {room, height, wrapped: true, left: 0};
			const all = linesOf(text).flatMap(line => wrapLine(lineFrom(line, 0), room));
			const last = lowestTop(sheet, window);
			const tops = [TOP];
			while (tops.length < all.length && JSON.stringify(tops.at(-1)) !== JSON.stringify(last))
				tops.push(movedBy(sheet, tops.at(-1) ?? TOP, 1, window));
			for (const [row, top] of tops.entries())
				expect(rowsFrom(sheet, top, window).map(each => each.text)).toEqual(all.slice(row, row + height));
			expect(tops).toHaveLength(Math.max(1, all.length - height + 1));
			expect(movedBy(sheet, last, 1 - tops.length, window)).toEqual(TOP);
		}),
	);
});

test('paging down and up shows every row of a text, and a page begins with the last row of the previous one', () => {
	assert(
		property(
			texts,
			integer({min: 6, max: 30}),
			integer({min: 2, max: 8}),
			constantFrom(true, false),
			(text, room, height, wrapped) => {
				const sheet = sheetOf(text);
				const window = {room, height, wrapped, left: 0};
				const all = rowsFrom(sheet, TOP, {...window, height: 10_000}).map(row => row.text);
				for (const [start, step] of [
					[TOP, height - 1],
					[lowestTop(sheet, window), 1 - height],
				] as const) {
					let top = start;
					let at = step > 0 ? 0 : Math.max(0, all.length - height);
					for (;;) {
						expect(rowsFrom(sheet, top, window).map(row => row.text)).toEqual(all.slice(at, at + height));
						const next = Math.max(0, Math.min(at + step, all.length - height));
						if (next === at) break;
						expect(Math.abs(next - at)).toBeLessThan(height);
						at = next;
						top = movedBy(sheet, top, step, window);
					}
				}
			},
		),
	);
});

test('a line of many pieces is scrolled to the side as if it were one', () => {
	const text = `${'漢a\t'.repeat(PIECE)}end\nsecond`;
	const sheet = sheetOf(text);
	const whole = lineFrom(text.split('\n')[0] ?? '', 0);
	for (const left of [0, 7, PIECE, 3 * PIECE + 1, 8 * PIECE - 2]) {
		const [row] = rowsFrom(sheet, TOP, {room: 50, height: 2, wrapped: false, left});
		expect(row?.text).toBe(slice(whole, left, 50));
	}
});

test('a place far down in a long line is shown, wrapped or not', () => {
	const text = `first\n${'0123456789'.repeat(2000)}needle${'x'.repeat(9000)}\nlast`;
	const sheet = sheetOf(text);
	for (const wrapped of [true, false]) {
		const window = {room: 60, height: 10, wrapped, left: 0};
		const {top, left} = scrollToOffset(sheet, TOP, text.indexOf('needle'), window);
		expect(
			rowsFrom(sheet, clampTop(sheet, top, window), {...window, left})
				.map(row => row.text)
				.join(''),
		).toContain('needle');
	}
});

test('every match is found once, in any case unless a capital was typed', () => {
	assert(
		property(
			string({unit: constantFrom('a', 'A', 'b', '.', '\n'), maxLength: 80}),
			string({unit: constantFrom('a', 'A', 'b', '.'), minLength: 1, maxLength: 3}),
			(text, words) => {
				const find = createFind(text, words);
				while (!find.complete) find.advance();
				const expected: number[] = [];
				const isSmart = words === words.toLowerCase();
				const [where, what] = isSmart ? [text.toLowerCase(), words.toLowerCase()] : [text, words];
				for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + what.length))
					expected.push(at);
				expect(Array.from({length: find.count}, (_, number) => find.at(number))).toEqual(expected);
			},
		),
	);
});

test('matches are found across the parts in which a long text is searched', () => {
	const text = `${'.'.repeat(999_998)}needle${'.'.repeat(1_500_000)}Needle`;
	const find = createFind(text, 'needle');
	while (!find.complete) find.advance();
	expect([find.at(0), find.at(1), find.count]).toEqual([999_998, 999_998 + 6 + 1_500_000, 2]);
});
