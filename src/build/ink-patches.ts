// Bundle-time changes to Ink and its dependencies. Each only makes the program faster, each fails the build when its pattern is gone,
// and `SVC_BUILD=plain` builds without them. Measured in ../../shared research (ink.md 0 and 2a).
import {readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {applyPatch} from 'diff';
import type {Plugin} from 'esbuild';
import {builtinsByName} from './builtins.ts';

const patch = (name: string, filter: RegExp, change: (source: string) => string): Plugin => ({
	name,
	setup(build) {
		build.onLoad({filter}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const contents = change(source);
			if (contents === source)
				throw new Error(`${name}: the pattern is gone from ${path}; the pinned version has changed`);
			return {contents, loader: 'js'};
		});
	},
});

/** A script cannot wait: Yoga is made while its module runs, and Ink asks for no developer tools. */
export const withoutWaiting: readonly Plugin[] = [
	patch('yoga-at-once', /yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/, source =>
		source.replace(
			'wrapAssembly(await loadYoga())',
			'(yoga => {loadYoga(yoga); return wrapAssembly(yoga);})({})',
		),
	),
	patch('ink-without-devtools', /ink[\\/]build[\\/]reconciler\.js$/, source =>
		source.replaceAll(/^if \(process\.env\['DEV'\] === 'true'\) \{\n[^]*?^\}\n/gm, ''),
	),
];

/**
 * Yoga's loader calls `fetch` for its own embedded bytes, which loads undici (30 ms), decodes them one by one (5 ms) and has them compiled
 * beside, for which a start would wait.
 */
const yogaWithoutFetch = patch('yoga-without-fetch', /yoga-wasm-base64-esm\.js$/, source => {
	const ask =
		/\(function\(\)\{return w\|\|"function"!=typeof WebAssembly\.instantiateStreaming.*?\}\)\(\)\.catch\(ca\);return\{\}/;
	const bytes = 'Buffer.from(H.slice(37),"base64")';
	return source.replace(ask, `a(new WebAssembly.Instance(new WebAssembly.Module(${bytes}),d));return{}`);
});

/** Ink's own files are changed by unified diffs in `patches/`, made so that they could be sent upstream. Each applies to the pinned version only. */
const diffed = (name: string, file: string): Plugin =>
	patch(name, new RegExp(`ink[\\\\/]build[\\\\/]${file}\\.js$`), source => {
		const changed = applyPatch(
			source,
			readFileSync(join(import.meta.dirname, `patches/${file}.diff`), 'utf8'),
			{fuzzFactor: 0},
		);
		return changed === false ? source : changed;
	});

/**
 * Ink paints every frame anew, cell by cell, from tokens that it throws away. Kept are the tokens, the lines of a text, and above all whole
 * rows: what was written where makes the same row again, so a list that moved by a line paints one row. A frame costs a third, and leaves
 * few objects behind.
 */
const inkKeepsCaches = diffed('ink-keeps-caches', 'output');

/** A text is cleaned when it is measured and again when it is drawn, in every frame. */
const inkCleansOnce = diffed('ink-cleans-once', 'squash-text-nodes');

/**
 * Ink looks at every changed line of two frames for what they have in common, and takes all but ASCII apart into graphemes for it: a line
 * with a frame or a bar in it too. Ours also knows which other characters are one grapheme and one cell each.
 */
const inkRemembersLines = diffed('ink-remembers-lines', 'line-update');

/** A frame is three writes, each a call of the system: what begins it, its text, what ends it. Held back until the end they are one. */
const oneWriteAFrame = diffed('one-write-a-frame', 'ink');

/** What the diffs import of ours. */
const ownModules: Plugin = {
	name: 'own-modules',
	setup(build) {
		build.onResolve({filter: /^svc-tui:/}, ({path}) => ({
			path: join(import.meta.dirname, `${path.slice('svc-tui:'.length)}.ts`),
		}));
	},
};

/**
 * string-width compiles its emoji expressions when imported (25 ms); ours answers simple text itself and makes the original on first need.
 * widest-line asks it for the same rows again and again.
 */
const lazyStringWidth = (root: string): Plugin => ({
	name: 'lazy-string-width',
	setup(build) {
		const original = join(root, 'node_modules/string-width/index.js');
		build.onResolve({filter: /^string-width$/}, () => ({path: join(root, 'src/build/fast-string-width.ts')}));
		build.onResolve({filter: /^widest-line$/}, () => ({path: join(root, 'src/build/fast-widest-line.ts')}));
		build.onResolve({filter: /^original:string-width$/}, () => ({path: original, namespace: 'original'}));
		build.onLoad({filter: /.*/, namespace: 'original'}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const head = 'export default function stringWidth';
			if (!source.includes(head))
				throw new Error('lazy-string-width: the pattern is gone; the pinned version has changed');
			const imports = source.match(/^import .*$/gm)?.join('\n') ?? '';
			const body = source.replaceAll(/^import .*$/gm, '').replace(head, 'function stringWidth');
			return {
				contents: `${imports}\nexport const makeOriginal = () => {${body}\nreturn stringWidth;};`,
				resolveDir: join(path, '..'),
				loader: 'js',
			};
		});
	},
});

/** Three modules make an `Intl.Segmenter` when they are imported; Ink's line-update is the fourth, and its diff does this too. */
const lazySegmenters = (root: string): Plugin =>
	patch(
		'lazy-segmenters',
		/(?:wrap-ansi[\\/]index|slice-ansi[\\/]tokenize-ansi|ansi-tokenize[\\/]build[\\/]tokenize)\.js$/,
		source => {
			const made = /^const (\w+) = new Intl\.Segmenter\(.*\);$/m;
			if (!made.test(source)) return source;
			return `import {lazySegmenter} from ${JSON.stringify(join(root, 'src/build/lazy-segmenter.ts'))};\n${source.replace(made, 'const $1 = lazySegmenter;')}`;
		},
	);

export const inkPatches = (root: string): Plugin[] => [
	ownModules,
	yogaWithoutFetch,
	inkKeepsCaches,
	inkCleansOnce,
	inkRemembersLines,
	oneWriteAFrame,
	lazyStringWidth(root),
	lazySegmenters(root),
	builtinsByName,
];
