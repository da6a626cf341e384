import {Box} from 'ink';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {shownName} from '../../../text/table/column-format.ts';
import {Rows} from '../../core/components/rows.tsx';
import {chooser, LEAST_WIDTH, type Choice} from '../../core/dialogs/chooser.tsx';
import {dialog, type DialogSpec} from '../../core/feature.ts';
import type {Rect} from '../../core/program.ts';
import {useApp} from '../../core/store-context.ts';
import {chartLines} from '../chart-lines.ts';
import {tableCharts} from '../charts.ts';

/** Chart over the whole screen area between header and footer. */
const ChartDialog = ({body}: {readonly body: Rect}) => {
	const view = useApp(state => state.tableView);
	const chart = useApp(state => state.tableChart);
	const {blocks} = useApp(state => state.pictureStyle);
	if (view === null || chart === null) return null;
	return (
		<Box position="absolute" top={body.y} left={body.x} width={body.width} height={body.height}>
			<Rows height={body.height} lines={chartLines(view, chart, body, blocks)} />
		</Box>
	);
};

/** Makes a dialog that is drawn over the chart. */
const overChart = ({Dialog: Above, ...facts}: DialogSpec): DialogSpec => ({
	...facts,
	coversTitles: true,
	Dialog: props => (
		<>
			<ChartDialog body={props.body} />
			<Above {...props} />
		</>
	),
});

/** Chart of a column, alone or against another column. */
export const tableChart = dialog({
	kind: 'table-chart',
	coversTitles: true,
	scope: 'tableChart',
	dismiss: state => tableCharts(state.app).closeChart(),
	Dialog: ChartDialog,
});

/** Chooses the column of the x axis. Enter draws the chart against the selected column. */
export const chartColumn = overChart(
	chooser({kind: 'chart-column'}, ({get}) => {
		const {tableView, tableChart: chart} = get();
		const draw = (against: number | null) => (): void =>
			tableCharts(get).changeChart({against, ...(chart?.kind === 'histogram' && {kind: 'scatter'})});
		const note = (against: number | null): string => (chart?.against === against ? 'now' : '');
		const choices: readonly Choice[] = [
			{text: 'Number of the row', id: 'row', note: note(null), choose: draw(null)},
			...(tableView?.table.names ?? []).map((_, column) => ({
				text: tableView ? shownName(tableView.table, column) || 'the index' : '',
				id: String(column),
				note: note(column),
				choose: draw(column),
			})),
		];
		return {
			title: 'Column of the horizontal axis',
			width: LEAST_WIDTH,
			enterLabel: 'draw',
			cutsRows: true,
			empty: 'No column matches.',
			choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
		};
	}),
);
