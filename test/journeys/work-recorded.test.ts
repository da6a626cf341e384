// A recorded task from goal to file. README shows its last frame. With `RECORD=1` in the
// environment, this test writes the current frames.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import market from '../../src/service/catalogue/offers.json' with {type: 'json'};
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openAssistant, startWelcome} from './steps.ts';

const FRAMES = join(import.meta.dirname, 'recorded');

/** Prices of single GPUs in each region, from the market of the local service. */
const prices = market.compute
	.filter(({num_gpus}) => num_gpus === 1)
	.flatMap(({name, cloud_host, hourly_price, availability}) =>
		availability.map(({region}) => ({gpu: name, host: cloud_host, region, price: hourly_price})),
	);

/**
 * A frame without times, which depend on the machine, and without the columns and estimates that
 * change with them.
 */
const comparable = (frame: string): string =>
	frame
		.replaceAll(/\d+(?:\.\d)? s\b/g, 'N s')
		.replaceAll(/about [\d,]+ of/g, 'about N of')
		.replaceAll(/\s+/g, ' ');

const compare = (name: string, screen: string): void => {
	const file = join(FRAMES, `${name}-80x30.txt`);
	const frame = `${screen
		.split('\n')
		.map(row => row.trimEnd())
		.join('\n')
		.replace(/\n*$/, '')}\n`;
	if (process.env['RECORD'] !== undefined) writeFileSync(file, frame);
	expect(comparable(frame), name).toBe(comparable(readFileSync(file, 'utf8')));
};

test(
	'the built-in assistant finds the cheapest GPU per region and writes a report, as recorded',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 80, rows: 30});
		await startWelcome(terminal);
		const folder = serverFolder(serviceFolder(home));
		writeFileSync(
			join(folder, 'data/gpu-prices.csv'),
			`gpu,host,region,price_per_hour\n${prices.map(each => `${Object.values(each).join(',')}\n`).join('')}`,
		);
		await openAssistant(terminal);
		terminal.type('/work find the cheapest GPU per region in data/gpu-prices.csv and write a report');
		await terminal.until(/write a re\s+port/);
		await terminal.gone('✓ welcome is ready');
		compare('work-1-goal', terminal.screen());
		pressAction(terminal, 'assistant', 'send');
		await terminal.until(/run \d+ lines · waits for your/);
		pressAction(terminal, 'assistant', 'send');
		compare('work-2-run', await terminal.until('Allow this on welcome? run'));
		pressAction(terminal, 'permit', 'last');
		pressAction(terminal, 'permit', 'once');
		await terminal.until(/write \S+, \d+ lines · waits for your/);
		pressAction(terminal, 'assistant', 'send');
		compare('work-3-write', await terminal.until('Allow this on welcome? write'));
		pressAction(terminal, 'permit', 'last');
		pressAction(terminal, 'permit', 'once');
		await terminal.until('Done.');
		await terminal.gone('waits for your permission');
		await terminal.gone('esc stop the task');
		compare('work-4-done', terminal.screen());
		const lowest = new Map<string, number>();
		for (const {region, price} of prices) lowest.set(region, Math.min(price, lowest.get(region) ?? Infinity));
		// If two options have the same price, both are listed.
		const cheapest = prices
			.filter(({region, price}) => price === lowest.get(region))
			.map(({region, price}) => `${region} ${price}`);
		const rows = readFileSync(join(folder, 'report.md'), 'utf8')
			.split('\n')
			.map(line => /^\| (.+?) \| .* \| ([\d.]+) \|$/.exec(line))
			.flatMap(match => (match === null ? [] : [`${match[1]} ${Number(match[2])}`]));
		expect(rows.toSorted()).toEqual(cheapest.toSorted());
	},
);
