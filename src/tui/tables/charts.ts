import {chartCode, fileSource, type ChartSource} from '../../text/chart/chart-code.ts';
import type {Chart, ChartColumns, ChartKind} from '../../text/chart/chart.ts';
import {tableChart} from '../../text/chart/table-chart.ts';
import {shownName} from '../../text/table/column-format.ts';
import {remoteIn} from '../../text/table/remote.ts';
import {part, type App} from '../core/app.ts';
import type {State} from '../core/program.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {route} from '../core/store/route.ts';
import {runInSlices, nextTurn} from './run-in-slices.ts';
import {shownColumns} from './table-room.ts';
import type {TableView} from './tables.ts';

export type ChartView = ChartColumns & {
	/** The chart; null while it is computed. A sentence if the values cannot be drawn. */
	readonly found: Chart | string | null;
	/** Progress of the computation, from 0 to 1. */
	readonly share: number;
	/** Python expressions for the axes, from the kernel; null for a file. */
	readonly code: readonly (string | null)[] | null;
};

export type ChartsState = {readonly tableChart: ChartView | null};

export type TableCharts = {
	/** Draws the column that the table's cursor is on. */
	openChart(): void;
	changeChart(change: Partial<ChartColumns>): void;
	/**
	 * Draws the column `step` columns further among the shown columns. Returns a sentence if there
	 * is none.
	 */
	moveChart(step: number): string | void;
	/** Copies Python code that draws the chart. */
	copyChart(): string | void;
	closeChart(): void;
};

export const CHART_KINDS: readonly ChartKind[] = ['histogram', 'line', 'scatter'];

const firstCharts = (): ChartsState => ({tableChart: null});

/**
 * Column that is initially on the x axis: the index of a table if it consists of dates. Null means
 * the row number.
 */
const firstAgainst = ({table}: TableView): number | null =>
	table.index === 1 && /^date/.test(table.typeOf?.(0).name ?? '') ? 0 : null;

/** Python expressions for the axes. A sentence if there are none. */
const sourceOf = ({table}: TableView, view: ChartView, chart: Chart): ChartSource | string => {
	if (view.code === null) return fileSource(table, chart, view);
	const [upward = null, across = null] = view.code;
	const isTwo = (chart.chart === 'line' || chart.chart === 'scatter') && view.against !== null;
	if (upward === null || (isTwo && across === null))
		return 'There is no short Python for these values: give the table a name first';
	return {setup: [], upward, across: isTwo ? across : null};
};

/** True if the computed chart can be written as short Python code. */
export const hasPython = ({tableView, tableChart}: State): boolean =>
	tableView !== null &&
	tableChart !== null &&
	tableChart.found !== null &&
	typeof tableChart.found !== 'string' &&
	typeof sourceOf(tableView, tableChart, tableChart.found) !== 'string';

export const tableCharts = part(
	'tableCharts',
	({get, set}: App): TableCharts => {
		let drawing: object | null = null;
		const change = (next: Partial<ChartView>): void => {
			const view = get().tableChart;
			if (view) set({tableChart: {...view, ...next}});
		};
		const draw = async (): Promise<void> => {
			const mine = {};
			drawing = mine;
			const view = get().tableView;
			const chart = get().tableChart;
			if (!view || !chart) return;
			const {table, rows} = view;
			const isWanted = (): boolean => drawing === mine;
			change({found: null, share: 0, code: null});
			const remote = remoteIn(table);
			if (remote !== null) {
				const reply = await remote.chart(chart);
				if (!isWanted()) return;
				return typeof reply === 'string'
					? change({found: reply})
					: change({found: reply.chart, code: reply.code});
			}
			while (isWanted() && !table.complete) await nextTurn();
			const found = await runInSlices(tableChart(table, rows, chart), isWanted, share => change({share}));
			if (found !== null && isWanted()) change({found});
		};
		const changeChart = (next: Partial<ChartColumns>): void => {
			change(next);
			void draw();
		};
		return {
			openChart() {
				const view = get().tableView;
				if (!view) return;
				set({
					tableChart: {
						kind: 'histogram',
						column: view.column,
						against: firstAgainst(view),
						found: null,
						share: 0,
						code: null,
					},
				});
				route(get).openDialog({kind: 'table-chart'});
				void draw();
			},
			changeChart,
			moveChart(step) {
				const view = get().tableView;
				const chart = get().tableChart;
				if (!view || !chart) return;
				const columns = shownColumns(view);
				const column = columns[columns.indexOf(chart.column) + step];
				if (column === undefined) return `This is the ${step < 0 ? 'first' : 'last'} column`;
				changeChart({column});
			},
			copyChart() {
				const view = get().tableView;
				const chart = get().tableChart;
				const found = chart?.found ?? null;
				if (!view || !chart || found === null) return 'The chart is not drawn yet';
				if (typeof found === 'string') return found;
				const source = sourceOf(view, chart, found);
				if (typeof source === 'string') return source;
				const {table} = view;
				const names = {
					upward: shownName(table, chart.column),
					across: chart.against === null ? 'row' : shownName(table, chart.against),
				};
				const note = view.filter.text === '' ? null : 'All rows, without the filter of the table.';
				clipboard(get).copy(chartCode(found.chart, source, names, note), 'The Python of the chart');
			},
			closeChart() {
				drawing = null;
				set({tableChart: null});
				route(get).closeDialog();
			},
		};
	},
	firstCharts,
);
