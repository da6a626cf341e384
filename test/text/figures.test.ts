import {expect, test} from 'vitest';
import {figureIn, lastFigureIn} from '../../src/text/figure/in-output.ts';
import {figurePage} from '../../src/text/figure/page.ts';

const pageOf = (data: Readonly<Record<string, unknown>>): string => {
	const figure = figureIn(data);
	if (figure === null) throw new Error('no figure');
	return figurePage(figure);
};

const PLOTLY = 'application/vnd.plotly.v1+json';
const LITE = 'application/vnd.vegalite.v5+json';

const bars = {
	data: [
		{type: 'bar', x: ['Jan', 'Feb'], y: [1, 3], name: 'A'},
		{type: 'bar', x: ['Jan', 'Feb'], y: {dtype: 'i2', bdata: Buffer.from([2, 0, 4, 0]).toString('base64')}},
	],
	layout: {title: {text: 'Sales <b>by</b> month'}, yaxis: {title: {text: 'EUR'}}},
};

test('bars of Plotly are drawn from their data, numbers in bytes too', () => {
	const page = pageOf({[PLOTLY]: bars});
	expect(page).toContain('<title>Sales by month</title>');
	expect(page.match(/<rect /g)).toHaveLength(4);
	expect(page).toContain('>EUR</text>');
	expect(page).toContain('<td>Feb</td><td>4</td>');
	expect(page).toContain('fig.write_html(&quot;figure.html&quot;)');
});

test('lines, points and bars across are drawn, other kinds are tables', () => {
	const page = pageOf({
		[PLOTLY]: {
			data: [
				{x: [0, 1, 2], y: [1, null, 3]},
				{mode: 'markers', x: [0, 1], y: [2, 2]},
				{type: 'pie', labels: ['a', 'b'], values: [10, 20]},
			],
		},
	});
	expect(page.match(/<polyline /g)).toHaveLength(1);
	expect(page.match(/<circle /g)).toHaveLength(2);
	expect(page).toContain('Its kind (pie) is not drawn here: the table has its data.');
	expect(page).toContain('<td>10</td><td>a</td>');
	expect(pageOf({[PLOTLY]: {data: [{type: 'bar', orientation: 'h', x: [5], y: ['name']}]}})).toContain(
		'>name</text>',
	);
});

test('a Vega-Lite chart is drawn from data that it holds, by colour', () => {
	const chart = {
		title: 'T',
		mark: {type: 'bar'},
		data: {name: 'd'},
		datasets: {
			d: [
				{a: 'x', b: 1, c: 'p'},
				{a: 'y', b: 2, c: 'q'},
			],
		},
		encoding: {x: {field: 'a', type: 'nominal'}, y: {field: 'b', type: 'quantitative'}, color: {field: 'c'}},
	};
	const page = pageOf({[LITE]: chart});
	expect(page.match(/<rect /g)).toHaveLength(2);
	expect(page).toMatch(/<\/span>p .*<\/span>q/);
	expect(page).toContain('<th>a</th><th>b</th><th>c</th>');
	const html = `<div></div><script>(function(spec, embedOpt){ vegaEmbed(spec) })(${JSON.stringify(chart)}, {"mode": "vega-lite"});</script>`;
	expect(pageOf({'text/html': [html]})).toBe(page);
	const counted = {...chart, encoding: {...chart.encoding, y: {aggregate: 'count'}}};
	expect(pageOf({[LITE]: counted})).toContain('Its kind (bar) is not drawn here');
	expect(pageOf({[LITE]: {mark: 'line', data: {url: 'https://example.org/x.csv'}}})).toContain(
		'holds no data',
	);
});

test('a Bokeh plot shows its title and its data, of version 3 and 2', () => {
	const three = {
		a: {
			roots: [
				{
					type: 'object',
					name: 'Figure',
					attributes: {
						title: {type: 'object', name: 'Title', attributes: {text: 'Load'}},
						source: {
							type: 'object',
							name: 'ColumnDataSource',
							attributes: {
								data: {
									type: 'map',
									entries: [
										['x', [1, 2]],
										[
											'y',
											{
												type: 'ndarray',
												array: {type: 'bytes', data: Buffer.from([7, 8]).toString('base64')},
												dtype: 'uint8',
												shape: [2],
												order: 'little',
											},
										],
									],
								},
							},
						},
					},
				},
			],
		},
	};
	const two = {
		a: {
			roots: {
				references: [
					{type: 'Title', attributes: {text: 'Load'}},
					{type: 'ColumnDataSource', attributes: {data: {x: [1, 2], y: [7, 8]}}},
				],
			},
		},
	};
	for (const documents of [three, two]) {
		const page = pageOf({
			'application/vnd.bokehjs_exec.v0+json': '',
			'application/javascript': `(function(root) {\n  const docs_json = ${JSON.stringify(documents)};\n  const render_items = [{"a": "}"}];\n})(window);`,
		});
		expect(page).toContain('<h1>Load</h1>');
		expect(page).toContain('<td>2</td><td>8</td>');
	}
	expect(pageOf({'application/vnd.bokehjs_exec.v0+json': ''})).toContain('holds no data');
});

test('text of a figure is text in the page, and the page loads nothing', () => {
	const evil = '</title><script>alert(1)</script>"\'&<img src=https://example.org/x>';
	const page = pageOf({
		[PLOTLY]: {
			data: [{type: 'bar', name: evil, x: [evil], y: [1], text: [evil]}],
			layout: {title: 'a"b', xaxis: {title: evil}, yaxis: {title: evil}},
		},
	});
	expect(page).not.toMatch(/<script|<img|<link|<iframe/i);
	expect(page).toContain("default-src 'none'");
});

test('damaged figures give a page', () => {
	for (const value of [
		null,
		7,
		[],
		{data: 7},
		{data: [null, {y: {dtype: 'f8', bdata: '?'}}]},
		{layer: [{}]},
		{data: [{name: 'd', values: [1]}]},
	])
		for (const type of [PLOTLY, LITE, 'application/vnd.vega.v5+json'])
			expect(pageOf({[type]: value})).toContain('</html>');
	expect(lastFigureIn([{data: {'text/plain': 'x'}}, {}])).toBeNull();
});
