// Builds `dist/`: one ESM bundle per entry point, the engine's child process with its Python files
// and memory snapshot, licences, manual page. `npm ci` runs this file.
import {createHash} from 'node:crypto';
import {chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {existsSync, statSync} from 'node:fs';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build, type BuildOptions, type Plugin} from 'esbuild';
import external from './external.json' with {type: 'json'};
import {inkPatches, withoutWaiting} from './ink-patches.ts';
import {writeKeyTable} from './key-table.ts';
import {licences} from './licences.ts';
import {manPage} from './man-page.ts';
import {makeCommandsCode, makeScreensCode} from './compiled-code.ts';
import {buildScript, loadsScripts} from './scripts.ts';
import {beginStamp} from './stamp.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const plain = process.env['SVC_BUILD'] === 'plain';

// The launcher looks for Node in this order: npm's optional dependency, Homebrew (which may not be
// on the PATH), the PATH. The dependency is below this package, or beside it in a project with
// other packages. It needs glibc. Its architecture is derived from glibc's loader, because a folder
// copied from another machine may contain Node for several architectures. `node dist/svc-tui` also
// works: it executes the last line only, which loads the same boot file.
// A small young generation does not slow the program down and saves 12 MB in the screens. One
// malloc arena for all threads saves 5 MB more. boot.ts removes that variable, so that child
// processes do not inherit it; the value 01 instead of 1 shows that the launcher has set it.
// The SIGUSR1 flag is needed because the signal would open Node's inspector, even before boot.ts
// handles it. The system's Node gets no such flag: an older version would reject it, and could not
// report which version is needed.
const launcher = `#!/bin/sh
':' //; self=$0; [ -L "$self" ] && self=$(readlink -f "$self"); here=\${self%/*}; ${[
	'wall=--disable-sigusr1; arch=',
	'[ -e /lib64/ld-linux-x86-64.so.2 ] && arch=x64',
	'[ -e /lib/ld-linux-aarch64.so.1 ] && case "$arch-$(uname -m)" in x64-x86_64) ;; *) arch=arm64 ;; esac',
	'for node in "$here"/../node_modules/node-linux-$arch/bin/node "${here%/node_modules/svc-tui/dist}"/node_modules/node-linux-$arch/bin/node; do [ -x "$node" ] && break; done',
	'[ -x "$node" ] || { wall=; node=node; for keg in /opt/homebrew /usr/local; do [ -x "$keg/opt/node@24/bin/node" ] && node=$keg/opt/node@24/bin/node; done; }',
	'command -v "$node" >/dev/null || { echo "svc-tui needs Node 24.21 or newer and finds none: https://nodejs.org/en/download" >&2; exit 127; }',
	'export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-01}"',
	'exec "$node" $wall --max-semi-space-size=2 "$here/boot.js" "$@"',
].join('; ')}
import('./boot.js');
`;

/** Replaces react-devtools-core, which is not installed. Ink imports it only if DEV is set. */
const withoutDevtools: Plugin = {
	name: 'without-devtools',
	setup({onResolve, onLoad}) {
		onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'nothing'}));
		onLoad({filter: /.*/, namespace: 'nothing'}, () => ({contents: 'export default {};'}));
	},
};

/**
 * Leaves modules that are loaded after the start in their own files, which the second pass builds.
 */
const laterFiles: Plugin = {
	name: 'later-files',
	setup({onResolve}) {
		onResolve({filter: /^\.\.?\//}, ({path, kind, importer}) =>
			kind === 'dynamic-import' && importer.startsWith(join(root, 'src'))
				? {path: `./${basename(path).replace(/\.tsx?$/, '.js')}`, external: true}
				: undefined,
		);
	},
};

/**
 * Puts the MCP SDK into its own bundle, without ajv, which it would only use to validate replies.
 */
const SDK = join(root, 'src/cli/mcp/sdk.ts');
const sdkApart: Plugin = {
	name: 'sdk-apart',
	setup({onResolve}) {
		onResolve({filter: /\/sdk\.ts$/}, ({path, resolveDir}) =>
			join(resolveDir, path) === SDK ? {path: './mcp-sdk.js', external: true} : undefined,
		);
	},
};
const withoutAjv: Plugin = {
	name: 'without-ajv',
	setup({onLoad}) {
		onLoad({filter: /[/\\]validation[/\\]ajv-provider\.js$/}, () => ({
			contents: 'export class AjvJsonSchemaValidator {}',
		}));
	},
};

/**
 * Puts the code for metrics and its library into their own file, because most services need no
 * metrics.
 */
const metricsApart: Plugin = {
	name: 'metrics-apart',
	setup({onResolve}) {
		onResolve({filter: /\/metrics\.ts$/}, () => ({path: './metrics.js', external: true}));
	},
};

const options = {
	absWorkingDir: root,
	outdir: dist,
	metafile: true,
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
	banner: {
		js: 'import {createRequire as __createRequire} from "node:module";const require=__createRequire(import.meta.url);',
	},
	external,
	// The package's main file is UMD, from which a bundler cannot remove unused parts.
	alias: {'jsonc-parser': 'jsonc-parser/lib/esm/main.js'},
} as const satisfies BuildOptions;
const patches = plain ? [] : inkPatches(root);

const writeStamp = beginStamp(root);
await mkdir(dist, {recursive: true});
// All code up to the first frame is in one file, because each further file costs half a
// millisecond.
const passes = await Promise.all([
	build({
		...options,
		entryPoints: ['src/app/boot.ts', 'src/app/mcp-worker.ts', ...(plain ? ['src/app/main.tsx'] : [])].map(
			file => join(root, file),
		),
		plugins: [withoutDevtools, laterFiles, ...(plain ? [] : [loadsScripts(root)]), ...patches],
	}),
	...(plain
		? []
		: [
				buildScript('screens', join(root, 'src/app/main.tsx'), {
					...options,
					plugins: [laterFiles, ...withoutWaiting, ...patches],
				}),
				buildScript('commands', join(root, 'src/app/main-command.ts'), {
					...options,
					plugins: [sdkApart, ...patches],
				}),
				buildScript('service', join(root, 'src/app/serve.ts'), {
					...options,
					plugins: [metricsApart, ...patches],
				}),
			]),
	build({
		...options,
		entryPoints: [
			...(plain ? ['src/app/main-command.ts', 'src/app/serve.ts'] : []),
			'src/engines/pyodide/engine.ts',
			...(plain ? [] : ['src/engines/pyodide/snapshot.ts']),
			'src/api/browser-sign-in.ts',
			'src/api/client.ts',
			'src/api/key-page.ts',
			'src/api/jobs/read-jobs.ts',
			'src/api/kernel-data/kernel-data.ts',
			'src/api/search/search-files.ts',
			'src/launch/attach-local.ts',
			'src/launch/retained.ts',
			'src/api/read-only.ts',
			'src/settings/target.ts',
			'src/settings/profile-store.ts',
			'src/machine/paths.ts',
			'src/settings/json-text.ts',
			'src/app/open-address.ts',
			'src/app/open-picture.ts',
			'src/app/open-page.ts',
			'src/app/ssh-sign-in.ts',
			'src/tui/core/store/persist-drafts.ts',
			'src/machine/gc.ts',
			'src/text/figure/page.ts',
			'src/text/markdown/markdown.ts',
			'src/tui/assistant/persist-conversations.ts',
			'src/tui/assistant/work-runner.ts',
			'src/storage/tasks.ts',
			'src/storage/conversations.ts',
			'src/storage/drafts.ts',
			'src/tui/pictures/picture-worker.ts',
			'src/tables/table-worker.ts',
			'src/tables/sqlite-process.ts',
			'src/tables/read-sqlite-file.ts',
			'src/tui/repl/restore-cells.ts',
			'src/storage/cell-journal.ts',
			'src/app/probe-pictures.ts',
			'src/app/overlay.ts',
			'src/app/placed-pictures.ts',
			'src/app/external-editor.ts',
			'src/app/here-option.ts',
			'src/tui/servers/costs/record-observations.ts',
			'src/app/shell.ts',
			'src/service/metrics/metrics.ts',
			'src/service/http/body-worker.ts',
			'src/storage/unsaved-edits.ts',
			'src/storage/recovery-copy.ts',
			'src/text/python/highlight.ts',
			'src/text/columns/diff-lines.ts',
			'src/text/notebook/cell-diff.ts',
			'src/api/transfer.ts',
			'src/machine/local-file.ts',
			'src/machine/download-folder.ts',
		].map(file => ({in: join(root, file), out: basename(file, '.ts')})),
		splitting: true,
		chunkNames: 'chunk-[hash]',
		plugins: [sdkApart, ...patches],
	}),
	build({...options, entryPoints: [{in: SDK, out: 'mcp-sdk'}], plugins: [withoutAjv]}),
]);
const outputFiles = passes.flatMap(pass => pass.outputFiles);
// Written under another name, then renamed, so that a concurrent start reads either the old or the
// new file.
for (const {path, contents} of outputFiles) {
	await writeFile(`${path}.new`, contents);
	await rename(`${path}.new`, path);
}
// Build id for `--version`, so that a bug report names the build.
const hash = createHash('sha256');
for (const {contents} of outputFiles.toSorted((one, other) => one.path.localeCompare(other.path)))
	hash.update(contents);
await writeFile(join(dist, 'build-id'), hash.digest('hex').slice(0, 8));
const made = new Set(outputFiles.map(({path}) => basename(path)));
// Base names must be unique, because files that are loaded late are found by them.
if (made.size !== outputFiles.length) throw new Error('two files of dist/ have one name');
for (const {path, text} of outputFiles)
	for (const [, name = ''] of text.matchAll(/\bimport\("\.\/([\w-]+\.js)"\)/g))
		if (!made.has(name)) throw new Error(`${basename(path)} loads ${name}, which no entry point makes`);
for (const name of await readdir(dist))
	if (/\.c?js$/.test(name) && !made.has(name)) await rm(join(dist, name));
const pyodide = join(root, 'src/engines/pyodide');
for (const folder of [
	pyodide,
	...['engines/jupyter', 'api/kernel-data', 'api/search'].map(name => join(root, 'src', name)),
])
	for (const name of await readdir(folder))
		if (name.endsWith('.py')) await cp(join(folder, name), join(dist, name));
await cp(join(root, 'src/engines/jupyter/kept-channels'), join(dist, 'kept-channels'), {
	recursive: true,
	filter: source => !source.endsWith('__pycache__'),
});
await cp(join(root, 'src/engines/ssh/ssh-scripts'), join(dist, 'ssh-scripts'), {recursive: true});
await cp(join(root, 'src/service/catalogue/offers.json'), join(dist, 'offers.json'));
await cp(join(root, 'src/service/http/openapi.json'), join(dist, 'openapi.json'));
await cp(join(root, 'src/service/local/welcome'), join(dist, 'welcome'), {recursive: true});
// Font of SVG pictures.
const font = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
await cp(font, join(dist, basename(font)));
await writeFile(
	join(dist, 'licences.txt'),
	await licences(
		root,
		passes.map(({metafile}) => metafile),
		['node_modules/dejavu-fonts-ttf'],
	),
);
const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {version: string};
await writeKeyTable(root, dist, {...options, plugins: [withoutDevtools, ...patches]});
await writeFile(join(dist, 'svc-tui.1'), manPage(version));
await writeFile(join(dist, 'svc-tui'), launcher);
await chmod(join(dist, 'svc-tui'), 0o755);

const snapshot = join(dist, 'pyodide.snapshot');
const madeFrom = [join(pyodide, 'snapshot.ts'), join(root, 'node_modules/pyodide/package.json')];
const isCurrent =
	existsSync(snapshot) && madeFrom.every(file => statSync(file).ctimeMs < statSync(snapshot).mtimeMs);
if (!isCurrent) {
	const {makeSnapshot} = await import('../engines/pyodide/snapshot.ts');
	await makeSnapshot(snapshot);
}
if (!plain) await Promise.all([makeScreensCode(dist), makeCommandsCode(dist)]);
writeStamp();
