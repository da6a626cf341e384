import {actionOn, refused, type KeyScopes} from '../core/keys/action.ts';
import type {KeyContext} from '../core/feature.ts';
import {route} from '../core/store/route.ts';
import {CHART_KINDS, hasPython, tableCharts} from './charts.ts';

const onChart = actionOn(({get}: KeyContext) => {
	const found = get().tableChart;
	return found ?? refused('There is no chart');
});

export const chartKeys: KeyScopes = {
	tableChart: {
		where: 'chart of a table',
		isDialog: true,
		actions: {
			kind: onChart({
				keys: ['tab'],
				label: 'next kind',
				hint: true,
				run: ({kind}, {get}) =>
					tableCharts(get).changeChart({
						kind: CHART_KINDS[(CHART_KINDS.indexOf(kind) + 1) % CHART_KINDS.length] ?? 'histogram',
					}),
			}),
			against: onChart({
				keys: ['x'],
				label: 'other axis',
				hint: true,
				run(_, {get}) {
					route(get).openDialog({kind: 'chart-column'});
				},
			}),
			previous: {
				keys: ['left', 'h', 'up', 'k'],
				label: 'Column before',
				run: ({get}) => tableCharts(get).moveChart(-1),
			},
			next: {
				keys: ['right', 'l', 'down', 'j'],
				label: 'next column',
				hint: true,
				run: ({get}) => tableCharts(get).moveChart(1),
			},
			copy: {
				keys: ['y'],
				label: 'copy its Python',
				hint: true,
				now: ({get}) => (hasPython(get()) ? undefined : null),
				run: ({get}) => tableCharts(get).copyChart(),
			},
			close: {keys: ['esc', 'q'], label: 'back', run: ({get}) => tableCharts(get).closeChart()},
		},
	},
};
