// Values, in the REPL and in a notebook, that have a better form than the name of their object.
import {expect, test} from 'vitest';
import {isPending} from '../../../src/tui/cells/cell.ts';
import {replOf} from '../../../src/tui/repl/transcript.ts';
import {shownText, withScene} from '../../frames/draw.tsx';
import {reply, type Scene} from '../../frames/scene.ts';
import {scenes} from '../../frames/scenes/index.ts';
import {SERVER} from '../../frames/scenes/support.ts';
import {replSession} from '../../../src/tui/repl/session.ts';

const NAME = '<IPython.core.display.X object>';
const BUNDLES: readonly Readonly<Record<string, unknown>>[] = [
	{'text/markdown': '# Sales\n\nof **2026**, see `a.py`'},
	{'text/html': '<h1>Head</h1><p>and a body</p>'},
	{'text/latex': '$x^2$'},
	{'application/json': {rows: 3}},
	{'application/vnd.plotly.v1+json': {data: [{type: 'bar'}], layout: {}}},
	{'application/vnd.jupyter.widget-view+json': {model_id: 'a'}},
].map(data => ({...data, 'text/plain': NAME}));
const outputs = BUNDLES.map((data, index) =>
	index === 0
		? {output_type: 'execute_result', execution_count: 1, metadata: {}, data}
		: {output_type: 'display_data', metadata: {}, data},
);

const NOTEBOOK = JSON.stringify({
	cells: [{cell_type: 'code', execution_count: 1, metadata: {}, outputs, source: 'show()'}],
	metadata: {},
	nbformat: 4,
	nbformat_minor: 4,
});

const sceneOf = (screen: string, state: string): Scene => {
	const scene = scenes.find(each => each.screen === screen && each.state === state);
	if (scene === undefined) throw new RangeError(`no scene ${screen} ${state}`);
	return scene;
};

const expectRich = (text: string): void => {
	expect(text).not.toContain('IPython');
	for (const words of ['Sales', 'of 2026, see', 'Head', 'and a body', 'x²', '"rows": 3'])
		expect(text).toContain(words);
	expect(text).not.toMatch(/# Sales|\*\*2026|<h1>/);
	expect(text.replaceAll(/[\s│]+/g, ' ')).toMatch(
		/A Plotly figure with 1 trace \(bar\) is not drawn here\..*write_html.*A widget is not drawn here\./,
	);
};

const SIZE = {columns: 100, rows: 44};

test('the REPL shows Markdown, HTML, LaTeX and JSON in place of the names of their objects, and names forms that it cannot draw', async () => {
	const scene = sceneOf('repl', 'empty');
	const frame = await withScene(
		{
			...scene,
			service: clock => ({
				...scene.service(clock),
				runCode: async (_, {code: source}) =>
					reply({value: {cell_type: 'code', execution_count: 1, metadata: {}, source, outputs}}),
			}),
			async arrive(store, clock) {
				await scene.arrive(store, clock);
				replSession(store.getState).runCell(SERVER, 'show()');
			},
			until: state => {
				const {cells} = replOf(state, SERVER);
				return cells.length > 0 && !cells.some(isPending);
			},
		},
		SIZE,
		drawn => drawn.frame,
	);
	const text = await shownText(frame, SIZE);
	expectRich(text);
	expect(text).toMatch(/\[1\] [^]*→ +Sales/);
});

test('a notebook shows them the same', async () => {
	const scene = sceneOf('files', 'notebook');
	const frame = await withScene(
		{
			...scene,
			service: clock => ({
				...scene.service(clock),
				getFile: async (_, path) =>
					reply({value: {name: path, path, type: 'file', format: 'text', content: NOTEBOOK}}),
			}),
			async arrive(store, clock) {
				await scene.arrive(store, clock);
			},
		},
		SIZE,
		drawn => drawn.frame,
	);
	expectRich(await shownText(frame, SIZE));
});
