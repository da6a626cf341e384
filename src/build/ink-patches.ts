// Bundle-time changes to Ink's dependencies. Each only makes the program faster, each fails the build when its pattern is gone,
// and `SVC_BUILD=plain` builds without them. Measured in ../../shared research (ink.md 0 and 2a).
import {readFile} from 'node:fs/promises';
import {builtinModules} from 'node:module';
import {join} from 'node:path';
import type {Plugin} from 'esbuild';

const patch = (name: string, filter: RegExp, change: (source: string) => string): Plugin => ({
	name,
	setup(build) {
		build.onLoad({filter}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const contents = change(source);
			if (contents === source) throw new Error(`${name}: the pattern is gone from ${path}; the pinned version has changed`);
			return {contents, loader: 'js'};
		});
	},
});

/** Yoga's loader calls `fetch` for its own embedded bytes, which loads undici (30 ms), and decodes them one by one (5 ms). */
const yogaWithoutFetch = patch('yoga-without-fetch', /yoga-wasm-base64-esm\.js$/, source => {
	const decode = 'var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c';
	if (source.split('"function"!=typeof fetch').length < 3 || !source.includes(decode)) return source;
	return source.replaceAll('"function"!=typeof fetch', 'true').replace(decode, 'var d=Buffer.from(a.slice(37),"base64")');
});

/**
 * Ink paints every frame anew, cell by cell, from tokens that it throws away. Kept are the tokens, the lines of a text, and above all whole
 * rows: what was written where makes the same row again, so a list that moved by a line paints one row. A frame costs a third, and leaves
 * few objects behind. The bounds hold a few screens: tokens are objects, and dear.
 */
const inkKeepsCaches = patch('ink-keeps-caches', /ink[\\/]build[\\/]output\.js$/, source => {
	const changes: readonly (readonly [string, string])[] = [
		['caches = new OutputCaches();', 'caches = keptCaches();'],
		['export default class Output', `const kept = new OutputCaches();
const keptCaches = () => {
	for (const [name, most] of [['styledChars', 400], ['lines', 1000], ['rows', 1000], ['blockWidths', 1000], ['widths', 5000], ['cells', 1000]]) if (kept[name].size > most) kept[name] = new Map();
	return kept;
};
export default class Output`],
		['    styledChars = new Map();', '    styledChars = new Map();\n    lines = new Map();\n    rows = new Map();\n    cells = new Map();'],
		['    getWidestLine(text) {', `    getCells(line) {
        let cells = this.cells.get(line);
        if (cells === undefined) {
            const {text, isSimple} = plainLine(line);
            cells = isSimple ? text.length : this.getStyledChars(line).reduce((sum, {value}) => sum + Math.max(1, this.getStringWidth(value)), 0);
            this.cells.set(line, cells);
        }
        return cells;
    }
    getWidestLine(text) {`],
		["import stringWidth from 'string-width';", `import stringWidth from 'string-width';\nimport {plainLine} from ${JSON.stringify(join(import.meta.dirname, 'plain-line.ts'))};`],
		['        const characterLines = [[]];', '        let lines = this.caches.lines.get(text);\n        if (lines === undefined) {\n        const characterLines = [[]];'],
		['        let lines = characterLines.map(line => styledCharsToString(line));', '        lines = characterLines.map(line => styledCharsToString(line));\n        this.caches.lines.set(text, lines);\n        }'],
		['                    return this.sliceLineToColumns(line, from, to);', '                    return from === 0 && to === width ? line : this.sliceLineToColumns(line, from, to);'],
		// A write is noted in its row. Where a row's writes stand one behind the other, which is everywhere but under a dialog, the row is
		// these with spaces between: each ends its own styles. Else the rest of the method paints it, when the row is not known.
		['            for (const transformer of transformers) {', '            const own = line;\n            for (const transformer of transformers) {'],
		['            const characters = this.caches.getStyledChars(line);', `            currentLine.push([x, line, line === own]);
        }
    }
    joined(writes) {
        let text = '';
        let end = 0;
        for (const [x, line, isClosed] of writes.toSorted((one, other) => one[0] - other[0])) {
            if (line === '') continue;
            if (!isClosed || x < end) return undefined;
            text += ' '.repeat(x - end) + line;
            end = x + this.caches.getCells(line);
            if (end > this.width) return undefined;
        }
        return text.trimEnd();
    }
    paint(currentLine, x, line) {
        for (const _ of [0]) {
            const characters = this.caches.getStyledChars(line);`],
		['            const row = [];\n', '            output.push([]);\n        }\n        const blankRow = () => {\n            const row = [];\n'],
		['            output.push(row);', '            return row;'],
		['        }\n        const clips = [];', '        };\n        const clips = [];'],
		['            .map(line => {\n', `            .map(writes => {
            const joined = this.joined(writes);
            if (joined !== undefined) return joined;
            let key = String(this.width);
            for (const [x, text] of writes) key += '\\u0000' + x + '\\u0000' + text;
            const known = this.caches.rows.get(key);
            if (known !== undefined) return known;
            const line = blankRow();
            for (const [x, text] of writes) this.paint(line, x, text);
`],
		['            return styledCharsToString(lineWithoutEmptyItems).trimEnd();', '            const painted = styledCharsToString(lineWithoutEmptyItems).trimEnd();\n            this.caches.rows.set(key, painted);\n            return painted;'],
	];
	return changes.every(([old]) => source.split(old).length === 2) ? changes.reduce((text, [old, next]) => text.replace(old, () => next), source) : source;
});

/** A text is cleaned when it is measured and again when it is drawn, in every frame. */
const inkCleansOnce = patch('ink-cleans-once', /ink[\\/]build[\\/]squash-text-nodes\.js$/, source => {
	const cleans = "text = sanitizeAnsi(text.replaceAll('\\r\\n', '\\n'));";
	const begin = 'const squashTextNodes = (node) => {';
	if (source.split(cleans).length !== 2 || source.split(begin).length !== 2) return source;
	return source.replace(cleans, 'text = cleaned(text);').replace(begin, () => `let known = new Map();
const cleaned = text => {
	let clean = known.get(text);
	if (clean === undefined) {
		clean = sanitizeAnsi(text.replaceAll('\\r\\n', '\\n'));
		if (known.size >= 1000) known = new Map();
		known.set(text, clean);
	}
	return clean;
};
${begin}`);
});

type Change = readonly [string, string];

/** Each pattern stands there exactly once. */
const changed = (source: string, changes: readonly Change[]): string => changes.reduce((text, [old, next]) => {
	if (text.split(old).length !== 2) throw new Error(`the pattern ${JSON.stringify(old)} is gone; the pinned version has changed`);
	return text.replace(old, () => next);
}, source);

/** Ink keeps the widths of texts where it measures them, and works them out again where it draws them. */
const inkRemembersWidths = patch('ink-remembers-widths', /ink[\\/]build[\\/]render-node-to-output\.js$/, source => changed(source, [
	["import widestLine from 'widest-line';", "import measureText from './measure-text.js';"],
	['widestLine(text)', 'measureText(text).width'],
]));

/**
 * Ink looks at every changed line of two frames for what they have in common, and takes all but ASCII apart into graphemes for it: a line
 * with a frame or a bar in it too. Ours also knows which other characters are one grapheme and one cell each.
 */
const inkRemembersLines = patch('ink-remembers-lines', /ink[\\/]build[\\/]line-update\.js$/, source => changed(source, [
	["import stringWidth from 'string-width';", `import stringWidth from 'string-width';\nimport {plainLine} from ${JSON.stringify(join(import.meta.dirname, 'plain-line.ts'))};`],
	["const previousText = previous.replaceAll(sgr, '');", 'const {text: previousText, isSimple: wasSimple} = plainLine(previous);'],
	["const nextText = next.replaceAll(sgr, '');", 'const {text: nextText, isSimple, codes} = plainLine(next);'],
	['if (control.test(previousText) || control.test(nextText)) {', 'if ((!wasSimple && control.test(previousText)) || (!isSimple && control.test(nextText))) {'],
	['    const codes = [...next.matchAll(sgr)];\n', ''],
	['printableAscii.test(previousText) && printableAscii.test(nextText)', 'wasSimple && isSimple'],
	['stringWidth(previousText.slice(textLength))', '(wasSimple ? previousText.length - textLength : stringWidth(previousText.slice(textLength)))'],
	['stringWidth(nextText.slice(textLength))', '(isSimple ? nextText.length - textLength : stringWidth(nextText.slice(textLength)))'],
]));

/** string-width compiles its emoji expressions when imported (25 ms); ours answers simple text itself and makes the original on first need. */
const lazyStringWidth = (root: string): Plugin => ({
	name: 'lazy-string-width',
	setup(build) {
		const original = join(root, 'node_modules/string-width/index.js');
		build.onResolve({filter: /^string-width$/}, () => ({path: join(root, 'src/build/fast-string-width.ts')}));
		build.onResolve({filter: /^original:string-width$/}, () => ({path: original, namespace: 'original'}));
		build.onLoad({filter: /.*/, namespace: 'original'}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const head = 'export default function stringWidth';
			if (!source.includes(head)) throw new Error('lazy-string-width: the pattern is gone; the pinned version has changed');
			const imports = source.match(/^import .*$/gm)?.join('\n') ?? '';
			const body = source.replaceAll(/^import .*$/gm, '').replace(head, 'function stringWidth');
			return {contents: `${imports}\nexport const makeOriginal = () => {${body}\nreturn stringWidth;};`, resolveDir: join(path, '..'), loader: 'js'};
		});
	},
});

/** A frame is three writes, each a call of the system: what begins it, its text, what ends it. Held back until the end they are one. */
const oneWriteAFrame = patch('one-write-a-frame', /ink[\\/]build[\\/]ink\.js$/, source => {
	const start = source.indexOf('this.throttledLog = isUnthrottled');
	const end = source.indexOf('this.isUnmounted = false;', start);
	const frame = source.slice(start, end);
	const begins = 'this.options.stdout.write(bsu);';
	const ends = 'this.options.stdout.write(esu);';
	if (start < 0 || frame.split(begins).length !== 2 || frame.split(ends).length !== 2) return source;
	const changed = frame.replace(begins, `this.options.stdout.cork();\n${begins}`).replace(ends, `${ends}\nthis.options.stdout.uncork();`);
	return source.slice(0, start) + changed + source.slice(end);
});

/** Four modules make an `Intl.Segmenter` when they are imported. */
const lazySegmenters = (root: string): Plugin => patch('lazy-segmenters', /(?:wrap-ansi[\\/]index|slice-ansi[\\/]tokenize-ansi|ansi-tokenize[\\/]build[\\/]tokenize|ink[\\/]build[\\/]line-update)\.js$/, source => {
	const made = /^const (\w+) = new Intl\.Segmenter\(.*\);$/m;
	if (!made.test(source)) return source;
	return `import {lazySegmenter} from ${JSON.stringify(join(root, 'src/build/lazy-segmenter.ts'))};\n${source.replace(made, 'const $1 = lazySegmenter;')}`;
});

/**
 * An `import` of a Node module makes a facade that reads every export, and those that Node loads lazily with it: `node:fs` its streams,
 * `node:http` all of undici. Taken with `getBuiltinModule`, only what is used is loaded.
 */
const builtinsAsTheyAre: Plugin = {
	name: 'builtins-as-they-are',
	setup({onResolve, onLoad}) {
		const names = new Set(builtinModules);
		onResolve({filter: /^[a-z_:/]+$/}, ({path, kind}) => {
			const name = path.replace(/^node:/, '');
			if (kind !== 'import-statement' || !(names.has(name) || names.has(path))) return undefined;
			return {path: names.has(name) ? name : path, namespace: 'builtin'};
		});
		onLoad({filter: /.*/, namespace: 'builtin'}, ({path}) => ({contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`}));
	},
};

export const inkPatches = (root: string): Plugin[] => [yogaWithoutFetch, inkKeepsCaches, inkCleansOnce, inkRemembersWidths, inkRemembersLines, oneWriteAFrame, lazyStringWidth(root), lazySegmenters(root), builtinsAsTheyAre];
