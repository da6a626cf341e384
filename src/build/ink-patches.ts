// Changes to Ink and its dependencies in the bundle. Each change only makes the program faster. The
// build fails if the code to change is not found. `SVC_BUILD=plain` builds without the changes.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {applyPatch} from 'diff';
import type {Plugin} from 'esbuild';
import {builtinsByName} from './builtins.ts';

const patch = (name: string, filter: RegExp, change: (source: string) => string): Plugin => ({
	name,
	setup(build) {
		build.onLoad({filter}, ({path}) => {
			const source = readFileSync(path, 'utf8');
			const contents = change(source);
			if (contents === source)
				throw new Error(`${name}: the pattern is gone from ${path}; the pinned version has changed`);
			return {contents, loader: 'js'};
		});
	},
});

/**
 * Changes for a script, which cannot use top-level `await`: Yoga is created synchronously, and the
 * developer tools are removed.
 */
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
 * Replaces Yoga's loader. It calls `fetch` for its own embedded bytes, which loads undici (30 ms).
 * Then it decodes them one by one (5 ms), and compiles them in another thread, which delays the
 * start.
 */
const yogaWithoutFetch = patch('yoga-without-fetch', /yoga-wasm-base64-esm\.js$/, source => {
	const ask =
		/\(function\(\)\{return w\|\|"function"!=typeof WebAssembly\.instantiateStreaming.*?\}\)\(\)\.catch\(ca\);return\{\}/;
	const bytes = 'Buffer.from(H.slice(37),"base64")';
	return source.replace(ask, `a(new WebAssembly.Instance(new WebAssembly.Module(${bytes}),d));return{}`);
});

/**
 * Applies a unified diff from `patches/` to one of Ink's files. The diffs could be sent to Ink's
 * authors. Each applies to the pinned version only.
 */
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
 * Ink paints each frame from scratch, cell by cell, from tokens that it discards. This diff caches
 * the tokens, the lines of a text and, most important, whole rows. Equal writes make an equal row,
 * so a list that moved by one line paints only one row. A frame then takes a third of the time, and
 * leaves few objects to collect.
 */
const inkKeepsCaches = diffed('ink-keeps-caches', 'output');

/** Ink cleans each text twice in every frame: to measure it, and to draw it. */
const inkCleansOnce = diffed('ink-cleans-once', 'squash-text-nodes');

/**
 * Ink compares each changed line of two frames. It splits lines that are not ASCII into graphemes,
 * even lines with only a border or a bar. This diff also recognises other characters that are one
 * grapheme of one cell.
 */
const inkRemembersLines = diffed('ink-remembers-lines', 'line-update');

/** Ink writes a frame in three system calls: start, text and end. This diff joins them. */
const oneWriteAFrame = diffed('one-write-a-frame', 'ink');

/** Modules of this program that the diffs import. */
const ownModules: Plugin = {
	name: 'own-modules',
	setup(build) {
		build.onResolve({filter: /^svc-tui:/}, ({path}) => ({
			path: join(import.meta.dirname, `${path.slice('svc-tui:'.length)}.ts`),
		}));
	},
};

/**
 * Replaces string-width, which compiles its emoji expressions on import (25 ms), and widest-line,
 * which measures the same rows repeatedly.
 */
const lazyStringWidth = (root: string): Plugin => ({
	name: 'lazy-string-width',
	setup(build) {
		const original = join(root, 'node_modules/string-width/index.js');
		build.onResolve({filter: /^string-width$/}, () => ({path: join(root, 'src/build/fast-string-width.ts')}));
		build.onResolve({filter: /^widest-line$/}, () => ({path: join(root, 'src/build/fast-widest-line.ts')}));
		build.onResolve({filter: /^original:string-width$/}, () => ({path: original, namespace: 'original'}));
		build.onLoad({filter: /.*/, namespace: 'original'}, ({path}) => {
			const source = readFileSync(path, 'utf8');
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

/**
 * Changes three modules that create an `Intl.Segmenter` on import. Ink's line-update is changed by
 * a diff instead.
 */
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
