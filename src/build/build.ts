// Makes `dist/`: one ESM bundle per start path, the engine's child, its Python files and its memory snapshot. `npm ci` runs it.
import {chmod, cp, mkdir, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {existsSync, statSync} from 'node:fs';
import {basename, join} from 'node:path';
import {build, type BuildOptions, type Plugin} from 'esbuild';
import {inkPatches} from './ink-patches.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const plain = process.env['SVC_BUILD'] === 'plain';

// First the shell finds the Node that `npm ci` brought, whatever the system's is; `node dist/svc-tui` falls through to the same boot file.
// A small young generation costs no time here and saves 8 MB in the screens, one arena of malloc for all threads another 5; boot.ts keeps the
// latter from what we start (01, not 1: ours, not the user's).
const launcher = `#!/bin/sh
':' //; self=$0; [ -L "$self" ] && self=$(readlink -f "$self"); here=\${self%/*}; node="$here/../node_modules/node/bin/node"; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-01}"; exec "$node" --max-semi-space-size=4 "$here/boot.js" "$@"
import('./boot.js');
`;

/** Ink imports react-devtools-core only when DEV is set; it is not installed. */
const withoutDevtools: Plugin = {
	name: 'without-devtools',
	setup({onResolve, onLoad}) {
		onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'nothing'}));
		onLoad({filter: /.*/, namespace: 'nothing'}, () => ({contents: 'export default {};'}));
	},
};

/** What the start loads later stays a file of its own, made by the second pass. */
const laterFiles: Plugin = {
	name: 'later-files',
	setup({onResolve}) {
		onResolve({filter: /^\.\.?\//}, ({path, kind, importer}) => (kind === 'dynamic-import' && importer.startsWith(join(root, 'src')) ? {path: `./${basename(path).replace(/\.tsx?$/, '.js')}`, external: true} : undefined));
	},
};

const options = {
	outdir: dist,
	bundle: true,
	write: false,
	format: 'esm',
	platform: 'node',
	target: 'node24',
	jsx: 'automatic',
	minify: true,
	legalComments: 'none',
	logLevel: 'warning',
	define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
	banner: {js: 'import {createRequire as __createRequire} from "node:module";const require=__createRequire(import.meta.url);'},
	external: ['pyodide'],
} as const satisfies BuildOptions;
const patches = plain ? [] : inkPatches(root);

await mkdir(dist, {recursive: true});
// Two passes: what stands between the start and the first frame is one file each, since every file more costs half a millisecond.
const passes = await Promise.all([
	build({...options, entryPoints: ['src/boot.ts', 'src/main.tsx'].map(file => join(root, file)), plugins: [withoutDevtools, laterFiles, ...patches]}),
	build({
		...options,
		entryPoints: [
			'src/main-command.ts',
			'src/engines/pyodide/engine.ts',
			'src/api/client.ts',
			'src/launch/attach-local.ts',
			'src/api/read-only.ts',
			'src/settings/target.ts',
			'src/settings/profile-store.ts',
			'src/settings/paths.ts',
			'src/open-address.ts',
			'src/store/drafts.ts',
			'src/text/markdown.ts',
			'src/store/assistant-keep.ts',
			'src/settings/conversation-files.ts',
			'src/settings/draft-files.ts',
			'src/store/picture-worker.ts', 'src/store/kept-cells.ts', 'src/settings/cell-journal.ts', 'src/settings/new-file.ts',
			'src/external-editor.ts', 'src/settings/edit-copies.ts',
			'src/text/highlight.ts',
			'src/text/diff-lines.ts',
			'src/api/transfer.ts',
			'src/settings/local-file.ts',
		].map(file => ({in: join(root, file), out: basename(file, '.ts')})),
		splitting: true,
		chunkNames: 'chunk-[hash]',
		plugins: patches,
	}),
]);
const outputFiles = passes.flatMap(pass => pass.outputFiles);
// Written beside and renamed, so that a program that starts now reads the old file or the new one.
for (const {path, contents} of outputFiles) {
	await writeFile(`${path}.new`, contents);
	await rename(`${path}.new`, path);
}
const made = new Set(outputFiles.map(({path}) => basename(path)));
for (const name of await readdir(dist)) if (name.endsWith('.js') && !made.has(name)) await rm(join(dist, name));
const pyodide = join(root, 'src/engines/pyodide');
for (const folder of [pyodide, join(root, 'src/engines/jupyter')]) for (const name of await readdir(folder)) if (name.endsWith('.py')) await cp(join(folder, name), join(dist, name));
await cp(join(root, 'src/service/catalogue/market.json'), join(dist, 'market.json'));
await cp(join(root, 'src/service/welcome'), join(dist, 'welcome'), {recursive: true});
await writeFile(join(dist, 'svc-tui'), launcher);
await chmod(join(dist, 'svc-tui'), 0o755);

const snapshot = join(dist, 'pyodide.snapshot');
const madeFrom = [join(pyodide, 'snapshot.ts'), join(root, 'node_modules/pyodide/package.json')];
const isCurrent = existsSync(snapshot) && madeFrom.every(file => statSync(file).ctimeMs < statSync(snapshot).mtimeMs);
if (plain) await rm(snapshot, {force: true});
else if (!isCurrent) {
	const {makeSnapshot} = await import('../engines/pyodide/snapshot.ts');
	await makeSnapshot(snapshot);
}
