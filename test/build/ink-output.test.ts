// @module-tag long
import {mkdtemp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {tmpdir} from 'node:os';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';
import fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {inkPatches} from '../../src/build/ink-patches.ts';

const root = join(import.meta.dirname, '../..');

type Output = {
	write: (
		x: number,
		y: number,
		text: string,
		options: {readonly transformers: readonly ((line: string) => string)[]},
	) => void;
	clip: (area: {readonly x1: number; readonly x2: number; readonly y1: number; readonly y2: number}) => void;
	unclip: () => void;
	get: () => {readonly output: string; readonly height: number};
};
type Ink = {
	readonly Output: new (size: {readonly width: number; readonly height: number}) => Output;
	readonly squash: (node: object) => string;
	readonly lineUpdate: (previous: string, next: string, columns: number) => string;
	readonly shown: (
		row: string,
	) => readonly {readonly character: string; readonly styles: readonly string[]}[];
};

let folder = '';
let theirs: Ink;
let ours: Ink;

const bundled = async (name: string, plugins: ReturnType<typeof inkPatches>): Promise<Ink> => {
	const outfile = join(folder, `${name}.mjs`);
	await build({
		stdin: {
			contents:
				"export {default as Output} from './node_modules/ink/build/output.js'; export {default as squash} from './node_modules/ink/build/squash-text-nodes.js'; export {default as lineUpdate} from './node_modules/ink/build/line-update.js'; import {tokenize, styledCharsFromTokens} from '@alcalzone/ansi-tokenize'; export const shown = row => styledCharsFromTokens(tokenize(row)).map(({value, styles}) => ({character: value, styles: styles.map(({code}) => code).sort()}));",
			resolveDir: root,
		},
		outfile,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		plugins,
	});
	return (await import(pathToFileURL(outfile).href)) as Ink;
};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'svc-tui-ink-'));
	[theirs, ours] = await Promise.all([bundled('theirs', []), bundled('ours', inkPatches(root))]);
});
afterAll(async () => {
	await rm(folder, {recursive: true, force: true});
});

const piece = fc.constantFrom(
	'a',
	'bc',
	' ',
	'  ',
	'日本',
	'👩‍👩‍👧',
	'e\u0301',
	'\u001B[31m',
	'\u001B[1;4m',
	'\u001B[0m',
	'\u001B[48;5;17m',
	'\u001B[39m',
	'│',
	'\u200B',
	'🇩🇪',
);
const text = fc.oneof(
	{weight: 6, arbitrary: fc.array(piece, {maxLength: 9}).map(parts => parts.join(''))},
	{
		weight: 1,
		arbitrary: fc.array(fc.oneof(piece, fc.constant('\n')), {maxLength: 12}).map(parts => parts.join('')),
	},
);
const place = fc.integer({min: -3, max: 14});
const operation = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({kind: fc.constant('write' as const), x: place, y: place, text, loud: fc.boolean()}),
	},
	{
		weight: 1,
		arbitrary: fc.record({kind: fc.constant('clip' as const), x1: place, x2: place, y1: place, y2: place}),
	},
	{weight: 1, arbitrary: fc.record({kind: fc.constant('unclip' as const)})},
);
// Frames are drawn again one row lower, then again unchanged, so that most texts repeat.
const frames = fc
	.array(
		fc.record({
			width: fc.integer({min: 1, max: 14}),
			height: fc.integer({min: 1, max: 6}),
			operations: fc.array(operation, {maxLength: 8}),
		}),
		{minLength: 1, maxLength: 4},
	)
	.map(some => [
		...some,
		...some.map(frame => ({
			...frame,
			operations: frame.operations.map(one => (one.kind === 'write' ? {...one, y: one.y + 1} : one)),
		})),
		...some,
	]);

type Frame = typeof frames extends fc.Arbitrary<(infer One)[]> ? One : never;
/** Codes that Ink omits. They once remained in lines that were written unchanged. */
const UNNEEDED_CODES = ['\u001B[39m', '\u001B[31m\u001B[31ma\u001B[39m', 'a \u001B[31m\u001B[39m'];
const oneText = (text: string): Frame => ({
	width: 4,
	height: 1,
	operations: [{kind: 'write' as const, x: 1, y: 0, text, loud: true}],
});

/** Converts text to upper case, but not the `m` of colour sequences. */
const upperCase = (line: string): string =>
	line.replaceAll(/\u001B\[[\d;]*m|[a-z]+/g, part => (part.startsWith('\u001B') ? part : part.toUpperCase()));

const drawn = ({Output}: Ink, {width, height, operations}: Frame) => {
	const output = new Output({width, height});
	for (const one of operations) {
		if (one.kind === 'write')
			output.write(one.x, one.y, one.text, {transformers: one.loud ? [upperCase] : []});
		else if (one.kind === 'clip') output.clip(one);
		else output.unclip();
	}
	const {output: rows, height: count} = output.get();
	// Compares cells, not bytes. Between two texts of one style, the style may end and start again,
	// or continue. The styles of a cell may also have started in another order.
	return {rows: rows.split('\n').map(theirs.shown), count};
};

test('frames are equal with cached rows and with unpatched Ink, for any overwriting, cut or width', () => {
	fc.assert(
		fc.property(frames, some => {
			for (const frame of some) expect(drawn(ours, frame)).toEqual(drawn(theirs, frame));
		}),
		{numRuns: 3000, examples: UNNEEDED_CODES.map((text): [Frame[]] => [[oneText(text)]])},
	);
});

const anyText = fc
	.array(
		fc.oneof(
			piece,
			fc.constantFrom('\r\n', '\t', '\u0007', '\u001B[2J', '\u001B]8;;x\u0007', '\u009B31m', '\u0000'),
		),
		{maxLength: 12},
	)
	.map(parts => parts.join(''));

test("the output for a changed line is Ink's own", {tags: 'short'}, () => {
	const line = fc
		.array(fc.oneof(piece, fc.constantFrom('—', '\u0007', '\u001B]8;;x\u0007')), {maxLength: 12})
		.map(parts => parts.join(''));
	fc.assert(
		fc.property(line, line, line, fc.integer({min: 1, max: 60}), (common, one, other, columns) => {
			for (const [previous, next] of [
				[common + one, common + other],
				[common + other, common + one],
			] as const)
				expect(ours.lineUpdate(previous, next, columns)).toBe(theirs.lineUpdate(previous, next, columns));
		}),
		{numRuns: 3000},
	);
});

test('a text that is cleaned once is the text that is cleaned each time', {tags: 'short'}, () => {
	fc.assert(
		fc.property(fc.array(anyText, {minLength: 1, maxLength: 4}), texts => {
			const node = {
				nodeName: 'ink-text',
				childNodes: texts.map(nodeValue => ({nodeName: '#text', nodeValue})),
			};
			for (let time = 0; time < 2; time++) expect(ours.squash(node)).toBe(theirs.squash(node));
		}),
		{numRuns: 2000},
	);
});
