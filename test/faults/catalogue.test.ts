import {expect, test, vi} from 'vitest';
import {gpuModelsOf, regionsOf} from '../../src/query/values.ts';
import {gpuModel} from '../../src/query/option.ts';
import {block, label} from '../../src/text/safe.ts';
import {cut} from '../../src/text/width.ts';
import {pressAction} from '../support/press-action.ts';
import {beginning, cellOf, insideBox, valuesBelow, type Head} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {computeOption, serverItem, startHostileService, success} from './hostile-service.ts';
import {openWatched, textOf, type Frame} from './watched-screen.ts';

// One run carries all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

const HEADS: readonly Head[] = [
	{name: 'GPU'}, {name: 'N', right: true}, {name: 'VRAM', right: true}, {name: 'TOTAL', right: true}, {name: 'CPU', right: true}, {name: 'MEM', right: true},
	{name: 'PRICE /H', right: true}, {name: 'PER GPU /H', right: true}, {name: 'REGIONS', right: true}, {name: 'HOST'},
];
const HEAD = 4;

/** Every row in view is aligned, and the row under the cursor shows this option. */
const expectTable = (frame: Frame, columns: number, text: string): void => {
	const rows = Array.from({length: frame.length - 9}, (_, index) => HEAD + 1 + index).filter(y => textOf(frame[y] ?? []) !== '');
	const heads = HEADS.filter(({name}) => cellOf(frame[HEAD] ?? [], name) >= 0);
	const values = valuesBelow(frame, HEAD, rows, heads, columns);
	const at = rows.findIndex(y => frame[y]?.[1] === '▸');
	const whole: Readonly<Record<string, string>> = {GPU: label(gpuModel({name: text}), 40), VRAM: label(text, 12), TOTAL: label(text, 12), MEM: label(text, 12), HOST: label(text, 24)};
	for (const [index, {name}] of heads.entries()) {
		if (whole[name] !== undefined) expect(whole[name].trim().startsWith((values[at]?.[index] ?? '').replace(/…$/, '').trim()), `${values[at]?.[index]} for ${whole[name]}`).toBe(true);
	}
};

/** What an editor makes of line ends. */
const typed = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** Options whose every text is hostile, in the order of their price, which is that of the screen. */
const options = (available: boolean) => CASES.map((text, index) => computeOption(text, {
	cloud_host: text, compute_id: text, memory: text, vram_per_gpu: text, total_vram: text, hourly_price: 1 + index / 100, availability: [{available, region: text}], note: text,
}));

test(`${CASES.length} texts as name, host, id, sizes, region and note of a compute option: in the table, below it, in a notice and in the form`, async () => {
	let available = false;
	await using service = await startHostileService({compute: () => success({compute: options(available)})});
	// As wide as it takes to show every column.
	await using screen = await openWatched(service, {columns: 180, rows: 22});
	const {terminal, columns, rows} = screen;
	pressAction(terminal, 'global', 'compute');
	await screen.shows(` Compute ${CASES.length} `);
	for (const text of CASES) {
		await screen.sees(frame => {
			expectTable(frame, columns, text);
			expect(textOf(frame[rows - 4] ?? [])).toContain(beginning(`   ${label(text, 48)}   not available in any region   ${label(text, 160)}`, columns).trimEnd());
		});
		pressAction(terminal, 'compute', 'create');
		await screen.sees(frame => expect(textOf(frame[rows - 2] ?? [])).toContain(` › ${beginning(`${label(text)} is not available now`, columns - 4)}`));
		if (text !== CASES.at(-1)) pressAction(terminal, 'compute', 'down');
	}
	available = true;
	pressAction(terminal, 'global', 'refresh');
	await screen.sees(frame => expect(textOf(frame[rows - 4] ?? [])).toContain('available in'));
	for (const text of CASES.toReversed()) {
		await screen.sees(frame => expect(textOf(frame[rows - 4] ?? [])).toContain(beginning(`   ${label(text, 48)}   available in ${label(text, 24)}   ${label(text, 160)}`, columns)));
		pressAction(terminal, 'compute', 'create');
		await screen.sees(frame => expect(insideBox(frame, columns, 72)[6]).toContain(beginning(label(typed(text), 60), 54)));
		pressAction(terminal, 'always', 'interrupt');
		await terminal.gone('╭');
		if (text !== CASES[0]) pressAction(terminal, 'compute', 'up');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as region and as GPU model: in the two pickers and in the filter line`, async () => {
	const catalogue = options(true);
	await using service = await startHostileService({compute: () => success({compute: catalogue})});
	await using screen = await openWatched(service, {rows: 24});
	const {terminal, columns} = screen;
	pressAction(terminal, 'global', 'compute');
	await screen.shows(` Compute ${CASES.length} `);
	pressAction(terminal, 'compute', 'regions');
	await screen.shows('╭─ Regions');
	for (const [index, {region}] of regionsOf(catalogue).entries()) {
		if (index > 0) {
			pressAction(terminal, 'picker', 'none');
			pressAction(terminal, 'picker', 'down');
		}
		pressAction(terminal, 'picker', 'toggle');
		await screen.sees(frame => {
			expect(insideBox(frame, columns, 56).find(row => row.includes('◉'))).toContain(beginning(label(region, 60), 42));
			expect(textOf(frame[3] ?? [])).toContain(beginning(`   region ${label(region, 24)}`, 30));
		});
	}
	pressAction(terminal, 'picker', 'none');
	pressAction(terminal, 'picker', 'close');
	await terminal.gone('╭');
	for (const [index, {model}] of gpuModelsOf(catalogue).entries()) {
		pressAction(terminal, 'compute', 'gpu');
		await screen.shows('╭─ GPU models');
		terminal.type('j'.repeat(index));
		await screen.sees(frame => {
			const box = insideBox(frame, columns, 56);
			expect(box.some(row => row.includes(beginning(label(model, 60), 42)))).toBe(true);
		});
		pressAction(terminal, 'picker', 'toggle');
		await screen.sees(frame => expect(textOf(frame[3] ?? [])).toContain(`GPU ${label(model, 30)}   available`));
		pressAction(terminal, 'compute', 'showAll');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as id, name and description of an environment: in the list, beside it with the servers that use it, and in the form`, async () => {
	await using service = await startHostileService({
		environments: () => success({environments: CASES.map(text => ({environment_id: text, name: text, description: text}))}),
		servers: () => success({servers: CASES.map(text => serverItem(text, {environment: text}))}),
	});
	await using screen = await openWatched(service, {rows: 24});
	const {terminal, columns, rows} = screen;
	pressAction(terminal, 'global', 'environments');
	await screen.shows(` Environments ${CASES.length} `);
	for (const text of CASES) {
		await screen.sees(frame => {
			for (let y = 4; y < rows - 2; y++) if (frame[y]?.[45] !== '│') expect.fail(`no divider in row ${y}: ${textOf(frame[y] ?? [])}`);
			const beside = frame.map(row => row.slice(47, columns).join('').trim());
			expect(beside[5]).toBe(cut(label(text), columns - 49).trim());
			expect(beside.join('\n')).toContain(block(text).split('\n', 1)[0]?.slice(0, 20).trim());
			// A long description leaves no room for it.
			if (text.length < 1000) expect(beside.join(' ')).toContain('Used by ');
		});
		pressAction(terminal, 'environments', 'create');
		await screen.sees(frame => expect(insideBox(frame, columns, 72)[4]).toContain(beginning(label(text), 54)));
		pressAction(terminal, 'always', 'interrupt');
		await terminal.gone('╭');
		if (text !== CASES.at(-1)) pressAction(terminal, 'environments', 'down');
	}
	expect(screen.harm()).toEqual([]);
});
