import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readStartupSettings} from '../../src/settings/startup-settings.ts';
import {openServiceStorage} from '../../src/storage/service-storage.ts';
import {openObservations} from '../../src/costs/observations.ts';
import {openRateStorage} from '../../src/costs/reported-rates.ts';
import {
	computeOption,
	serverItem,
	startedServer,
	startHostileService,
	success,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

const MINUTE = 60_000;

type Day = {
	readonly unknown_rates: number;
	readonly servers: readonly {readonly server: string; readonly rates: readonly number[]}[];
};

test('the list, the header, the costs and the commands show one number for a server started from here', async () => {
	await using home = await newHome();
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('trainer', {server_request: 'cloud-L4'})]}),
		// The price in the catalogue differs from the rate in the response to the start.
		compute: () => success({compute: [computeOption('L4', {hourly_price: 1})]}),
	});
	const {env} = service;
	const state = join(home.env['XDG_STATE_HOME'] ?? '', 'svc-tui');
	const seen = readStartupSettings({baseUrl: service.baseUrl}, env);
	const keeper = openServiceStorage(state, seen.service, seen);
	const since = Date.now() - 12 * MINUTE;
	openRateStorage(keeper).keep({server: 'trainer', listed: null, rate: 6, quoted: 1, since});
	openObservations(keeper, '').noteStart('trainer', 6, since);

	const list = await runHere(['servers', '--columns', 'name,rate,estimate'], {home, env});
	// The amount is 1.20 plus a cent for every 6 seconds that this test takes. At a higher rate it
	// would differ between two moments of one command.
	const number = /^trainer +6\.00 +(1\.[23]\d)\n/m.exec(list.stdout)?.[1];
	expect(number, list.stdout).toBeDefined();
	const cost = await runHere(['cost'], {home, env});
	const told = /trainer +\S+(?: \S+)* +12 min +- +6\.00 +(1\.[23]\d)\n/.exec(cost.stdout)?.[1];
	expect(told, cost.stdout).toBe(number);
	expect(cost.stderr).toContain('on the time between a start from here and the next observation');

	await using terminal = await openProgram({home, columns: 200, env});
	await terminal.until(/trainer +● ready[^]*6\.00 +1\.[23]\d /);
	await terminal.until(/6\.00\/h now +144\/day if left on +today est\. 1\.[23]\d/);
	const row = / 6\.00 +(1\.[23]\d) /.exec(terminal.screen())?.[1];
	const header = /today est\. (1\.[23]\d)/.exec(terminal.screen())?.[1];
	expect(header).toBe(row);
	pressAction(terminal, 'servers', 'costs');
	const costs = await terminal.until(/today est\. (1\.[23]\d)[^]* trainer +\1 +\S+ +1\.[23]\d/);
	const [, estimate, looked, assumed] = / trainer +(1\.[23]\d) +(\S+) +(1\.[23]\d)/.exec(costs) ?? [];
	const cents = (text = ''): number => Math.round(Number(text.replace('<', '')) * 100);
	// Both amounts are rounded separately.
	expect(Math.abs(cents(estimate) - cents(looked) - cents(assumed))).toBeLessThanOrEqual(1);
});

test('a start by a command is seen by the costs at its rate, and so is a list that was printed as JSON', async () => {
	await using home = await newHome();
	let status = 'offline';
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: [
					serverItem('trainer', {server_request: 'cloud-L4', status}),
					serverItem('other', {server_request: 'cloud-L4'}),
				],
			}),
		compute: () => success({compute: [computeOption('L4', {hourly_price: 2.49})]}),
		start: () => {
			status = 'warming up';
			return success(startedServer('trainer', {hourly_rate: 2.99}));
		},
	});
	const {env} = service;
	const today = async (): Promise<Day> => {
		const {stdout} = await runHere(['cost', '--since', '1d', '--json'], {home, env});
		return (JSON.parse(stdout) as readonly Day[])[0]!;
	};
	expect((await runHere(['servers', '--json'], {home, env})).code).toBe(0);
	expect(await today()).toMatchObject({unknown_rates: 0, servers: [{server: 'other', rates: [2.49]}]});
	expect((await runHere(['server', 'start', 'trainer'], {home, env})).code).toBe(0);
	expect((await today()).servers).toMatchObject([{server: 'other'}, {server: 'trainer', rates: [2.99]}]);
	status = 'ready';
	expect((await runHere(['servers', '--json'], {home, env})).code).toBe(0);
	const {servers, unknown_rates: unknown} = await today();
	expect(unknown).toBe(0);
	expect(servers).toMatchObject([
		{server: 'other', rates: [2.49]},
		{server: 'trainer', rates: [2.99]},
	]);
});

test('costs at an unknown rate name the command that reads it, and it counts for the time before', async () => {
	await using home = await newHome();
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('trainer', {server_request: 'cloud-L4'})]}),
		compute: () => success({compute: [computeOption('L4', {hourly_price: 2.49})]}),
	});
	const {env} = service;
	expect((await runHere(['run', 'trainer', '-c', '1'], {home, env})).code).toBe(0);
	const unknown = await runHere(['cost'], {home, env});
	expect(unknown.stdout).toMatch(/trainer .* \? +\?\n/);
	expect(unknown.stderr).toContain('svc-tui servers reads the rates from the catalogue');
	expect((await runHere(['servers'], {home, env})).code).toBe(0);
	const known = await runHere(['cost'], {home, env});
	expect(known.stdout).toMatch(/trainer .* 2\.49 +\S*\d\n/);
	expect(known.stderr).not.toContain('reads the rates');
});
