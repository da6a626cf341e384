import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {computeOption, serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {dayOf} from '../../src/costs/daily-costs.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {waitFor} from '../support/wait-for.ts';

type Day = {
	readonly day: string;
	readonly looked_hours: number;
	readonly servers: readonly Readonly<Record<string, unknown>>[];
};

test('observations of servers by screens and commands are saved at once, and cost shows them without the service', async () => {
	await using home = await newHome();
	const costs = async (env: Readonly<Record<string, string>>): Promise<readonly Day[]> => {
		const {stdout, code} = await runHere(['cost', '--json'], {home, env});
		expect(code).toBe(0);
		return JSON.parse(stdout) as readonly Day[];
	};
	let env: Readonly<Record<string, string>>;
	{
		await using service = await startHostileService({
			servers: () =>
				success({
					servers: [
						serverItem('trainer', {server_request: 'cloud-L4'}),
						serverItem('odd', {server_request: 'cloud-other'}),
						serverItem('calm', {status: 'offline'}),
					],
				}),
			compute: () => success({compute: [computeOption('L4', {hourly_price: 0.1})]}),
		});
		({env} = service);
		await using terminal = await openProgram({home, columns: 110, env});
		await terminal.until(/trainer +\S ready/);
		const looks = join(home.env['XDG_STATE_HOME'] ?? '', 'svc-tui/looks');
		await waitFor(() => {
			const [file = ''] = globSync('*/*', {cwd: looks});
			expect(readFileSync(join(looks, file), 'utf8')).toContain('["trainer",0.1],["odd",null]');
		});
		pressAction(terminal, 'servers', 'costs');
		await terminal.until(/Costs of 7 days/);
		// A cost needs two observations; after the first one there is none.
		await terminal.until(/ trainer +(?:0\.00|<0\.01) +(?:—|0\.00|<0\.01) /);
		terminal.kill('SIGKILL');
		await terminal.exit;
		await runHere(['servers'], {home, env});
	}
	const [today] = await costs(env);
	expect(today).toMatchObject({day: dayOf(Date.now()), unknown_rates: 1, at_least: true});
	expect(today?.servers).toMatchObject([
		{server: 'odd', rates: [], estimate: 0},
		{server: 'trainer', rates: [0.1]},
	]);
	const table = await runHere(['cost', '--since', '1d', '--server', 'trainer'], {home, env});
	expect(table).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(
			/^DAY +SERVER +READY +UNSEEN +RATE \/H +EST\.\n\S+ +trainer +\d+ min +- +0\.10 +<0\.01\n$/,
		),
		stderr: expect.stringMatching(
			/^Estimate, not a bill: about 0\.00\d* since \S+, based on \d+ min observed; .* unknown\.\n$/,
		),
	});
	const none = await runHere(['cost', '--server', 'calm'], {home, env});
	expect(none).toMatchObject({
		code: 3,
		stderr: expect.stringMatching(/calm was not observed ready since .*; odd, trainer were\.\n/),
	});
	// The command uses another service.
	expect(await runHere(['cost'], {home})).toMatchObject({
		code: 0,
		stdout: '',
		stderr: expect.stringContaining('No running server observed since'),
	});
});
