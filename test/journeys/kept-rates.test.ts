import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	computeOption,
	serverItem,
	startedServer,
	startHostileService,
	success,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

/**
 * A service whose catalogue lists a price of 0.10, but which returns a rate of 2.99 when a server
 * is created or started.
 */
const dearService = async () => {
	const listed = new Map<string, Readonly<Record<string, unknown>>>();
	const service = await startHostileService({
		servers: () =>
			success({
				servers: [...listed].map(([name, more]) => serverItem(name, {server_request: 'cloud-L4', ...more})),
			}),
		compute: () =>
			success({
				compute: [
					computeOption('L4', {hourly_price: 0.1}),
					computeOption('GONE', {hourly_price: 0.2, availability: [{available: false, region: 'eu-1'}]}),
				],
			}),
		create({body}) {
			const {server_name: name} = JSON.parse(body) as {readonly server_name: string};
			listed.set(name, {});
			return success(startedServer(name, {hourly_rate: 2.99}));
		},
		start({server}) {
			listed.set(server, {});
			return success(startedServer(server, {hourly_rate: 2.99}));
		},
	});
	return Object.assign(service, {listed});
};
const rateIn = async (
	home: Home,
	env: Readonly<Record<string, string>>,
	server: string,
): Promise<string | undefined> =>
	new RegExp(`^${server} .* (\\S+) +8888$`, 'm').exec((await runHere(['servers'], {home, env})).stdout)?.[1];

test('the rate returned by create and start is stored for commands and screens, until the list shows the server offline or elsewhere', async () => {
	await using service = await dearService();
	await using home = await newHome();
	const {env} = service;
	const created = await runHere(
		['server', 'create', 'trainer', '--environment', 'ai', '--compute', 'cloud-L4'],
		{home, env},
	);
	expect(created.stderr).toContain('trainer costs 2.99/h; the catalogue listed 0.10/h.');
	expect(await rateIn(home, env, 'trainer')).toBe('2.99');
	{
		await using terminal = await openProgram({home, columns: 90, env});
		await terminal.until(/trainer +\S ready .* 1× L4 24G +ai +2\.99/);
		await terminal.until(/ 2\.99\/h now {3}72\/day if left on/);
		pressAction(terminal, 'servers', 'detail');
		await terminal.until(/2\.99\/h +72\/day, as the service reports +0\.10\/h was confirmed/);
		terminal.kill('SIGTERM');
		await terminal.exit;
	}
	service.listed.set('trainer', {server_request: 'cloud-other'});
	expect(await rateIn(home, env, 'trainer')).toBe('?');
	service.listed.set('trainer', {});
	expect(await rateIn(home, env, 'trainer')).toBe('0.10');
	service.listed.set('trainer', {status: 'offline'});
	const started = await runHere(['server', 'start', 'trainer'], {home, env});
	expect(started.stderr).toContain('trainer costs 2.99/h; the catalogue listed 0.10/h.');
	// A server may be missing from the list for a moment.
	service.listed.delete('trainer');
	expect(await rateIn(home, env, 'trainer')).toBeUndefined();
	service.listed.set('trainer', {});
	expect(await rateIn(home, env, 'trainer')).toBe('2.99');
	const folder = join(home.env['XDG_STATE_HOME'] ?? '', 'svc-tui/rates');
	const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
	expect(files.map(({parentPath, name}) => statSync(join(parentPath, name)).mode & 0o777)).toEqual([0o600]);
});

test(
	'a server created on the screens costs the same after the program has ended',
	{tags: 'long'},
	async () => {
		await using service = await dearService();
		await using home = await newHome();
		{
			await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
			await terminal.until(/No servers yet/);
			service.listed.set('calm', {status: 'offline'});
			pressAction(terminal, 'global', 'refresh');
			await terminal.until(/calm +\S offline/);
			pressAction(terminal, 'servers', 'start');
			await terminal.until('Start calm?');
			pressAction(terminal, 'confirm', 'yes');
			await terminal.until('costs more than you confirmed');
			terminal.kill('SIGKILL');
			await terminal.exit;
		}
		expect(await rateIn(home, service.env, 'calm')).toBe('2.99');
		await using terminal = await openProgram({home, columns: 110, env: service.env});
		await terminal.until(/calm +\S ready .* 1× L4 24G +ai +2\.99/);
	},
);

test('a create of an unavailable option is not sent', async () => {
	await using service = await dearService();
	await using home = await newHome();
	const {stderr, code} = await runHere(
		['server', 'create', 'trainer', '--environment', 'ai', '--compute', 'cloud-GONE'],
		{home, env: service.env},
	);
	expect(stderr).toContain('cloud-GONE is sold out; nothing was sent.');
	expect(code).toBe(3);
	expect(service.asked.some(line => line.startsWith('POST'))).toBe(false);
});
