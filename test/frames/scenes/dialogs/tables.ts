import {createEditor} from '../../../../src/text/editor/editor.ts';
import {readHtml} from '../../../../src/text/output/html-text.ts';
import {htmlTable} from '../../../../src/text/table/html-table.ts';
import {tableOfBytes} from '../../../../src/text/table/text-format.ts';
import {csvTable} from '../../../../src/text/table/table.ts';
import type {ChartColumns} from '../../../../src/text/chart/chart.ts';
import {tableCharts} from '../../../../src/tui/tables/charts.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import {until} from '../support.ts';
import type {Parts} from './part.ts';
import {tableViewer} from '../../../../src/tui/tables/tables.ts';

const STATIONS = ['Zürich', 'São Paulo, Brazil', '東京', '', 'Reykjavík'];
const DAYS = 321;

/** Hourly readings of several days. */
const WEATHER = [
	`day,station,${Array.from({length: 24}, (_, hour) => `h${hour}`).join(',')},comment`,
	...Array.from({length: DAYS}, (_, day) =>
		[
			new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
			`"${STATIONS[day % STATIONS.length]}"`,
			...Array.from({length: 24}, (__, hour) =>
				(day + hour) % 17 === 0 ? '' : String(Math.round(120 * Math.sin((day + hour) / 40)) / 4),
			),
			day % 50 === 0 ? '"first\nof fifty"' : '',
		].join(','),
	),
].join('\n');

const PIVOT = `<table><thead>
<tr><th></th><th></th><th colspan="2">price</th><th colspan="2">n</th></tr>
<tr><th>gpu</th><th>region</th><th>mean</th><th>max</th><th>mean</th><th>max</th></tr></thead>
<tbody><tr><th rowspan="2">A100</th><th>eu</th><td>1.50</td><td>2.00</td><td>1</td><td>9</td></tr>
<tr><th>us</th><td>1.25</td><td>1.75</td><td>2</td><td>8</td></tr>
<tr><th>H100</th><th>東京</th><td>2.50</td><td>NaN</td><td>3</td><td>7</td></tr></tbody></table>`;

const open =
	(text: string) =>
	async (store: Store): Promise<void> =>
		tableViewer(store.getState).openTable('data/weather.csv', csvTable(text));

const openFacts = async (store: Store): Promise<void> => {
	await open(WEATHER)(store);
	tableViewer(store.getState).changeTable({row: 11, column: 3});
	tableViewer(store.getState).sortTable({column: 3, direction: 'down'});
	await until(store, ({tableView}) => tableView?.sort !== null);
	tableViewer(store.getState).changeTable({row: 11, hidden: new Set([2])});
	tableViewer(store.getState).toggleTableFacts();
	await until(store, ({tableView}) => tableView?.facts?.found !== null);
};

const openChart =
	(change: Partial<ChartColumns>) =>
	async (store: Store): Promise<void> => {
		const table = tableOfBytes('data/weather.csv', Buffer.from(WEATHER));
		if (table !== null) tableViewer(store.getState).openTable('data/weather.csv', table);
		tableViewer(store.getState).changeTable({row: 11, column: 3});
		tableCharts(store.getState).openChart();
		tableCharts(store.getState).changeChart(change);
		await until(store, ({tableChart}) => tableChart !== null && tableChart.found !== null);
	};

export const tableDialogs = {
	table: [
		{state: 'empty', on: 'files', arrive: open('')},
		{state: 'only-a-head', on: 'files', arrive: open('day;station;reading\n')},
		{
			state: 'loading',
			on: 'files',
			async arrive(store) {
				await open(WEATHER)(store);
				const {tableView} = store.getState();
				store.setState({tableView: tableView && {...tableView, work: {what: 'sort', share: 0.42}}});
			},
		},
		{
			state: 'failed',
			on: 'files',
			async arrive(store) {
				await open(WEATHER)(store);
				tableViewer(store.getState).filterTable(createEditor('Oslo'));
				await until(store, ({tableView}) => tableView?.rows?.length === 0);
			},
		},
		{state: 'full', on: 'files', arrive: open(WEATHER)},
		{state: 'facts', on: 'files', arrive: openFacts},
		{
			state: 'frame',
			on: 'repl',
			async arrive(store) {
				const [part] = readHtml(PIVOT);
				if (part?.kind === 'table') tableViewer(store.getState).openTable('Out[3]', htmlTable(part));
			},
		},
	],
	'table-chart': [
		{state: 'full', on: 'files', arrive: openChart({kind: 'histogram'})},
		{state: 'line', on: 'files', arrive: openChart({kind: 'line', against: 0})},
		{state: 'scatter', on: 'files', arrive: openChart({kind: 'scatter', against: 9})},
		{state: 'bars', on: 'files', arrive: openChart({column: 1})},
		{state: 'failed', on: 'files', arrive: openChart({kind: 'line', column: 1})},
		{
			state: 'loading',
			on: 'files',
			async arrive(store) {
				await openChart({})(store);
				const {tableChart} = store.getState();
				store.setState({tableChart: tableChart && {...tableChart, found: null, share: 0.42}});
			},
		},
	],
	'chart-column': [{state: 'full', on: 'files', arrive: openChart({}), open: {kind: 'chart-column'}}],
	'table-opening': [
		{
			state: 'loading',
			on: 'repl',
			open: {
				kind: 'table-opening',
				name: 'trips',
				waitsFor: 'The kernel is running a cell: waiting for it to end',
			},
		},
	],
	'tables-of-file': [
		{
			state: 'full',
			on: 'files',
			open: {
				kind: 'tables-of-file',
				path: 'data/shop.sqlite',
				names: ['customers', 'orders', 'orders_by_month'],
				bytes: new Uint8Array(),
			},
		},
	],
	'table-columns': [{state: 'full', on: 'files', arrive: open(WEATHER), open: {kind: 'table-columns'}}],
	'table-format': [
		{
			state: 'full',
			on: 'files',
			async arrive(store) {
				const found = tableOfBytes('data/weather.csv', Buffer.from('Ort;Grad\nZürich;1,5\n', 'latin1'));
				if (found !== null) tableViewer(store.getState).openTable('data/weather.csv', found);
			},
			open: {kind: 'table-format'},
		},
	],
	'table-keys': [{state: 'full', on: 'files', arrive: open(WEATHER), open: {kind: 'table-keys'}}],
} satisfies Parts;
