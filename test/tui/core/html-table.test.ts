// Compares drawn tables with a reference: a grid of terminal cells with each text at its position.
import fc from 'fast-check';
import {expect} from 'vitest';
import {readHtml} from '../../../src/text/output/html-text.ts';
import {htmlLines} from '../../../src/tui/core/components/html-lines.ts';
import {testCases} from '../../support/test-cases.ts';

type Spot = {
	readonly row: number;
	readonly column: number;
	readonly high: number;
	readonly wide: number;
	readonly text: string;
	readonly isNumber: boolean;
	readonly isHead: boolean;
};
type Grid = {
	readonly rows: number;
	readonly columns: number;
	readonly headRows: number;
	readonly index: number;
	readonly spots: readonly Spot[];
};

const GAP = 2;
const WIDEST = 40;
const WIDE = /[\u3040-\u9FFF\uAC00-\uD7A3\u{1F300}-\u{1FAFF}]/u;
const segmenter = new Intl.Segmenter();
const charactersOf = (text: string): readonly string[] =>
	Array.from(segmenter.segment(text), ({segment}) => segment);
/** A text as cells: a wide character is followed by an empty cell. */
const cellsOf = (text: string): readonly string[] =>
	charactersOf(text).flatMap(character => (WIDE.test(character) ? [character, ''] : [character]));

/** Cells of a text in `room` cells; a longer text ends with `…`. */
const inRoom = (text: string, room: number, isRight: boolean): readonly string[] => {
	const cells = [...cellsOf(text)];
	if (cells.length > room) {
		cells.length = Math.max(0, room - 1);
		// Otherwise only half of a wide character would remain.
		if (WIDE.test(cells.at(-1) ?? '')) cells.pop();
		while (cells.at(-1) === ' ') cells.pop();
		if (room > 0) cells.push('…');
	}
	const blanks = Array.from({length: room - cells.length}, () => ' ');
	return isRight ? [...blanks, ...cells] : [...cells, ...blanks];
};

const texts = fc.constantFrom(
	{text: '', isNumber: true},
	{text: '7', isNumber: true},
	{text: '-12.5', isNumber: true},
	{text: 'NaN', isNumber: true},
	{text: 'a', isNumber: false},
	{text: 'two words', isNumber: false},
	{text: '日本', isNumber: false},
	{text: '가나다라', isNumber: false},
	{text: 'e\u0301te\u0301', isNumber: false},
	{text: '🚀 up', isNumber: false},
	{text: 'a text that is longer than any column may be', isNumber: false},
);

/**
 * Tables with spans. No two cells overlap, and no cell extends beyond its group of rows or beyond
 * the index.
 */
const grids: fc.Arbitrary<Grid> = fc
	.record({
		headRows: fc.integer({min: 0, max: 2}),
		bodyRows: fc.integer({min: 1, max: 5}),
		index: fc.integer({min: 0, max: 2}),
		data: fc.integer({min: 1, max: 7}),
		seeds: fc.array(
			fc.record({wide: fc.integer({min: 1, max: 3}), high: fc.integer({min: 1, max: 3}), said: texts}),
			{minLength: 63, maxLength: 63},
		),
	})
	.map(({headRows, bodyRows, index, data, seeds}) => {
		const [rows, columns] = [headRows + bodyRows, index + data];
		const taken = new Set<string>();
		const isFree = (row: number, column: number): boolean => !taken.has(`${row} ${column}`);
		const spots: Spot[] = [];
		for (let row = 0; row < rows; row++)
			for (let column = 0; column < columns; column++) {
				const seed = seeds[spots.length];
				if (!isFree(row, column) || seed === undefined) continue;
				const lastRow = row < headRows ? headRows : rows;
				const lastColumn = column < index ? index : columns;
				let wide = 1;
				while (wide < seed.wide && column + wide < lastColumn && isFree(row, column + wide)) wide++;
				const high = Math.min(seed.high, lastRow - row);
				for (let y = row; y < row + high; y++)
					for (let x = column; x < column + wide; x++) taken.add(`${y} ${x}`);
				spots.push({row, column, high, wide, isHead: row < headRows || column < index, ...seed.said});
			}
		return {rows, columns, headRows, index, spots};
	});

const htmlOf = ({rows, headRows, spots}: Grid): string => {
	const rowHtml = (row: number): string =>
		`<tr>${spots
			.filter(spot => spot.row === row)
			.map(
				({isHead, wide, high, text}) =>
					`<${isHead ? 'th' : 'td'} colspan="${wide}" rowspan="${high}">${text}</${isHead ? 'th' : 'td'}>`,
			)
			.join('')}</tr>`;
	const all = Array.from({length: rows}, (_, row) => rowHtml(row));
	return `<table><thead>${all.slice(0, headRows).join('')}</thead><tbody>${all.slice(headRows).join('')}</tbody></table>`;
};

const total = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each + GAP, -GAP);

/**
 * Widths of the columns. A column is as wide as its widest text. If a text over several columns is
 * wider than they are, the last one is widened.
 */
const widthsOf = ({columns, spots}: Grid): readonly number[] => {
	const widths = Array.from({length: columns}, () => 1);
	for (let wide = 1; wide <= columns; wide++)
		for (const spot of spots) {
			if (spot.wide !== wide) continue;
			const room = total(widths.slice(spot.column, spot.column + wide));
			const needed = Math.min(WIDEST, cellsOf(spot.text).length);
			const last = spot.column + wide - 1;
			if (needed > room) widths[last] = (widths[last] ?? 0) + needed - room;
		}
	return widths;
};

type View = {
	/** Start and end of each visible column. */
	readonly edges: ReadonlyMap<number, readonly [from: number, to: number]>;
	readonly before: number;
	readonly after: number;
};

const viewOf = ({columns, index}: Grid, widths: readonly number[], width: number, left: number): View => {
	const all = Array.from({length: columns}, (_, column) => column);
	const most = Math.floor(width * 0.6);
	const isWhole = total(widths) <= width;
	let staying = isWhole ? 0 : index;
	while (staying > 1 && total(widths.slice(0, staying)) > most) staying--;
	// Columns of the index are always shown, and cut if necessary.
	const taken = widths.map((each, column) => (column < staying ? Math.min(each, most) : each));
	const from = (first: number): readonly number[] => {
		const chosen = all.slice(0, staying);
		for (let column = first; column < columns; column++) {
			if (column > first && total([...chosen, column].map(each => taken[each] ?? 0)) > width) break;
			chosen.push(column);
		}
		return chosen;
	};
	let first = staying;
	while (first < staying + left && from(first).at(-1) !== columns - 1) first++;
	const edges = new Map<number, readonly [from: number, to: number]>();
	let x = 0;
	for (const column of from(first)) {
		edges.set(column, [x, Math.min(x + (taken[column] ?? 0), width)]);
		x += (taken[column] ?? 0) + GAP;
	}
	return {edges, before: first - staying, after: columns - 1 - Math.max(...edges.keys())};
};

const draw = (grid: Grid, width: number, left: number): readonly string[] => {
	const {headRows, spots} = grid;
	const {edges, before, after} = viewOf(grid, widthsOf(grid), width, left);
	const shown = Array.from({length: grid.rows}, (_, row) => row).filter(row =>
		spots.some(spot => spot.row === row),
	);
	const lines = shown.map(row => {
		const line = Array.from({length: width}, () => ' ');
		for (const spot of spots.filter(each => each.row === row)) {
			const over = [...edges].filter(([column]) => column >= spot.column && column < spot.column + spot.wide);
			if (over.length === 0) continue;
			const from = Math.min(...over.map(([, [start]]) => start));
			const to = Math.max(...over.map(([, [, end]]) => end));
			const others = spots.filter(
				each => !each.isHead && each.wide === 1 && each.column === spot.column && each.text !== '',
			);
			const isRight = spot.wide === 1 && others.length > 0 && others.every(each => each.isNumber);
			for (const [at, cell] of inRoom(spot.text, to - from, isRight).entries()) line[from + at] = cell;
		}
		return line.join('').trimEnd();
	});
	if (before + after === 0) return lines;
	const heads = shown.filter(row => row < headRows).length;
	return [...lines.slice(0, heads), `${before} before, ${after} after`, ...lines.slice(heads)];
};

const COUNT = /« (\d+)|(\d+)(?: more columns?)? »/g;
/**
 * Converts a drawn line to the form of the reference: no colours, and a word in place of the rule.
 */
const asDrawn = (line: string): string => {
	const text = line.replaceAll(/\u001B\[\d+m/g, '').trimEnd();
	if (!/[«»]/.test(text)) return text;
	const found = [...text.matchAll(COUNT)];
	const before = found.find(each => each[1] !== undefined)?.[1] ?? '0';
	const after = found.find(each => each[2] !== undefined)?.[2] ?? '0';
	return `${before} before, ${after} after`;
};

testCases(
	'any table with spans, wide characters and empty cells is drawn like the reference, from any start',
	500,
	cases => {
		fc.assert(
			fc.property(
				grids,
				fc.integer({min: 24, max: 120}),
				fc.integer({min: 0, max: 8}),
				(grid, width, left) => {
					expect(htmlLines(readHtml(htmlOf(grid)), width, left).map(asDrawn)).toEqual(
						draw(grid, width, left),
					);
				},
			),
			{numRuns: cases},
		);
	},
);
