// @module-tag long
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {openIndex, wheel} from '../support/wheels.ts';

const missing = findJupyter(process.env) === null;

const open = (dataFolder: string): Promise<LocalService> =>
	localService({
		...{openEngine: undefined, engine: 'jupyter', leased: true, leases: {first: 600_000}, dataFolder},
	});

const listed = async (local: LocalService, name: string): Promise<Record<string, unknown>> => {
	const {body} = await local.call('GET', '/api/servers');
	return (body['servers'] as Array<Record<string, unknown>>).find(server => server['name'] === name) ?? {};
};

const run = async (local: LocalService, name: string, code: string): Promise<string> =>
	(await local.call('POST', `/api/servers/${name}/run-code`, {code, kernel_name: 'python3'})).text;

const described = async (local: LocalService, id: string): Promise<Record<string, unknown>> =>
	(await local.call('POST', '/local/environments/plan', {environment_id: id})).body['environment'] as Record<
		string,
		unknown
	>;

const create = (local: LocalService, id: string, packages: readonly string[], more: object = {}) =>
	local.call('POST', '/local/environments/create', {environment_id: id, packages, system: true, ...more});

const wheels = [
	wheel('labels', 'NAME = "three rows"\n'),
	wheel('frames', 'import labels\nNAME = labels.NAME\n', ['labels']),
	wheel('extra', 'NAME = "added"\n'),
];

describe.skipIf(missing)('environments of Jupyter Server', () => {
	afterEach(() => vi.unstubAllEnvs());

	test('two servers that start at once build an environment once with pip; %pip changes it for later starts', async () => {
		using temp = tempFolder();
		await using index = await openIndex(wheels);
		vi.stubEnv('PIP_INDEX_URL', index.url);
		const dataFolder = join(temp.path, 'data');
		const wanted = {...settings, environment: 'tables'};
		{
			await using local = await open(dataFolder);
			expect((await create(local, 'tables', ['frames>=1'])).body).toMatchObject({
				environment: {
					environment_id: 'tables',
					source: expect.stringMatching(
						/^Built from frames>=1 with venv and pip, on \/\S+python\S* and its packages$/,
					),
					python: expect.stringMatching(/^3\.\d+\.\d+$/),
					packages: [{name: 'frames>=1', version: null}],
					...{size: 0, state: 'build', own: true},
				},
			});
			await local.call('POST', '/api/servers/welcome/start', wanted);
			await local.call('POST', '/api/servers', {...wanted, server_name: 'second'});
			await waitFor(async () =>
				expect(await listed(local, 'second')).toMatchObject({
					status_reason: expect.stringMatching(/^Building the environment tables with venv and pip/),
				}),
			);
			await Promise.all([local.until('welcome', 'ready'), local.until('second', 'ready')]);
			expect(index.asked.toSorted()).toEqual(
				wheels
					.slice(0, 2)
					.map(({file}) => file)
					.toSorted(),
			);
			const code = 'import frames, sys; print(frames.NAME, sys.prefix)';
			expect(await run(local, 'welcome', code)).toContain(`three rows ${dataFolder}/environments/tables`);
			expect(await run(local, 'second', code)).toContain('three rows');
			expect(await run(local, 'second', '!command -v pip')).toContain('/environments/tables/bin/pip');
			expect(await run(local, 'second', '%pip install extra')).toContain('Successfully installed extra-1.0');
			expect(await run(local, 'second', 'import extra; extra.NAME')).toContain('added');
			const now = await described(local, 'tables');
			expect(now).toMatchObject({
				source: expect.stringContaining(`Built in ${dataFolder}/environments/tables, on /`),
				state: 'ready',
				packages: expect.arrayContaining([
					{name: 'extra', version: '1.0'},
					{name: 'frames', version: '1.0'},
				]),
				installs: expect.stringContaining('changes this environment'),
			});
			expect(now['size']).toBeGreaterThan(1_000_000);
		}
		await index[Symbol.asyncDispose]();
		// The next service starts the environment from disk, without the package index.
		await using local = await open(dataFolder);
		await local.call('POST', '/api/servers/second/start', wanted);
		await local.until('second', 'ready');
		expect(await run(local, 'second', 'import extra; extra.NAME')).toContain('added');
		await local.call('POST', '/local/environments/remove', {environment_id: 'tables'});
		expect((await local.call('GET', '/api/environments')).text).not.toContain('tables');
		expect(existsSync(join(dataFolder, 'environments/tables'))).toBe(false);
	});

	test('a build that fails tells the reason of pip, and the next start builds again', async () => {
		using temp = tempFolder();
		const packages: (typeof wheels)[number][] = [];
		await using index = await openIndex(packages);
		vi.stubEnv('PIP_INDEX_URL', index.url);
		const dataFolder = join(temp.path, 'data');
		await using local = await open(dataFolder);
		const wanted = {...settings, environment: 'tables'};
		await create(local, 'tables', ['frames']);
		await local.call('POST', '/api/servers/welcome/start', wanted);
		await waitFor(async () =>
			expect(await listed(local, 'welcome')).toMatchObject({
				status: 'offline',
				status_reason: expect.stringMatching(
					/^Failed to start: The environment tables cannot be built: .*No matching distribution found for frames.* Start the server again to retry\.$/,
				),
			}),
		);
		expect(readFileSync(join(dataFolder, 'environments/tables.log'), 'utf8')).toContain('-m venv');
		packages.push(...wheels);
		await local.call('POST', '/api/servers/welcome/start', wanted);
		await local.until('welcome', 'ready');
		expect(await run(local, 'welcome', 'import frames; frames.NAME')).toContain('three rows');
	});

	test('requirements that pip would read as options, and Pythons that are none, are refused', async () => {
		using temp = tempFolder();
		await using local = await open(join(temp.path, 'data'));
		const reason = async (packages: readonly string[], more: object = {}): Promise<unknown> =>
			((await create(local, 'bad', packages, more)).body['error'] as Record<string, unknown>)['message'];
		expect(await reason(['--index-url=http://x'])).toMatch(/^"--index-url=http:\/\/x" is not a requirement/);
		expect(await reason(['a\nb'])).toMatch(/is not a requirement/);
		expect(await reason(['a'], {python: 'python3'})).toMatch(/^Give the whole path of a Python, such as \//);
		expect(await reason(['a'], {python: '/bin/false'})).toMatch(/^\/bin\/false does not run as Python 3\./);
		expect((await local.call('GET', '/local/environments')).body['environments']).toContainEqual(
			expect.objectContaining({
				environment_id: 'ai',
				source: expect.stringMatching(/^The Python of this machine, \//),
				python: expect.stringMatching(/^3\./),
				packages: expect.arrayContaining([{name: 'ipykernel', version: expect.any(String)}]),
				...{state: 'ready', own: false},
			}),
		);
	});

	// The real uv is not used: a script with uv's documented command line replaces it.
	test('uv builds an environment where it is on the PATH', async () => {
		using temp = tempFolder();
		await using index = await openIndex(wheels);
		vi.stubEnv('PIP_INDEX_URL', index.url);
		const bin = join(temp.path, 'bin');
		mkdirSync(bin);
		const calls = join(temp.path, 'calls');
		writeFileSync(
			join(bin, 'uv'),
			`#!/bin/sh
echo "$*" >> ${calls}
case "$*" in
'venv --seed --python '*) python=$4; shift 4; exec "$python" -m venv "$@" ;;
'pip install --python '*) python=$4; shift 4; exec "$python" -m pip install "$@" ;;
esac
echo "error: unrecognized subcommand" >&2
exit 2
`,
		);
		chmodSync(join(bin, 'uv'), 0o755);
		vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
		await using local = await open(join(temp.path, 'data'));
		expect((await create(local, 'tables', ['frames'])).text).toContain('Built from frames with uv, on /');
		await local.call('POST', '/api/servers/welcome/start', {...settings, environment: 'tables'});
		await local.until('welcome', 'ready');
		expect(await run(local, 'welcome', 'import frames; frames.NAME')).toContain('three rows');
		expect(readFileSync(calls, 'utf8')).toMatch(
			/^venv --seed --python \/\S+ --system-site-packages \S+\/environments\/tables\npip install --python \S+\/bin\/python frames\n$/,
		);
	});
});
