// @module-tag long
import {expect, test, vi} from 'vitest';
import {NO_FILTER} from '../../src/query/filter.ts';
import {printQuery} from '../../src/query/language.ts';
import {gpuModelsOf, regionsOf} from '../../src/query/values.ts';
import {gpuModel} from '../../src/query/option.ts';
import {block, label} from '../../src/text/safe.ts';
import {cut} from '../../src/text/width/width.ts';
import {pressAction} from '../support/press-action.ts';
import {beginning, besideList, cursorRow, expectShown, fieldRows, insideBox, readTable} from './columns.ts';
import {CASES, packs} from './hostile-cases.ts';
import {computeOption, serverItem, startHostileService, success} from './hostile-service.ts';
import {noticeOf, openWatched, screenOf, textOf, type Frame} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

/**
 * Options with hostile text in every field, in the order of their prices, which is the order on
 * screen.
 */
const optionsOf = (texts: readonly string[], available: boolean) =>
	texts.map((text, index) =>
		computeOption(text, {
			cloud_host: text,
			compute_id: text,
			memory: text,
			vram_per_gpu: text,
			total_vram: text,
			hourly_price: 1 + index / 100,
			availability: [{available, region: text}],
			note: text,
		}),
	);

test(`${CASES.length} texts as name, host, id, sizes, region and note of a compute option: in the table, below it and in a notice`, async () => {
	await using service = await startHostileService({
		compute: () => success({compute: optionsOf(CASES, false)}),
	});
	// Wide enough for every column, and too narrow for a pane beside them.
	await using screen = await openWatched(service, {columns: 110, rows: 22});
	const {terminal, columns} = screen;
	pressAction(terminal, 'global', 'compute');
	await screen.shows(` Compute ${CASES.length} `);
	for (const text of CASES) {
		pressAction(terminal, 'compute', 'create');
		await screen.sees(frame => {
			const {here} = readTable(frame, 'Price /h');
			expectShown(here['GPU'], label(gpuModel({name: text}), 40));
			for (const name of ['Mem'])
				if (here[name] !== undefined) expectShown(here[name], text === '0' ? '?' : label(text.trim(), 12));
			expectShown(here['Host'], label(text, 24));
			const below = screenOf(frame.slice(cursorRow(frame) + 1, -2));
			expect(below).toContain(beginning(label(text, 24), 20));
			expect(noticeOf(frame)).toContain(
				` ◇ ${beginning(`${label(text)} is not available now`, columns - 4)}`,
			);
		});
		if (text !== CASES.at(-1)) pressAction(terminal, 'compute', 'down');
	}
	expect(screen.harm()).toEqual([]);
});

/** Number of regions that are chosen at the same time. */
const SOME = 8;
const PACKS = packs(60);

test(`${CASES.length} texts in ${PACKS.length} groups, each the name, id, region and note of an option that is available: below the table, and in the form that it opens`, async () => {
	await using service = await startHostileService({
		compute: () => success({compute: optionsOf(PACKS, true)}),
	});
	await using screen = await openWatched(service, {columns: 110, rows: 24});
	const {terminal} = screen;
	pressAction(terminal, 'global', 'compute');
	await screen.shows(` Compute ${PACKS.length} `);
	for (const pack of PACKS) {
		await screen.sees(frame => {
			readTable(frame, 'Price /h');
			expect(screenOf(frame.slice(cursorRow(frame) + 1))).toContain(beginning(label(pack, 24), 20));
		});
		pressAction(terminal, 'compute', 'create');
		await screen.sees(frame =>
			expect(fieldRows(insideBox(frame), 'Compute').field).toContain(beginning(label(pack, 60), 20)),
		);
		pressAction(terminal, 'always', 'interrupt');
		await terminal.gone('╭');
		pressAction(terminal, 'compute', 'down');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as region and as GPU model: in the two pickers and in the filter line`, async () => {
	const catalogue = optionsOf(CASES, true);
	await using service = await startHostileService({compute: () => success({compute: catalogue})});
	// The terminal shows several regions in a line, and all of them above the cursor.
	await using screen = await openWatched(service, {columns: 300, rows: 34});
	const {terminal} = screen;
	pressAction(terminal, 'global', 'compute');
	await screen.shows(` Compute ${CASES.length} `);
	const chips = (frame: Frame): string => screenOf(frame.slice(2, 6));
	const regions = regionsOf(catalogue).map(({region}) => region);
	for (let from = 0; from < regions.length; from += SOME) {
		const some = regions.slice(from, from + SOME);
		pressAction(terminal, 'compute', 'regions');
		for (let step = 0; step < from; step++) pressAction(terminal, 'chooser', 'down');
		for (const _ of some) {
			pressAction(terminal, 'chooser', 'complete');
			pressAction(terminal, 'chooser', 'down');
		}
		await screen.sees(frame => {
			const box = insideBox(frame);
			for (const region of some)
				expect(
					box.find(row => row.includes('■') && row.includes(beginning(label(region, 60), 38))),
					region,
				).toBeDefined();
		});
		// The terminal would send a key directly after Escape as Alt with that key.
		pressAction(terminal, 'chooser', 'close');
		await terminal.gone('╭');
		await screen.sees(frame => {
			const query = printQuery({...NO_FILTER, regions: some});
			expect(chips(frame)).toContain(beginning(label(query, 60), 40));
		});
		pressAction(terminal, 'compute', 'showAll');
	}
	for (const {model} of gpuModelsOf(catalogue)) {
		// The picker opens with the cursor on the last choice, or above all models.
		pressAction(terminal, 'compute', 'gpu');
		pressAction(terminal, 'chooser', 'down');
		await screen.sees(frame =>
			expect(insideBox(frame).join('\n')).toContain(beginning(label(model, 60), 38)),
		);
		pressAction(terminal, 'chooser', 'accept');
		await screen.sees(frame =>
			expect(chips(frame)).toContain(beginning(label(printQuery({...NO_FILTER, gpu: model}), 60), 20)),
		);
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as id, name and description of an environment: in the list and beside it, with the servers that use it`, async () => {
	await using service = await startHostileService({
		environments: () =>
			success({environments: CASES.map(text => ({environment_id: text, name: text, description: text}))}),
		servers: () => success({servers: CASES.map(text => serverItem(text, {environment: text}))}),
	});
	await using screen = await openWatched(service, {rows: 24});
	const {terminal} = screen;
	pressAction(terminal, 'global', 'environments');
	await screen.shows(` Environments ${CASES.length} `);
	for (const text of CASES) {
		await screen.sees(frame => {
			const beside = besideList(frame).join('\n');
			const list = textOf((frame[cursorRow(frame)] ?? []).slice(0, frame[cursorRow(frame)]?.indexOf('│')));
			expect(list).toContain(beginning(label(text), 24));
			expect(beside).toContain(cut(label(text), 60).replace(/…$/, '').trim());
			expect(beside).toContain(block(text).split('\n', 1)[0]?.slice(0, 20).trim());
			// There is room for the users of the environment unless the description is long.
			if (text.length < 1000) expect(beside).toContain('Used by ');
		});
		if (text !== CASES.at(-1)) pressAction(terminal, 'environments', 'down');
	}
	expect(screen.harm()).toEqual([]);
});
