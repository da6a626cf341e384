// Draws a chart in terminal cells, with the block characters used for pictures, or with bars in
// steps of an eighth of a cell.
import {blockCells, type PictureBlocks} from '../output/block-cells.ts';
import {shownField} from '../table/column-format.ts';
import {cellWidth, fit} from '../width/width.ts';
import {CHART_HEIGHT, CHART_WIDTH, type Axis, type Chart} from './chart.ts';
import {ticksOf, type Tick} from './ticks.ts';

type Paint = (role: 'accent' | 'dim', text: string) => string;
export type ChartLook = {
	readonly width: number;
	readonly height: number;
	readonly paint: Paint;
	readonly blocks: PictureBlocks;
	/** True to draw with ASCII characters only. */
	readonly isAscii: boolean;
};

const EIGHTHS = ' ▁▂▃▄▅▆▇█';
/** Rows below the plot: the axis line and its labels. */
const BELOW = 2;
const LEAST_PLOT = 4;

/** Canvas for dots. Each dot is one sub-cell block of a character. */
const createCanvas = (width: number, height: number, blocks: PictureBlocks) => {
	const {columns, rows, characters} = blockCells(blocks);
	const masks = Array.from({length: height}, () => new Uint8Array(width));
	const [dotsX, dotsY] = [width * columns, height * rows];
	const set = (x: number, y: number): void => {
		const row = dotsY - 1 - y;
		const line = masks[Math.floor(row / rows)];
		const cell = Math.floor(x / columns);
		if (line && x >= 0 && x < dotsX)
			line[cell] = (line[cell] ?? 0) | (1 << ((row % rows) * columns + (x % columns)));
	};
	return {
		dotsX,
		dotsY,
		set,
		line([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): void {
			const steps = Math.max(1, Math.abs(toX - x), Math.abs(toY - y));
			for (let step = 0; step <= steps; step++)
				set(Math.round(x + ((toX - x) * step) / steps), Math.round(y + ((toY - y) * step) / steps));
		},
		rows: (isAscii: boolean): readonly string[] =>
			masks.map(line =>
				Array.from(line, mask => (isAscii && mask !== 0 ? '*' : (characters[mask] ?? ' '))).join(''),
			),
	};
};

/** Labels below the plot. Omits a label that would touch the previous one. */
const labelsBelow = (ticks: readonly Tick[], cellOf: (value: number) => number, width: number): string => {
	let text = '';
	for (const {value, text: name} of ticks) {
		const size = cellWidth(name);
		const start = Math.max(0, Math.min(width - size, cellOf(value) - (size >> 1)));
		if (start < text.length + (text === '' ? 0 : 2)) continue;
		text += ' '.repeat(start - text.length) + name;
	}
	return text;
};

type Plot = {readonly width: number; readonly height: number};

/** Plot with its axes. `rowsOf` draws the plot in the size that the axes leave. */
const withAxes = (
	{width, height, paint, isAscii}: ChartLook,
	x: Axis,
	y: Axis & {readonly isWhole?: true},
	rowsOf: (plot: Plot) => {readonly rows: readonly string[]; readonly drawn: number},
): readonly string[] => {
	const plotHeight = Math.max(LEAST_PLOT, height - BELOW);
	const wanted = Math.max(2, Math.floor(plotHeight / 5));
	const ticks = ticksOf(y, y.isWhole === true ? Math.min(wanted, y.max) : wanted);
	const left = Math.max(...ticks.map(({text}) => cellWidth(text)));
	const {rows, drawn} = rowsOf({width: Math.max(10, width - left - 3), height: plotHeight});
	const labels = new Map<number, string>();
	for (const {value, text} of ticks) {
		const share = y.max === y.min ? 0.5 : (value - y.min) / (y.max - y.min);
		labels.set(Math.round((1 - share) * (plotHeight - 1)), text);
	}
	const cellOf = (value: number): number =>
		x.max === x.min ? drawn >> 1 : Math.round(((value - x.min) / (x.max - x.min)) * (drawn - 1));
	const [side, corner, rule] = isAscii ? ['|', '+', '-'] : ['│', '└', '─'];
	const below = labelsBelow(ticksOf(x, Math.max(2, Math.floor(drawn / 16))), cellOf, drawn);
	return [
		...rows.map(
			(row, at) =>
				`${paint('dim', `${(labels.get(at) ?? '').padStart(left)} ${side}`)} ${paint('accent', row)}`,
		),
		paint('dim', `${' '.repeat(left + 1)}${corner}${rule.repeat(drawn + 1)}`),
		paint('dim', `${' '.repeat(left + 3)}${below}`),
	];
};

const histogramRows = (counts: readonly number[], most: number, {width, height}: Plot, isAscii: boolean) => {
	// Several ranges share a bar if there is little room. Otherwise some bars are a cell wider, so
	// that the bars fill the width.
	const bars = Math.min(counts.length, width);
	const startOf = (at: number): number => Math.round((at * width) / bars);
	const heights = Array.from({length: bars}, (_, at) => {
		const [from, to] = [at, at + 1].map(each => Math.floor((each * counts.length) / bars));
		const count = Math.max(...counts.slice(from, to));
		return count === 0 ? 0 : Math.max(1, Math.round((count / most) * height * 8));
	});
	const rows = Array.from({length: height}, (_, row) => {
		const floor = (height - 1 - row) * 8;
		return heights
			.map((each, at) => {
				const eighths = Math.max(0, Math.min(8, each - floor));
				return (
					isAscii ? (eighths >= 4 || (eighths > 0 && floor === 0) ? '#' : ' ') : (EIGHTHS[eighths] ?? ' ')
				).repeat(startOf(at + 1) - startOf(at));
			})
			.join('');
	});
	return {rows, drawn: width};
};

const barLines = (
	bars: Extract<Chart, {chart: 'bars'}>['bars'],
	{width, height, paint, isAscii}: ChartLook,
) => {
	const shown = bars.slice(0, height);
	const most = Math.max(1, ...shown.map(({count}) => count));
	const counts = shown.map(({count}) => count.toLocaleString('en'));
	const right = Math.max(0, ...counts.map(text => text.length));
	const names = shown.map(({name}) => shownField(name));
	const left = Math.min(Math.floor(width / 3), Math.max(0, ...names.map(cellWidth)));
	const room = Math.max(1, width - left - right - 2);
	return shown.map(({count}, at) => {
		const length = Math.max(1, Math.round((count / most) * room));
		return `${fit(names[at] ?? '', left)} ${paint('accent', (isAscii ? '#' : '█').repeat(length))} ${paint('dim', counts[at] ?? '')}`;
	});
};

/** Lines of a chart, at most `look.height`. Empty if the chart has no values. */
export const drawChart = (chart: Chart, look: ChartLook): readonly string[] => {
	const {isAscii} = look;
	if (chart.chart === 'bars') return barLines(chart.bars, look);
	if (chart.chart === 'histogram') {
		const {x, counts} = chart;
		if (x === null) return [];
		const most = Math.max(1, ...counts);
		return withAxes(look, x, {min: 0, max: most, isDates: false, isWhole: true}, plot =>
			histogramRows(counts, most, plot, isAscii),
		);
	}
	const {x, y} = chart;
	if (x === null || y === null) return [];
	return withAxes(look, x, y, ({width, height}) => {
		const canvas = createCanvas(width, height, look.blocks);
		const across = (at: number): number =>
			x.max === x.min ? canvas.dotsX >> 1 : Math.round((at / (CHART_WIDTH - 1)) * (canvas.dotsX - 1));
		const upward = (share: number): number =>
			y.max === y.min ? canvas.dotsY >> 1 : Math.round(share * (canvas.dotsY - 1));
		if (chart.chart === 'scatter')
			for (const dot of chart.dots)
				canvas.set(across(dot % CHART_WIDTH), upward(Math.floor(dot / CHART_WIDTH) / (CHART_HEIGHT - 1)));
		else {
			const heightOf = (value: number): number => upward((value - y.min) / (y.max - y.min || 1));
			let before: readonly [number, number] | null = null;
			for (const [at, first, low, high, last] of chart.buckets) {
				const column = across(at);
				if (before !== null) canvas.line(before, [column, heightOf(first)]);
				canvas.line([column, heightOf(low)], [column, heightOf(high)]);
				before = [column, heightOf(last)];
			}
		}
		return {rows: canvas.rows(isAscii), drawn: width};
	});
};
