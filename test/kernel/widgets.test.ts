// Widgets, tested with recorded messages of kernels with ipywidgets 8.1.8 (with tqdm 4.69) and
// 6.0.0.
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {createCellOutputs} from '../../src/api/live/cell-outputs.ts';
import {parseMessage, type KernelMessage} from '../../src/kernel/messages.ts';
import {createWidgets, openedModel, updatedModel} from '../../src/kernel/widgets.ts';
import {formText} from '../../src/text/output/form-text.ts';
import {readNotebook} from '../../src/text/notebook/notebook.ts';
import {withWidgetTexts} from '../../src/text/output/stored-widgets.ts';
import {withWidget} from '../../src/text/output/widget.ts';
import {widgetLines} from '../../src/text/output/widget-lines.ts';
import {joinMultiline} from '../../src/text/output/multiline.ts';
import {fieldsOf} from '../../src/text/record.ts';

type Recorded = {readonly msg_type: string; readonly content: Readonly<Record<string, unknown>>};
const recorded = (version: 6 | 8): Readonly<Record<string, readonly Recorded[]>> =>
	JSON.parse(readFileSync(new URL(`widgets-${version}.json`, import.meta.url), 'utf8'));

const messageOf = ({msg_type: type, content}: Recorded, request: string): KernelMessage => {
	const read = parseMessage(
		JSON.stringify({header: {msg_id: 'm', msg_type: type}, parent_header: {msg_id: request}, content}),
	);
	if (read === null) throw new Error('no message');
	return read;
};

/**
 * Simulated kernel that replays recorded cells, and returns the outputs of each of them as text.
 */
const kernelOf = (version: 6 | 8) => {
	const steps = recorded(version);
	const widgets = createWidgets();
	const cells = new Map<string, ReturnType<typeof createCellOutputs>>();
	const changes: string[] = [];
	const shown = (name: string): string =>
		(cells.get(name)?.look().outputs ?? [])
			.map(output =>
				output.output_type === 'stream'
					? joinMultiline(output['text']).trimEnd()
					: formText(fieldsOf(output['data'])).text,
			)
			.join('\n');
	/** Runs a cell. `after`: called after each message. */
	const run = (name: string, after = (): void => {}): string => {
		const cell = createCellOutputs(name, undefined, widgets);
		cells.set(name, cell);
		const messages = steps[name] ?? [];
		const request =
			messages.map(({content}) => fieldsOf(fieldsOf(content['data'])['state'])['msg_id']).find(Boolean) ??
			name;
		for (const each of messages) {
			const message = messageOf(each, String(request));
			const change = widgets.see(message, 100);
			if (change === null) cell.receive(message, 100);
			else for (const [key, {widgetChanged}] of cells) if (widgetChanged(change.id)) changes.push(key);
			after();
		}
		return shown(name);
	};
	return {run, shown, changes};
};

test('a bar of tqdm.auto moves in place', () => {
	const {run, shown} = kernelOf(8);
	const seen = new Set<string>();
	expect(run('tqdm', () => seen.add(shown('tqdm')))).toMatch(
		/^Epoch: 100% \|█{30}\| 3\/3 \[00:00<00:00, +[\d.]+it\/s\]$/,
	);
	expect([...seen]).toContainEqual(expect.stringMatching(/^Epoch: {2}33% \|█{10} {20}\| 1\/3 /));
});

test('controls show their values, and what they are', () => {
	const {run, shown, changes} = kernelOf(8);
	expect(run('basic')).toBe('8.1.8\nn: 3 (slider 0 to 100) bold <x\nPick: b (choice of a, b)');
	run('change');
	expect(shown('basic')).toBe('8.1.8\nn: 7 (slider 0 to 100) changed\nPick: b (choice of a, b)');
	// Cells without a changed widget are not redrawn.
	expect(new Set(changes)).toEqual(new Set(['basic']));
});

test('an Output widget takes what is printed within it, in later cells too', () => {
	const {run, shown} = kernelOf(8);
	expect(run('out')).toBe("inside\n'x'\noutside");
	run('out2');
	expect(shown('out')).toMatch(/^\S*-+[\s\S]*ZeroDivisionError[\s\S]*\noutside$/);
	expect(shown('out')).not.toContain('inside');
	expect(shown('out2')).toBe('');
});

test('boxes show their parts with titles, and nothing once they are closed', () => {
	const {run, shown} = kernelOf(8);
	expect(run('boxes')).toBe(
		`First\n  P: |${'█'.repeat(9)}${' '.repeat(21)}| 3/10\n2\n  |${'█'.repeat(15)}${' '.repeat(15)}| 0.5/1`,
	);
	expect(run('acc').split('\n')).toEqual([
		'A',
		'  hey (text field)',
		...['2', '  ok: [x] (checkbox)'],
		...['3', '  x, z (choices of x, y, z)'],
		...['4', '  [ Go ]'],
		...['5', '  p (choice of p, q)'],
		...['6', '  none (picker)'],
		...['7', '  red (colour picker)'],
		...['8', '  image (png)'],
		...['9', '  25 to 75 (range slider 0 to 100)'],
		...['10', '  a', '  b (text field)'],
		...['11', '  one (choice of one, two)'],
		...['12', '  valid'],
		...['13', '  0 (player 0 to 100)'],
	]);
	run('close');
	expect(shown('acc')).toBe('');
	expect(run('interact')).toBe('x: 3 (slider 0 to 10)\nx is 3\n6');
	// This kind of bar disappears when it is complete.
	expect(run('clear')).toBe('');
});

test('version 6 shows the same', () => {
	const {run, shown} = kernelOf(6);
	expect(run('basic')).toContain('n: 3 (slider 0 to 100) bold <x');
	run('change');
	expect(shown('basic')).toContain('n: 7 (slider 0 to 100) changed');
	expect(run('out')).toContain('inside');
	expect(run('boxes')).toContain(`First\n  P: |${'█'.repeat(9)}${' '.repeat(21)}| 3/10`);
});

test('a model follows its messages', () => {
	const opened = openedModel({target_name: 'jupyter.widget', data: {state: {_model_name: 'XModel', a: 1}}});
	expect(opened).toEqual({name: 'XModel', module: '', state: {_model_name: 'XModel', a: 1}});
	expect(openedModel({target_name: 'other', data: {}})).toBeNull();
	if (opened === null) return;
	expect(updatedModel(opened, {data: {method: 'update', state: {b: 2}}}).state).toMatchObject({a: 1, b: 2});
	for (const data of [{method: 'custom', content: {}}, {method: 'update', state: 7}, null])
		expect(updatedModel(opened, {data})).toBe(opened);
});

test('widgets that hold each other, or do not exist, end', () => {
	const box = (inner: string) => ({
		name: 'VBoxModel',
		module: '',
		state: {children: [`IPY_MODEL_${inner}`, 'IPY_MODEL_none', 7]},
	});
	const models = new Map([
		['a', box('b')],
		['b', box('a')],
	]);
	expect(widgetLines({id: 'a', models}, 80).lines).toEqual([{text: '…'}]);
	expect(widgetLines({id: 'none', models}, 80).lines).toEqual([]);
	const odd = new Map([
		['a', {name: 'FloatProgressModel', module: '', state: {value: 'x', max: NaN, min: {}}}],
	]);
	expect(widgetLines({id: 'a', models: odd}, 80).lines).toHaveLength(1);
});

test('a stored output has the text of its widget, and JSON leaves the state out', () => {
	const models = new Map([['a', {name: 'LabelModel', module: '', state: {value: 'done'}}]]);
	const data = withWidget({'text/plain': 'Label()'}, {id: 'a', models});
	expect(withWidgetTexts([{data}, {text: 'x'}])).toEqual([{data: {'text/plain': 'done'}}, {text: 'x'}]);
	expect(JSON.stringify(data)).toBe('{"text/plain":"Label()"}');
});

test('the widgets of a saved notebook have the state in its metadata', () => {
	const view = {'application/vnd.jupyter.widget-view+json': {model_id: 'a'}};
	const state = {a: {model_name: 'LabelModel', model_module: 'm', state: {value: 'saved'}}};
	const notebook = {
		cells: [
			{cell_type: 'code', source: 'a', outputs: [{output_type: 'display_data', data: view, metadata: {}}]},
		],
		metadata: {widgets: {'application/vnd.jupyter.widget-state+json': {state}}},
		nbformat: 4,
		nbformat_minor: 4,
	};
	const read = readNotebook(JSON.stringify(notebook));
	if (typeof read === 'string') throw new Error(read);
	expect(read.cells[0]?.outputs.map(({data}) => formText(fieldsOf(data)).text)).toEqual(['saved']);
});

test('the value of a password field is not shown', () => {
	const models = new Map([
		['a', {name: 'PasswordModel', module: '', state: {value: 'secret', description: 'Key'}}],
	]);
	expect(widgetLines({id: 'a', models}, 80).lines).toEqual([{text: 'Key: hidden (password field)'}]);
});
