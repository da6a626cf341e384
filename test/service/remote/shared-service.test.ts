// A service with several users offers no hosts, because its ssh would use the operator's SSH keys.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {localService, settings} from '../../support/local-service.ts';
import {newHome, runCommand} from '../../support/program.ts';
import {tempFolder} from '../../support/temp-folder.ts';

const KEYS = {ann: 'key-of-ann-0123456789-0123456789', bob: 'key-of-bob-0123456789-0123456789'} as const;

test('a service with keys has no hosts, whatever its operator has configured', async () => {
	using temp = tempFolder();
	await using home = await newHome();
	const keysFile = join(temp.path, 'keys');
	writeFileSync(keysFile, JSON.stringify({ann: KEYS.ann, bob: KEYS.bob}), {mode: 0o600});
	vi.stubEnv('XDG_CONFIG_HOME', join(home.folder, '.config'));
	onTestFinished(() => void vi.unstubAllEnvs());
	const config = join(home.folder, '.config/svc-tui');
	mkdirSync(config, {recursive: true});
	writeFileSync(join(config, 'settings.json'), JSON.stringify({hosts: {lab: {loginNode: true}}}), {
		mode: 0o600,
	});
	await using local = await localService({keysFile});
	const call = (method: string, path: string, body?: object) =>
		local.call(method, path, body, {key: KEYS.ann});

	const text = async (path: string) => (await call('GET', path)).text;
	expect(await text('/api/compute')).not.toContain('"lab');
	expect(await text('/api/environments')).not.toContain('"lab');
	const refused = {server_name: 'gp', ...settings, environment: 'lab-python3', server_request: 'lab-cpux0'};
	expect((await call('POST', '/api/servers', refused)).status).toBeGreaterThanOrEqual(400);
	for (const [path, body] of [
		['add', {host: 'lab'}],
		['remove', {host: 'lab'}],
		['control', {host: 'lab'}],
		['servers', {host: 'lab'}],
		['adopt', {host: 'lab', server: 'x'}],
		['stop', {server_name: 'gp'}],
	] as const)
		expect([path, await call('POST', `/local/hosts/${path}`, body)]).toMatchObject([path, {status: 409}]);
	expect((await call('GET', '/local/hosts')).status).toBe(409);

	const env = {
		SVC_BASE_URL: local.service.url,
		SVC_API_KEY: KEYS.ann,
		PATH: `${temp.path}/bin:${process.env['PATH']}`,
	};
	for (const words of [['add', 'lab'], ['list'], ['list', 'lab'], ['remove', 'lab']]) {
		const {code, stderr} = await runCommand(['ssh', ...words], {home, env});
		expect([words, code === 0, stderr]).toEqual([words, false, expect.stringContaining('hosts')]);
	}
});
