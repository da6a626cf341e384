import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from 'vitest';
import {builtinText} from '../../src/build/builtins.ts';
import {newHome, openProgram} from '../support/program.ts';

/** Modules that take a millisecond or more to load. */
const NOT_YET = [
	'child_process',
	'crypto',
	'dns',
	'fs/promises',
	'http',
	'http2',
	'https',
	'internal/fs/promises',
	'readline',
	'tls',
	'v8',
	'worker_threads',
	'zlib',
];

const loaded = async (text: string): Promise<Readonly<Record<string, unknown>>> =>
	(await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Readonly<Record<string, unknown>>;

test("none of Node's modules for the network, processes, ciphers, the heap or asynchronous files is loaded before the first frame", async () => {
	await using home = await newHome();
	const file = join(home.folder, 'loaded');
	const hook = pathToFileURL(join(import.meta.dirname, '../support/modules-of-first-frame.ts'));
	await using terminal = await openProgram({
		home,
		env: {NODE_OPTIONS: `--import=${hook.href}`, LOADED_FILE: file},
	});
	await terminal.until('welcome');
	const names = (await readFile(file, 'utf8')).split('\n').map(line => line.replace(/^NativeModule /, ''));
	// The list contains the modules that the frame needs.
	expect(names).toContain('tty');
	expect(names.filter(name => NOT_YET.includes(name))).toEqual([]);
});

test('the schema library is in no bundle that the first frame waits for', async () => {
	const dist = join(import.meta.dirname, '../../dist');
	const bundles = (await readdir(dist)).filter(name => /\.c?js$/.test(name));
	const texts = await Promise.all(bundles.map(name => readFile(join(dist, name), 'utf8')));
	// A bundle with schemas contains this property. Bundling may rename the other names.
	const holding = bundles.filter((_, index) => /\._zod\b/.test(texts[index] ?? ''));
	expect(holding).not.toEqual([]);
	expect(bundles).toEqual(expect.arrayContaining(['boot.js', 'screens.cjs']));
	expect(holding.filter(name => ['boot.js', 'screens.cjs'].includes(name))).toEqual([]);
});

test.each(['crypto', 'fs', 'http', 'path'])(
	'every name of node:%s is there when it is taken by name',
	async name => {
		const module = process.getBuiltinModule(name) as unknown as Readonly<Record<string, unknown>>;
		const ours = await loaded(builtinText(name));
		expect(Object.keys(ours).sort()).toEqual(['default', ...Object.keys(module)].sort());
		for (const key of Object.keys(module)) expect([key, typeof ours[key]]).toEqual([key, typeof module[key]]);
	},
);

test('a module imported by name and called late works as the module itself', async () => {
	const ours = (await loaded(builtinText('crypto'))) as unknown as typeof import('node:crypto') & {
		readonly default: typeof import('node:crypto');
	};
	const {createHash} = process.getBuiltinModule('crypto');
	const hash = createHash('sha256').update('text').digest('hex');
	expect(ours.createHash('sha256').update('text').digest('hex')).toBe(hash);
	expect(ours.default.createHash('sha256').update('text').digest('hex')).toBe(hash);
});
