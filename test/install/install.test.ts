// @module-tag long
import {execFile} from 'node:child_process';
import {cpSync, existsSync, readdirSync, statSync} from 'node:fs';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {delimiter, dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome} from '../support/program.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {openTerminal} from '../support/terminal.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
/**
 * Limits in bytes of the archive, and of the installed files without Node: half of the sizes before
 * the code was bundled.
 */
const ARCHIVE_LIMIT = 4_200_000;
const INSTALLED_LIMIT = 39_000_000;

const execute = promisify(execFile);

/** PATH as a user has it. While npm runs the tests, PATH starts with this repository's Node. */
const systemPath = (process.env['PATH'] ?? '')
	.split(delimiter)
	.filter(entry => !/node_modules\/|node-gyp-bin/.test(entry))
	.join(delimiter);

const PATHS = {
	"the system's Node": systemPath,
	'Node 24': [dirname(process.execPath), systemPath].join(delimiter),
} as const;

/** Runs npm with this machine's settings. Returns the output. */
const npm = async (path: string, ...args: readonly string[]): Promise<string> => {
	const {stdout} = await execute('npm', [...args], {cwd: REPOSITORY, env: {...process.env, PATH: path}});
	return stdout;
};

type Pack = {
	readonly filename: string;
	readonly size: number;
	readonly files: readonly {readonly path: string}[];
};

const pack = async (folder: string): Promise<Pack & {readonly archive: string}> => {
	// The pack script is skipped: other tests use this build, so nothing may rebuild it now.
	const printed = await npm(systemPath, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
	const found = Object.values(JSON.parse(printed) as Record<string, Pack>)[0]!;
	return {...found, archive: join(folder, found.filename)};
};

const bytesBelow = (folder: string): number =>
	readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Starts the welcome server and runs a cell, like a new user. */
const runFirstCell = async (program: string, path: string): Promise<void> => {
	await using home = await newHome();
	const env = {...home.env, PATH: path};
	await using terminal = await openTerminal({command: [program], env, cwd: home.folder});
	await terminal.until('to start welcome');
	terminal.press('s');
	await terminal.until('Start welcome?');
	terminal.press('y');
	await terminal.until(/welcome \S ready/);
	terminal.press('5');
	await terminal.until('>>>');
	terminal.type('6 * 7\r');
	await terminal.until(/\[1\] [^]*→ +42/);
	// While the cell runs, Esc applies to the cell.
	await terminal.gone(/esc (?:stop waiting|interrupt)/);
	terminal.press('esc');
	await terminal.until('esc servers');
	terminal.press('q');
	await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
};

const packFolder = tempFolder();
let packed: Awaited<ReturnType<typeof pack>>;
beforeAll(async () => {
	packed = await pack(packFolder.path);
});
afterAll(() => packFolder[Symbol.dispose]());

test('the archive holds the program, its licences and its manual page, and nothing else', () => {
	const {files, size} = packed;
	const paths = files.map(({path}) => path);
	// The pages that `svc-tui help` prints.
	expect(paths.filter(path => !/^(?:dist|src\/docs)\//.test(path)).sort()).toEqual([
		'CHANGELOG.md',
		'LICENSE',
		'README.md',
		'package.json',
	]);
	expect(paths).toEqual(expect.arrayContaining(['dist/licences.txt', 'src/docs/settings.md']));
	expect(paths).not.toContain('dist/pyodide.snapshot');
	expect(size).toBeLessThan(ARCHIVE_LIMIT);
});

test.each(Object.entries(PATHS))(
	'installed from the archive with %s, it runs a first cell, and uninstalls without a trace',
	async (_, path) => {
		using temp = tempFolder();
		const prefix = join(temp.path, 'prefix');
		await mkdir(prefix);
		await npm(path, 'install', '-g', '--prefix', prefix, '--prefer-offline', packed.archive);
		const installed = join(prefix, 'lib/node_modules/svc-tui');
		const modules = readdirSync(join(installed, 'node_modules'));
		const own = modules.filter(name => name.startsWith('node-'));
		const ownBytes = own.map(name => bytesBelow(join(installed, 'node_modules', name)));
		expect(bytesBelow(installed) - ownBytes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(
			INSTALLED_LIMIT,
		);
		expect(existsSync(join(prefix, 'share/man/man1/svc-tui.1'))).toBe(true);
		const program = join(prefix, 'bin/svc-tui');
		const {stdout} = await execute(program, ['--version'], {env: {PATH: path}});
		expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(build [0-9a-f]{8}\)\n$/);
		const help = await execute(program, ['help', 'trouble'], {env: {PATH: path, HOME: temp.path}});
		expect(help.stdout).toContain('svc-tui local stop');
		await runFirstCell(program, path);
		await npm(path, 'uninstall', '-g', '--prefix', prefix, 'svc-tui');
		expect(existsSync(program)).toBe(false);
		expect(bytesBelow(prefix)).toBe(0);
	},
	300_000,
);

test.each(Object.entries(PATHS))(
	'installed from the clone with %s, it runs a first cell',
	async (_, path) => {
		using temp = tempFolder();
		await npm(path, 'install', '-g', '--prefix', temp.path, '.');
		await runFirstCell(join(temp.path, 'bin/svc-tui'), path);
	},
	300_000,
);

test('installed in a project, it finds the Node that npm put beside it', async () => {
	using temp = tempFolder();
	const modules = join(temp.path, 'node_modules');
	cpSync(join(REPOSITORY, 'dist'), join(modules, 'svc-tui/dist'), {
		recursive: true,
		filter: source => !source.endsWith('.snapshot'),
	});
	cpSync(join(REPOSITORY, 'package.json'), join(modules, 'svc-tui/package.json'));
	const own = readdirSync(join(REPOSITORY, 'node_modules')).find(name => name.startsWith('node-linux-'))!;
	cpSync(join(REPOSITORY, 'node_modules', own, 'bin'), join(modules, own, 'bin'), {recursive: true});
	const {stdout} = await execute(join(modules, 'svc-tui/dist/svc-tui'), ['--version'], {
		env: {PATH: '/nowhere'},
	});
	expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(build [0-9a-f]{8}\)\n$/);
});

test('among Nodes for several processors, the one for this machine is used', async () => {
	using temp = tempFolder();
	await mkdir(join(temp.path, 'dist'));
	cpSync(join(REPOSITORY, 'dist/svc-tui'), join(temp.path, 'dist/svc-tui'));
	for (const arch of ['arm64', 'x64']) {
		const folder = join(temp.path, `node_modules/node-linux-${arch}/bin`);
		await mkdir(folder, {recursive: true});
		await writeFile(join(folder, 'node'), `#!/bin/sh\necho ${arch}\n`, {mode: 0o755});
	}
	const program = join(temp.path, 'dist/svc-tui');
	const {stdout} = await execute(program, [], {env: {PATH: systemPath}});
	expect(stdout).toBe(`${process.arch}\n`);
	// A Node for another type of machine counts as missing.
	await rm(join(temp.path, `node_modules/node-linux-${process.arch}`), {recursive: true});
	await expect(execute(program, [], {env: {PATH: '/nowhere'}})).rejects.toMatchObject({
		code: 127,
		stderr: expect.stringContaining('finds none'),
	});
});

test('the container file installs a program that runs on the Node of its image', async () => {
	using temp = tempFolder();
	// The command removes the archive, so the test uses a copy.
	const archive = join(temp.path, 'svc-tui.tgz');
	cpSync(packed.archive, archive);
	const page = await readFile(join(REPOSITORY, 'src/docs/containers.md'), 'utf8');
	const [, line = ''] = /^RUN (npm install -g .*)$/m.exec(page) ?? [];
	const prefix = join(temp.path, 'prefix');
	await mkdir(prefix);
	await execute('sh', ['-c', line.replaceAll('/tmp/svc-tui.tgz', archive)], {
		env: {
			...process.env,
			PATH: PATHS['Node 24'],
			npm_config_prefix: prefix,
			npm_config_prefer_offline: 'true',
		},
	});
	expect(existsSync(archive)).toBe(false);
	const modules = readdirSync(join(prefix, 'lib/node_modules/svc-tui/node_modules'));
	expect(modules.filter(name => name.startsWith('node-'))).toEqual([]);
	const {stdout} = await execute(join(prefix, 'bin/svc-tui'), ['--version'], {env: {PATH: PATHS['Node 24']}});
	expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(build [0-9a-f]{8}\)\n$/);
}, 300_000);

test('npm start in a clone installed without scripts names the remedy', async () => {
	using temp = tempFolder();
	for (const file of ['package.json', 'src/build/start.sh'])
		cpSync(join(REPOSITORY, file), join(temp.path, file));
	await expect(
		execute('npm', ['start', '--silent'], {cwd: temp.path, env: {...process.env, PATH: systemPath}}),
	).rejects.toMatchObject({code: 69, stderr: expect.stringContaining('Build it with: npm run build')});
});

test('without any Node the error says so, and where to get one', async () => {
	using temp = tempFolder();
	cpSync(join(REPOSITORY, 'dist/svc-tui'), join(temp.path, 'svc-tui'));
	await expect(execute(join(temp.path, 'svc-tui'), [], {env: {PATH: '/nowhere'}})).rejects.toMatchObject({
		code: 127,
		stderr: expect.stringMatching(
			/^svc-tui needs Node 24\.21 or newer .*https:\/\/nodejs\.org.*\n$/,
		) as string,
	});
});

test('a Node that is too old names the command that brings one', async context => {
	const {stdout: version} = await execute('node', ['--version'], {env: {PATH: systemPath}});
	if (Number(version.slice(1).split('.')[0]) >= 24) return context.skip();
	using temp = tempFolder();
	for (const name of ['svc-tui', 'boot.js']) cpSync(join(REPOSITORY, 'dist', name), join(temp.path, name));
	cpSync(join(REPOSITORY, 'package.json'), join(temp.path, 'package.json'));
	await expect(execute(join(temp.path, 'svc-tui'), [], {env: {PATH: systemPath}})).rejects.toMatchObject({
		code: 64,
		stderr: expect.stringMatching(
			/^svc-tui needs Node 24\.21 or newer; this is [\d.]+\. Install one: (brew|apk|npx) .+\n$/,
		) as string,
	});
});
