import {expect, test} from 'vitest';
import {computeOption, serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

const environment = (id: string) => ({environment_id: id, name: id, description: ''});
const inRegions =
	(...regions: readonly string[]) =>
	() =>
		success({
			compute: [
				computeOption('A100 (1x)', {availability: regions.map(region => ({available: true, region}))}),
			],
		});

test(
	'a list whose cursor no key has moved yet keeps it on its row when a refresh brings another order',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({
			environments: () => success({environments: [environment('numpy'), environment('torch')]}),
			compute: () =>
				success({
					compute: [computeOption('L4', {hourly_price: 2}), computeOption('H100', {hourly_price: 3})],
				}),
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/calm +\S ready/);
		pressAction(terminal, 'global', 'environments');
		await terminal.until(/▸ numpy/);
		service.answer({
			environments: () =>
				success({environments: [environment('chem'), environment('torch'), environment('numpy')]}),
		});
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(/chem[^]*▸ numpy/);
		pressAction(terminal, 'global', 'compute');
		await terminal.until(/▸ +L4/);
		service.answer({
			compute: () =>
				success({
					compute: [
						computeOption('L4', {hourly_price: 2}),
						computeOption('T4', {hourly_price: 1}),
						computeOption('H100', {hourly_price: 3}),
					],
				}),
		});
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(/T4[^]*▸ +L4/);
	},
);

test('a picker chooses the region under its cursor even if a new catalogue arrives with others', async () => {
	await using service = await startHostileService({compute: inRegions('eu-1', 'us-1')});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/calm +\S ready/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until('A100');
	const later = Promise.withResolvers<void>();
	service.answer({
		async compute() {
			await later.promise;
			return inRegions('ap-1', 'eu-1', 'us-1')();
		},
	});
	pressAction(terminal, 'global', 'refresh');
	pressAction(terminal, 'compute', 'regions');
	await terminal.until('Regions 2');
	later.resolve();
	await terminal.until('Regions 3');
	pressAction(terminal, 'chooser', 'complete');
	pressAction(terminal, 'chooser', 'close');
	await terminal.until(/region:eu-1/);
	expect(terminal.screen()).not.toContain('region:ap-1');
});

test(
	'in the requests the cursor stays on its call when newer ones come above it',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({
			compute: () => new Promise(() => {}),
			servers: () => success({servers: [serverItem('calm', {status: 'spawning'})]}),
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, rows: 40, env: service.env});
		await terminal.until(/calm +\S spawning/);
		pressAction(terminal, 'anywhere', 'requests');
		await terminal.until(/◌ {2}GET +\/api\/compute/);
		// The oldest two requests are the first list and the catalogue.
		pressAction(terminal, 'requests', 'last');
		pressAction(terminal, 'requests', 'up');
		const calls = (): number => Number(/(\d+) · esc close/.exec(terminal.screen())?.[1]);
		const before = calls();
		await terminal.untilTrue('newer calls', () => calls() > before);
		pressAction(terminal, 'requests', 'cancel');
		await terminal.until(/✗ {2}GET +\/api\/compute +\w/);
		await expect.poll(() => service.abandoned).toEqual(['GET /api/compute']);
	},
);
