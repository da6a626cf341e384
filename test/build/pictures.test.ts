import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {framePicture} from '../../src/build/frame-picture.ts';
import {drawPictures} from '../../src/build/pictures.ts';

const pictures = await drawPictures();

const CELL = 8.4;
const ROW = 16.5;
const MARGIN = 12;

const unescaped = (text: string): string =>
	text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The rows of a picture: each text at its cell. */
const rowsOf = (svg: string, count: number): string => {
	const rows: string[] = Array.from({length: count}, () => '');
	const ends = rows.map(() => 0);
	for (const [, x, y, length, text = ''] of svg.matchAll(
		/<text(?: class="\w+")? x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)" lengthAdjust="spacingAndGlyphs">(.*)<\/text>/g,
	)) {
		const row = Math.floor((Number(y) - MARGIN) / ROW);
		const column = Math.round((Number(x) - MARGIN) / CELL);
		rows[row] += ' '.repeat(column - (ends[row] ?? 0)) + unescaped(text);
		ends[row] = column + Math.round(Number(length) / CELL);
	}
	return `${rows.join('\n')}\n`;
};

const lineCount = (frame = ''): number => frame.trimEnd().split('\n').length;

test('each picture matches its frame; npm run docs redraws them', () => {
	expect(pictures).toHaveLength(4);
	for (const {file, svg} of pictures) expect(readFileSync(file, 'utf8')).toBe(svg);
});

test.each(pictures.map(picture => [picture.file.replace(/.*\//, ''), picture] as const))(
	'%s holds each row of its frames as text, cell for cell',
	(_, {svg, steps}) => {
		const drawn = steps.length === 1 ? [svg] : svg.split('<g class="step').slice(1);
		expect(drawn.map((step, index) => rowsOf(step, lineCount(steps[index]?.frame)))).toEqual(
			steps.map(({frame}) => frame),
		);
	},
);

test('a picture of several frames shows each for its seconds, and the last where nothing moves', () => {
	const steps = ['one\n', 'two\n', 'three\n'].map((frame, step) => ({frame, seconds: step + 1}));
	const svg = framePicture(steps, 24, {title: 'T', description: 'D'});
	expect([...svg.matchAll(/^@keyframes .*$/gm)].map(([line]) => line)).toEqual([
		'@keyframes step0{0%{opacity:1}16.7%{opacity:0}}.step0{animation:step0 6s step-end infinite}',
		'@keyframes step1{0%{opacity:0}16.7%{opacity:1}50%{opacity:0}}.step1{animation:step1 6s step-end infinite}',
		'@keyframes step2{0%{opacity:0}50%{opacity:1}}.step2{animation:step2 6s step-end infinite}',
	]);
	expect(svg).toContain('.step{opacity:0}.last{opacity:1}');
	expect(svg).toMatch(/<g class="step step2 last">\n<text[^>]*>three</);
	expect(svg).toContain('@media (prefers-reduced-motion:reduce){.step{animation:none}}');
	expect(svg).toContain(`height="${ROW + 2 * MARGIN}"`);
});

test('a picture has a description, and the content of a frame is text in it, never markup', () => {
	const svg = framePicture([{frame: 'a <b> & "c"  ● ✗ │\n', seconds: 0}], 24, {
		title: 'T <1>',
		description: 'D & more',
	});
	expect(svg).toContain('<title id="title">T &lt;1&gt;</title>');
	expect(svg).toContain('<desc id="description">D &amp; more</desc>');
	expect(svg).toContain('>&lt;b&gt;</text>');
	expect(svg).toMatch(/class="good"[^>]*>●/);
	expect(svg).toMatch(/class="bad"[^>]*>✗/);
	expect(svg).toMatch(/class="rule"[^>]*>│/);
	expect(svg).not.toContain('<b>');
});
