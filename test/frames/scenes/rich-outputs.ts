// Outputs of each kind that a terminal shows as text.
import type {CellOutput, ExecutedCell} from '../../../src/contract/cells.ts';
import {withWidget, WIDGET_VIEW, type WidgetModel} from '../../../src/text/output/widget.ts';
import {replSession} from '../../../src/tui/repl/session.ts';
import {reply, type Scene} from '../scene.ts';
import {deps, files, goTo, lists, SERVER, until} from './support.ts';
import {isPending} from '../../../src/tui/cells/cell.ts';

const shown = (data: Readonly<Record<string, unknown>>): CellOutput => ({
	output_type: 'display_data',
	metadata: {},
	data: {'text/plain': '<IPython.core.display.X object>', ...data},
});

const model = (name: string, state: Readonly<Record<string, unknown>>): WidgetModel => ({
	name: `${name}Model`,
	module: '@jupyter-widgets/controls',
	state,
});
const models = new Map([
	[
		'tab',
		model('Tab', {
			children: ['IPY_MODEL_row', 'IPY_MODEL_box', 'IPY_MODEL_out'],
			titles: ['Progress', 'Settings', ''],
		}),
	],
	['row', model('HBox', {children: ['IPY_MODEL_epoch', 'IPY_MODEL_bar', 'IPY_MODEL_rate']})],
	['epoch', model('HTML', {value: 'Epoch:\u2007\u200733%'})],
	['bar', model('FloatProgress', {value: 13, min: 0, max: 40, bar_style: 'success'})],
	['rate', model('HTML', {value: '13/40 [00:07&lt;00:15,\u2007 1.75it/s]'})],
	['box', model('VBox', {children: ['IPY_MODEL_n', 'IPY_MODEL_gpu', 'IPY_MODEL_go']})],
	['n', model('IntSlider', {description: 'layers', value: 4, min: 1, max: 12})],
	['gpu', model('Dropdown', {description: 'GPU', index: 1, _options_labels: ['L4', 'A100', 'H100']})],
	['go', model('Button', {description: 'Train'})],
	['out', model('Output', {outputs: [{output_type: 'stream', name: 'stdout', text: 'ready\n'}]})],
]);

const CELLS: Readonly<Record<string, readonly CellOutput[]>> = {
	'summary()': [
		shown({
			'text/latex': String.raw`$\displaystyle \hat{\beta} = \frac{\sum_{i=1}^{n} x_i y_i}{2 \sqrt{x}}$`,
		}),
		shown({'text/markdown': 'The loss $L(\\theta)$ is **lower** than $10^{-3}$:\n\n- day\n- night'}),
		shown({'text/html': '<h3>Report</h3><ul><li>two <b>stations</b></li></ul>'}),
		shown({'application/json': {epoch: 3, loss: [0.5, 0.25]}}),
	],
	'train()': [
		{
			output_type: 'display_data',
			metadata: {},
			data: withWidget({[WIDGET_VIEW]: {model_id: 'tab'}}, {id: 'tab', models}),
		},
	],
	'plot()': [
		shown({
			'application/vnd.plotly.v1+json': {
				data: [{type: 'bar'}, {type: 'bar'}],
				layout: {title: {text: 'Sales by month'}},
			},
		}),
		shown({'application/vnd.vegalite.v5+json': {mark: 'line', title: 'Load'}}),
		shown({'application/vnd.bokehjs_exec.v0+json': '', 'application/javascript': 'x'}),
	],
};

const cellOf = (source: string): ExecutedCell => ({
	cell_type: 'code',
	execution_count: Object.keys(CELLS).indexOf(source) + 1,
	metadata: {},
	source,
	outputs: [...(CELLS[source] ?? [])],
});

export const richScenes: readonly Scene[] = Object.keys(CELLS).map(source => ({
	screen: 'repl',
	state: `rich-${source.slice(0, -2)}`,
	deps,
	service: () => ({...lists(), ...files, runCode: async (_, {code}) => reply({value: cellOf(code)})}),
	async arrive(store) {
		await goTo('repl')(store);
		replSession(store.getState).runCell(SERVER, source);
		await until(store, state => state.repls.get(SERVER)?.cells.some(isPending) === false);
	},
}));
