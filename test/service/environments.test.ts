// @module-tag long
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {openMirror, wheel} from '../support/wheels.ts';

afterEach(() => vi.unstubAllEnvs());

const wheels = [
	wheel('labels', 'NAME = "three rows"\n'),
	wheel('frames', 'import labels\nNAME = labels.NAME\n', ['labels']),
];

const messageOf = (body: Record<string, unknown>): unknown => (body['error'] as {message: unknown}).message;

const listed = async (local: LocalService, name: string): Promise<Record<string, unknown>> => {
	const {body} = await local.call('GET', '/api/servers');
	return (body['servers'] as Array<Record<string, unknown>>).find(server => server['name'] === name) ?? {};
};

const run = async (local: LocalService, name: string, code: string): Promise<string> => {
	const {text} = await local.call('POST', `/api/servers/${name}/run-code`, {code, kernel_name: 'python3'});
	return text;
};

test('servers of an environment start with its packages, once their download is allowed', async () => {
	using temp = tempFolder();
	await using mirror = await openMirror(wheels, temp.path);
	vi.stubEnv('SVC_PYODIDE_URL', mirror.url.href);
	vi.stubEnv('SVC_PYODIDE_LOCK', mirror.lockFile);
	const dataFolder = join(temp.path, 'data');
	const open = (): Promise<LocalService> =>
		localService({openEngine: undefined, leased: true, leases: {first: 600_000}, dataFolder});
	const wanted = {...settings, environment: 'tables'};
	{
		await using local = await open();
		const create = await local.call('POST', '/local/environments/create', {
			environment_id: 'tables',
			packages: ['frames'],
		});
		expect(create.body).toMatchObject({
			environment: {
				environment_id: 'tables',
				python: '3.14.2',
				packages: [
					{name: 'labels', version: '1.0'},
					{name: 'frames', version: '1.0'},
				],
				size: 0,
				state: 'download',
				download: {
					from: mirror.url.host,
					files: 2,
					bytes: wheels.reduce((sum, {bytes}) => sum + bytes.length, 0),
					allowed: false,
				},
				own: true,
			},
		});
		expect(
			messageOf(
				(await local.call('POST', '/local/environments/create', {environment_id: 'x', packages: ['nope']}))
					.body,
			),
		).toBe("Pyodide's distribution has no package nope.");

		const refused = await local.call('POST', '/api/servers/welcome/start', wanted);
		expect(refused.status).toBe(409);
		expect(messageOf(refused.body)).toMatch(
			/^The environment tables needs 2 files from 127\.0\.0\.1:\d+ .* svc-tui env allow tables$/,
		);
		expect(mirror.asked).toEqual([]);

		await local.call('POST', '/local/environments/allow', {environment_id: 'tables'});
		const held: (() => void)[] = [];
		mirror.answerWith((_, response) => void held.push(() => response.writeHead(503).end()));
		await local.call('POST', '/api/servers/welcome/start', wanted);
		await waitFor(async () =>
			expect(await listed(local, 'welcome')).toMatchObject({
				status: 'starting',
				status_reason: expect.stringMatching(/^Downloading packages from 127\.0\.0\.1:\d+: 0 of 2 files/),
			}),
		);
		await waitFor(() => expect(held).toHaveLength(2));
		for (const fail of held) fail();
		await waitFor(async () =>
			expect(await listed(local, 'welcome')).toMatchObject({
				status: 'offline',
				status_reason: expect.stringMatching(
					/^Failed to start: 127\.0\.0\.1:\d+ has no \w+-1\.0-py3-none-any\.whl \(HTTP 503\)/,
				),
			}),
		);

		mirror.answerWith(null);
		await local.call('POST', '/api/servers/welcome/start', wanted);
		await local.until('welcome', 'ready');
		expect(await run(local, 'welcome', 'import frames; frames.NAME')).toContain('three rows');
		expect((await local.call('GET', '/local/environments')).body['environments']).toContainEqual(
			expect.objectContaining({environment_id: 'tables', state: 'ready', download: null}),
		);
	}
	await mirror[Symbol.asyncDispose]();
	// The next service has no network. It uses the files and the consent on disk.
	await using local = await open();
	await local.call('POST', '/api/servers', {...wanted, server_name: 'second'});
	await local.until('second', 'ready');
	expect(await run(local, 'second', 'import frames; frames.NAME')).toContain('three rows');
	await local.call('POST', '/local/environments/remove', {environment_id: 'tables'});
	expect((await local.call('GET', '/api/environments')).text).not.toContain('tables');
	expect(existsSync(join(dataFolder, 'environments.json'))).toBe(true);
});
