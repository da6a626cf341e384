import {expect, test} from 'vitest';
import {formText} from '../../src/text/output/form-text.ts';
import {formOf, isBareName} from '../../src/text/output/forms.ts';

test.each([
	'<IPython.core.display.Markdown object>',
	'<IPython.lib.display.IFrame at 0x7f5076cff250>',
	'<Figure size 640x480 with 1 Axes>',
	'<Figure size 432x288 with 0 Axes>\n',
	'<__main__.report.<locals>.Report object at 0x7f12>',
	'<PIL.PngImagePlugin.PngImageFile image mode=RGB size=2x2 at 0x7F12>',
])('%j is the bare name of an object', name => expect(isBareName(name)).toBe(true));

test.each(['', '42', '<Quantity 5. m>', '<xarray.Dataset> Size: 1kB', '<a object>\n<b object>', 'an object'])(
	'%j is a text of its own',
	text => expect(isBareName(text)).toBe(false),
);

const NAME = '<IPython.core.display.X object>';

test.each([
	['Markdown', {'text/markdown': '# Title\n\n*text*'}, '# Title\n\n*text*'],
	['Markdown as lines', {'text/markdown': ['# Title\n', 'text']}, '# Title\ntext'],
	['Latex', {'text/latex': '$x^2$'}, 'x²'],
	['LaTeX without an unambiguous form', {'text/latex': String.raw`$\xyz{1}$`}, String.raw`$\xyz{1}$`],
	['HTML', {'text/html': '<h1>Title</h1><b>bold</b>'}, 'Title\n\nbold'],
	['HTML before its LaTeX', {'text/latex': 'no', 'text/html': 'yes'}, 'yes'],
	['a table', {'text/html': '<table><tr><td>a</td><td>1</td></tr></table>'}, 'a  1'],
	['a frame', {'text/html': '<iframe width="1" src="https://e.org/x"></iframe>'}, '[page https://e.org/x]'],
	[
		'a picture elsewhere',
		{'text/html': '<img alt="a cat" src=https://e.org/x.png>'},
		'[picture: a cat https://e.org/x.png]',
	],
	[
		'a sound',
		{'text/html': '<audio controls><source src="data:audio/wav;base64,YWE="/>Your browser does not</audio>'},
		'[sound data:audio/wav]',
	],
	['JSON', {'application/json': {a: [1]}}, '{\n  "a": [\n    1\n  ]\n}'],
	['JSON that is null', {'application/json': null}, 'null'],
	['GeoJSON', {'application/geo+json': {type: 'Point'}}, '{\n  "type": "Point"\n}'],
	['a text of another kind', {'text/x-rst': 'Title\n====='}, 'Title\n====='],
])('%s is shown in place of the name of an object', (_, data, text) => {
	for (const bundle of [data, {...data, 'text/plain': NAME}, {...data, 'text/plain': [NAME]}])
		expect(formText(bundle)).toEqual({text, note: null});
});

test('a text of its own is shown even where another type is there, and the bare name where nothing else is', () => {
	const shown = (data: Record<string, unknown>): string => formText(data).text;
	expect(shown({'text/plain': 'LinearRegression()', 'text/html': '<b>diagram</b>'})).toBe(
		'LinearRegression()',
	);
	expect(shown({'text/plain': 'x**2', 'text/latex': '$x^2$'})).toBe('x**2');
	expect(shown({'text/plain': NAME})).toBe(NAME);
	expect(shown({'text/plain': NAME, 'application/vnd.unknown+json': {}})).toBe(NAME);
});

test('an object that shows an empty text shows nothing', () => {
	for (const data of [{'text/html': ''}, {'text/markdown': [' \n']}, {'text/latex': '', 'text/html': ' '}]) {
		expect(formText({...data, 'text/plain': NAME})).toEqual({text: '', note: null});
		expect(formOf({...data, 'text/plain': NAME}).kind).toBe('none');
	}
	expect(formText({'text/html': '', 'text/plain': 'a text of its own'}).text).toBe('a text of its own');
});

const PLOTLY = 'application/vnd.plotly.v1+json';
const figure = {data: [{type: 'bar'}, {x: [1]}, {type: 'bar'}], layout: {title: {text: 'Sales <b>2026</b>'}}};

test.each([
	['Plotly', {[PLOTLY]: figure}, 'A Plotly figure “Sales 2026” with 3 traces (bar, scatter)'],
	[
		'Plotly with a title of its own',
		{[PLOTLY]: {data: [{}], layout: {title: 'T'}}},
		'A Plotly figure “T” with 1 trace (scatter)',
	],
	['Plotly that is damaged', {[PLOTLY]: {data: 7, layout: []}}, 'A Plotly figure'],
	['Plotly without its data', {[PLOTLY]: null}, 'A Plotly figure'],
	['Plotly in HTML', {'text/html': '<div></div><script>Plotly.newPlot("a")</script>'}, 'A Plotly figure'],
	[
		'Vega-Lite',
		{'application/vnd.vegalite.v5.20.1+json': {mark: {type: 'bar'}, title: 'T'}},
		'A Vega-Lite chart “T” (bar)',
	],
	[
		'Vega-Lite in layers',
		{'application/vnd.vegalite.v4+json': {layer: [{mark: 'line'}, {mark: 'point'}]}},
		'A Vega-Lite chart (line, point)',
	],
	['Vega', {'application/vnd.vega.v5+json': {}}, 'A Vega chart'],
	['Bokeh', {'application/vnd.bokehjs_exec.v0+json': '', 'application/javascript': 'x'}, 'A Bokeh plot'],
])('a chart of %s shows its kind and how to see it, with any text beside it', (_, data, what) => {
	for (const bundle of [
		data,
		{...data, 'text/plain': 'Figure({…})'},
		{...data, 'text/html': joinedHtml(data), 'text/plain': '<VegaLite 5 object>\n\nIf you see this message'},
	]) {
		const {text, note} = formText(bundle);
		expect(text).toBe('');
		expect(note?.what).toBe(what);
		expect(note?.how).toMatch(/\.(?:write_html|save)\(/);
	}
});
const joinedHtml = (data: Readonly<Record<string, unknown>>): unknown => data['text/html'] ?? '<div></div>';

test('a widget shows its kind, and keeps the text that names it', () => {
	const view = {'application/vnd.jupyter.widget-view+json': {model_id: 'a', version_major: 2}};
	expect(formText({...view, 'text/plain': 'IntSlider(value=5)'})).toMatchObject({
		text: 'IntSlider(value=5)',
		note: {what: 'A widget'},
	});
	expect(formText({...view, 'text/plain': '<ipywidgets.X object at 0x1>'}).text).toBe('');
	expect(formText(view).note?.how).toContain('browser');
});

test('a form without text is named by its kind', () => {
	const what = (data: Record<string, unknown>) => formText({...data, 'text/plain': NAME}).note?.what;
	expect(what({'application/javascript': 'alert(1)'})).toBe('JavaScript');
	expect(what({'application/pdf': 'AAAA'})).toBe('A PDF document of 3 bytes');
	expect(what({'text/html': '<div id="x"></div><script>1</script>'})).toMatch(
		/^An HTML page of \d+ bytes without text$/,
	);
	expect(what({'image/png': 'A'.repeat(4000)})).toBe('A picture (PNG, 3 K)');
	expect(what({'image/svg+xml': '<svg/>'})).toBe('A picture (SVG, 6 bytes)');
	expect(formText({}).note).toBeNull();
});

test('beside a picture that is drawn an object needs no name', () => {
	const data = {'image/png': 'AA==', 'text/plain': '<Figure size 640x480 with 1 Axes>'};
	expect(formOf(data, {hasPicture: true})).toEqual({kind: 'none', used: ['text/plain']});
	expect(formOf({...data, [PLOTLY]: figure}, {hasPicture: true}).kind).toBe('none');
	expect(formOf({...data, 'text/plain': 'a title'}, {hasPicture: true}).kind).toBe('text');
});
