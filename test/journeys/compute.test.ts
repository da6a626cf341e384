import {expect, test} from 'vitest';
import type {ComputeOption} from '../../src/contract/compute.ts';
import {gpuModelsOf} from '../../src/query/values.ts';
import {keysOf, pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

/** The whole catalogue, as the plain command hands it out. */
const catalogue = async (home: Home): Promise<readonly ComputeOption[]> =>
	JSON.parse((await runCommand(['compute', '--json'], {home})).stdout) as readonly ComputeOption[];

const openCompute = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until(/Compute \d+/);
};

/** Moves down in the open list until the cursor stands on a line that says this, and chooses it. */
const choose = async (terminal: Terminal, marked: RegExp, downs: number): Promise<void> => {
	for (let step = 0; step < downs; step++) pressAction(terminal, 'picker', 'down');
	pressAction(terminal, 'picker', 'toggle');
	await terminal.until(marked);
};

test.each([['any', 'Any'], ['norway-1', 'NORWAY-1']])('the region filter tells %s from %s', async (lower, upper) => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	const options = await catalogue(home);
	const within = (...regions: readonly string[]): number => options.filter(option => option.availability.some(each => regions.includes(each.region))).length;
	const regions = [...new Set(options.flatMap(option => option.availability.map(each => each.region)))].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	const openPicker = async (): Promise<void> => {
		pressAction(terminal, 'compute', 'regions');
		await terminal.until(`Regions ${regions.length}`);
	};
	const shows = async (count: number, chip: string): Promise<void> => {
		pressAction(terminal, 'picker', 'close');
		await terminal.until(new RegExp(`Compute ${count}/${options.length} [^]*region ${chip} {3}`));
	};
	expect(within(lower)).toBeGreaterThan(0);
	expect(within(upper)).toBeGreaterThan(0);

	await openCompute(terminal);
	await terminal.until(`Compute ${options.length} `);
	await openPicker();
	await choose(terminal, new RegExp(`◉ ${lower} +${within(lower)} `), regions.indexOf(lower));
	expect(terminal.screen()).not.toContain(`◉ ${upper}`);
	await shows(within(lower), lower);
	// Both together are a union.
	await openPicker();
	await choose(terminal, new RegExp(`◉ ${upper} +${within(upper)} `), regions.indexOf(upper));
	await shows(within(lower, upper), `${lower}, ${upper}`);
	await openPicker();
	await choose(terminal, new RegExp(`○ ${lower} `), regions.indexOf(lower));
	await shows(within(upper), upper);
	pressAction(terminal, 'compute', 'clear');
	await terminal.until(new RegExp(`Compute ${options.length} [^]*region all`));
});

test('GPU model, available only and no filter show what the command with the same filter shows', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	const options = await catalogue(home);
	const modelOf = ({name}: ComputeOption): string => name.slice(0, name.lastIndexOf(' ('));
	const models = [...new Set(options.filter(option => option.num_gpus > 0).map(modelOf))].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	const ofA100 = options.filter(option => modelOf(option) === 'A100');
	expect(ofA100.length).toBeGreaterThan(0);
	expect(options.some(option => modelOf(option).startsWith('A100 '))).toBe(true);
	const open = options.filter(option => option.availability.some(each => each.available));

	await openCompute(terminal);
	pressAction(terminal, 'compute', 'gpu');
	await terminal.until(`GPU models ${models.length}`);
	await choose(terminal, new RegExp(`Compute ${ofA100.length}/${options.length} [^]*GPU A100 `), models.indexOf('A100'));
	const command = JSON.parse((await runCommand(['compute', '--gpu', 'a100', '--json'], {home})).stdout) as readonly ComputeOption[];
	expect(command).toHaveLength(ofA100.length);

	pressAction(terminal, 'compute', 'available');
	await terminal.until(/Compute 0\/\d+ [^]*available only/);
	await terminal.until('Nothing passes this filter');
	pressAction(terminal, 'compute', 'clear');
	await terminal.until(new RegExp(`Compute ${options.length} [^]*GPU all`));
	pressAction(terminal, 'compute', 'available');
	const shown = await terminal.until(new RegExp(`Compute ${open.length}/${options.length} `));
	expect(shown).toContain('Medium CPU');
});

test('an offer that cannot be had says so when a server is to be made with it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openCompute(terminal);
	pressAction(terminal, 'compute', 'last');
	pressAction(terminal, 'compute', 'create');
	await terminal.until('is not available now');
	pressAction(terminal, 'compute', 'available');
	await terminal.until('available only');
	pressAction(terminal, 'compute', 'create');
	await terminal.until(/New server[^]*compute +svc-medium/);
});

test('keys typed ahead of a picker that is opened for the second time are for that one', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	const models = gpuModelsOf(await catalogue(home));
	await openCompute(terminal);
	await terminal.until(/Compute \d+ /);
	const opened = keysOf('compute', 'gpu')[0] ?? '';
	// In one write: the third row is chosen, which closes the picker, then the first row of a new one.
	terminal.type(`${opened}jj ${opened} `);
	await terminal.until(new RegExp(`GPU ${models[0]?.model} `));
});
