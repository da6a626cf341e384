import {array, assert, boolean, constantFrom, integer, property} from 'fast-check';
import {expect, test} from 'vitest';
import type {Cell} from '../../../src/tui/cells/cell.ts';
import '../../../src/tui/feature-list.ts';
import {cell} from '../../support/factories.ts';
import {nameKeys} from '../../../src/tui/core/keys/live-keys.ts';
import {scrolling} from '../../../src/tui/core/components/scroll.ts';
import {blocksOf as cellBlocks} from '../../../src/tui/cells/rows/cell-lines.ts';
import {belowMark, blockAtRow, startOf, windowOf} from '../../../src/tui/core/components/transcript.ts';
import {foundIn, nextFound} from '../../../src/tui/core/components/transcript-find.ts';
import {topAt, topOf} from '../../../src/tui/repl/cell-position.ts';

/** Blocks with these numbers of rows. Each row has a unique name. */
const blocksOf = (sizes: readonly number[]): readonly (readonly string[])[] =>
	sizes.map((size, block) => Array.from({length: size}, (_, row) => `${block}.${row}`));

const sizes = array(constantFrom(1, 2, 3, 5, 24, 90), {minLength: 1, maxLength: 12});
const heights = integer({min: 2, max: 40});

/**
 * Rows that are visible while paging from one end to the other. `heightAt`: height of the area,
 * which changes when a field below grows or shrinks.
 */
const pages = (
	blocks: readonly (readonly string[])[],
	heightAt: (page: number) => number,
	from: 'first' | 'last',
	by: 'pageDown' | 'pageUp',
): readonly (readonly string[])[] => {
	let top: number | null = null;
	const keys = (height: number) =>
		scrolling(
			() => top,
			windowOf(blocks, null, height).last,
			height - 1,
			to => {
				top = to;
			},
		);
	keys(heightAt(0))[from]();
	const seen: (readonly string[])[] = [];
	for (let page = 0; page < 2000; page++) {
		const drawn = [heightAt(page), heightAt(page + 1)].map(height => windowOf(blocks, top, height).lines);
		seen.push(...drawn.slice(0, heightAt(page) === heightAt(page + 1) ? 1 : 2));
		const now = seen.at(-1) ?? [];
		if (by === 'pageDown' ? now.at(-1) === blocks.at(-1)?.at(-1) : now[0] === blocks[0]?.[0]) return seen;
		keys(heightAt(page + 1))[by]();
	}
	throw new Error('the pages do not end');
};

test('paging down and up shows every row of a transcript, also when the pane grows and shrinks on the way', () => {
	assert(
		property(sizes, array(heights, {minLength: 1, maxLength: 8}), (each, steps) => {
			const blocks = blocksOf(each);
			const rows = blocks.flat();
			const heightAt = (page: number): number => steps[page % steps.length] ?? 2;
			for (const [from, by] of [
				['first', 'pageDown'],
				['last', 'pageUp'],
			] as const) {
				const seen = pages(blocks, heightAt, from, by);
				expect(rows.filter(row => !seen.some(page => page.includes(row)))).toEqual([]);
				for (const [index, page] of seen.slice(1).entries())
					expect(page.some(row => seen[index]?.includes(row))).toBe(true);
			}
		}),
	);
});

test('in a pane that keeps its height the pages down are a row less than the pane each, and the pages up are the same ones', () => {
	assert(
		property(sizes, heights, (each, height) => {
			const blocks = blocksOf(each);
			const rows = blocks.flat();
			const down = pages(blocks, () => height, 'first', 'pageDown');
			for (const [index, page] of down.slice(0, -1).entries())
				expect(page).toEqual(rows.slice(index * (height - 1), index * (height - 1) + height));
			const up = pages(blocks, () => height, 'last', 'pageUp');
			for (const [index, page] of up.slice(0, -1).entries())
				expect(page).toEqual(
					rows.slice(Math.max(0, rows.length - height) - index * (height - 1)).slice(0, height),
				);
		}),
	);
});

test('a row of a transcript has one place, and the place leads back to it', () => {
	assert(
		property(sizes, each => {
			const blocks = blocksOf(each);
			for (const [line, name] of blocks.flat().entries()) {
				const place = blockAtRow(blocks, line);
				expect(`${place?.block}.${place?.row}`).toBe(name);
				expect(startOf(blocks, place?.block ?? 0) + (place?.row ?? 0)).toBe(line);
			}
			expect(blockAtRow(blocks, blocks.flat().length)).toBe(null);
		}),
	);
});

test('n goes to every place once and comes around, and N takes the same way back', () => {
	assert(
		property(array(array(boolean(), {minLength: 1, maxLength: 5}), {minLength: 1, maxLength: 6}), marks => {
			const findable = marks.map((block): Parameters<typeof foundIn>[0][number] => ({
				key: block,
				mayHold: () => true,
				rows: () => block.map(isHit => (isHit ? 'a word' : 'none')),
			}));
			const found = foundIn(findable, 'word', 80);
			const expected = marks.flatMap((rows, block) =>
				rows.flatMap((isHit, row) => (isHit ? [{block, row}] : [])),
			);
			expect(found).toEqual(expected);
			for (const step of [1, -1] as const) {
				let from = {block: 0, row: -1};
				const visited: number[] = [];
				for (let turn = 0; turn <= found.length; turn++) {
					const {at, isAround} = nextFound(found, from, step);
					if (found.length === 0) {
						expect(at).toBe(-1);
						return;
					}
					visited.push(at);
					expect(isAround).toBe(step > 0 ? turn === found.length : turn === 0 || turn === found.length);
					from = found[at] ?? from;
				}
				const around = found.map((_, index) => index);
				expect(visited).toEqual(step > 0 ? [...around, 0] : [...around.toReversed(), found.length - 1]);
			}
		}),
	);
});

test('a user who reads older cells sees the same rows when an answer above them arrives or a picture in it is drawn', () => {
	const printed = (id: number, lines: number): Cell =>
		cell({
			id,
			source: `cell ${id}`,
			result: {
				cell_type: 'code',
				execution_count: id,
				metadata: {},
				source: '',
				outputs: [
					{
						output_type: 'stream',
						name: 'stdout',
						text: Array.from({length: lines}, (_, line) => `${id}.${line}`).join('\n'),
					},
				],
			},
		});
	const look = {width: 80, pictureStyle: {depth: 24, blocks: 'quadrants'}, pictureRows: 20} as const;
	const laid = (first: number) => {
		const repl = {
			cells: [printed(1, first), printed(2, 8), printed(3, 30)],
			older: [],
			rest: null,
			unfolded: new Set<number>(),
			sideways: new Map<number, number>(),
		};
		return {repl, blocks: cellBlocks(repl, look)};
	};
	const before = laid(1);
	const {lines} = windowOf(before.blocks, 6, 10);
	const top = topAt(before.repl, before.blocks, 6);
	for (const rows of [0, 1, 25]) {
		const after = laid(rows);
		expect(windowOf(after.blocks, topOf({cells: after.repl.cells, top}, after.blocks), 10).lines).toEqual(
			lines,
		);
	}
});

test('rows below are marked with the key that leads to the end of this transcript, also a rebound one', () => {
	nameKeys({rebound: {'turns.last': ['z']}, readOnly: false});
	expect(belowMark(3, 'turns')).toMatch(/3 more lines.*z to the end/);
	expect(belowMark(3, 'cells')).toMatch(/3 more lines.*G to the end/);
	nameKeys({rebound: {}, readOnly: false});
});
