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

test('each picture matches its frame; npm run docs redraws them', () => {
	expect(pictures).toHaveLength(4);
	for (const {file, svg} of pictures) expect(readFileSync(file, 'utf8')).toBe(svg);
});

test.each(pictures.map(picture => [picture.file.replace(/.*\//, ''), picture] as const))(
	'%s holds each row of its frame as text, cell for cell',
	(_, {svg, frame}) => {
		expect(rowsOf(svg, frame.trimEnd().split('\n').length)).toBe(frame);
	},
);

test('a picture has a description, and the content of a frame is text in it, never markup', () => {
	const svg = framePicture('a <b> & "c"  ● ✗ │\n', 24, {title: 'T <1>', description: 'D & more'});
	expect(svg).toContain('<title id="title">T &lt;1&gt;</title>');
	expect(svg).toContain('<desc id="description">D &amp; more</desc>');
	expect(svg).toContain('>&lt;b&gt;</text>');
	expect(svg).toMatch(/class="good"[^>]*>●/);
	expect(svg).toMatch(/class="bad"[^>]*>✗/);
	expect(svg).toMatch(/class="rule"[^>]*>│/);
	expect(svg).not.toContain('<b>');
});
