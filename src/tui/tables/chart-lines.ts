import {drawChart} from '../../text/chart/draw-chart.ts';
import type {Chart} from '../../text/chart/chart.ts';
import type {PictureBlocks} from '../../text/output/block-cells.ts';
import {shownName} from '../../text/table/column-format.ts';
import {label} from '../../text/safe.ts';
import {fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {titleRule} from '../core/components/pane-title.ts';
import type {Rect} from '../core/program.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {isAscii, paint} from '../core/theme/theme.ts';
import type {ChartView} from './charts.ts';
import {rowCount, type TableView} from './tables.ts';

const counted = (count: number, what: string): string =>
	`${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Kind of a chart, as the title calls it. */
const kindText = (chart: Chart | null, {kind}: ChartView): string =>
	chart?.chart === 'bars' ? 'most frequent values' : kind;

const valuesText = (chart: Chart): string => {
	switch (chart.chart) {
		case 'histogram':
			return counted(
				chart.counts.reduce((sum, each) => sum + each, 0),
				'value',
			);
		case 'bars':
			return chart.distinct === null ? 'many distinct values' : counted(chart.distinct, 'distinct value');
		default:
			return counted(chart.count, 'point');
	}
};

const titleLine = (view: TableView, chart: ChartView, width: number): string => {
	const {table} = view;
	const found = chart.found !== null && typeof chart.found === 'object' ? chart.found : null;
	const name = (column: number): string => shownName(table, column) || 'the index';
	const isTwo = chart.kind !== 'histogram';
	const across = isTwo ? ` by ${chart.against === null ? 'row' : name(chart.against)}` : '';
	const isPart = table.whole?.rows != null && table.whole.rows > rowCount(view);
	const texts = [
		kindText(found, chart),
		...(found === null ? [] : [valuesText(found)]),
		...(found === null || found.missing === 0 ? [] : [`${found.missing.toLocaleString('en')} missing`]),
		...(view.filter.text === '' ? (isPart ? ['of a part of the rows'] : []) : ['of the matching rows']),
	].join(` ${glyph.other} `);
	const right = label(view.name, 40);
	const left = ` ${paint('heading', label(`${name(chart.column)}${across}`, 80))}  ${paint('dim', texts)} `;
	return fit(titleRule({left, right: paint('dim', right), focused: true, width}), width);
};

/** The chart as lines of the whole width. */
export const chartLines = (
	view: TableView,
	chart: ChartView,
	{width, height}: Pick<Rect, 'width' | 'height'>,
	blocks: PictureBlocks,
): readonly string[] => {
	const room = {width: width - 3, height: Math.max(1, height - 2)};
	const {found} = chart;
	const drawn =
		found === null
			? [paint('busy', `Counting ${Math.floor(chart.share * 100)}%`)]
			: typeof found === 'string'
				? wrap(`${label(found, 300)}.`, room.width)
				: drawChart(found, {...room, paint, blocks, isAscii: isAscii()});
	const body = drawn.length === 0 ? [paint('dim', 'There are no values to draw.')] : drawn;
	const lines = [titleLine(view, chart, width), '', ...body.map(line => ` ${line}`)];
	return Array.from({length: height}, (_, at) => fit(lines[at] ?? '', width));
};
