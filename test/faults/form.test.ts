import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {cellWidth, fit} from '../../src/text/width.ts';
import {pressAction} from '../support/press-action.ts';
import {beginning, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {computeOption, json, serverItem, startHostileService, success} from './hostile-service.ts';
import {openWatched} from './watched-screen.ts';

// One run carries all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

const BOX = 72;
/** Cells of a value in the form, behind its head. */
const ROOM = 54;
const ROWS = {name: 2, nameError: 3, environment: 4, compute: 6, computeError: 7, below: 10} as const;

/** What can be pasted into a field of one line: no line end, and no end of a paste, which a terminal takes out. */
const PASTED = CASES.filter(text => !/[\r\n]|\u001B\[20[01]~/.test(text) && text.isWellFormed());

test(`${CASES.length} texts as environments and compute ids to choose from in the form`, async () => {
	await using service = await startHostileService({
		environments: () => success({environments: CASES.map(text => ({environment_id: text, name: text, description: ''}))}),
		compute: () => success({compute: CASES.map((text, index) => computeOption(text, {compute_id: text, hourly_price: 1 + index / 100}))}),
	});
	await using screen = await openWatched(service, {rows: 26});
	const {terminal, columns} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'environments');
	await screen.shows(` Environments ${CASES.length} `);
	pressAction(terminal, 'environments', 'create');
	pressAction(terminal, 'form', 'next');
	for (const text of CASES) {
		// Exactly this one: Ink's list takes one key at a time, so that the next must not come too early.
		await screen.sees(frame => expect(insideBox(frame, columns, BOX).find(row => row.includes('❯'))?.slice(1, -1).trim()).toBe(`❯ ${fit(`${fit(label(text, 24), 16)} ${label(text, 40)}`, 50)}`.trim()));
		terminal.press('down');
	}
	pressAction(terminal, 'form', 'next');
	for (const text of CASES) {
		pressAction(terminal, 'form', 'later');
		await screen.sees(frame => {
			const box = insideBox(frame, columns, BOX);
			const typed = label(text.replaceAll(/\r\n?/g, '\n'), 60);
			expect(box[ROWS.compute]).toContain(beginning(typed, ROOM));
			expect(box.slice(ROWS.below).join('\n')).toContain(beginning(label(text, 60), 40));
		});
	}
	expect(screen.harm()).toEqual([]);
});

test(`${PASTED.length} texts pasted as the name of a server that exists, and as a compute id that does not`, async () => {
	await using service = await startHostileService({servers: () => success({servers: PASTED.map(text => serverItem(text))})});
	await using screen = await openWatched(service, {rows: 26});
	const {terminal, columns} = screen;
	await screen.shows(` Servers ${PASTED.length} `);
	pressAction(terminal, 'servers', 'create');
	await screen.shows('New server');
	for (const text of PASTED) {
		terminal.paste(text);
		await screen.sees(frame => expect(insideBox(frame, columns, BOX)[ROWS.name]).toContain(beginning(label(text, 63), ROOM)));
		// The cursor stands behind what was pasted, where it fits.
		await screen.sees(() => expect(terminal.cursor().column).toBe(Math.floor((columns - BOX) / 2) + 2 + 14 + Math.min(ROOM, cellWidth(label(text, 63)))));
		pressAction(terminal, 'form', 'next');
		pressAction(terminal, 'form', 'next');
		pressAction(terminal, 'form', 'killToStart');
		terminal.paste(text);
		pressAction(terminal, 'form', 'previous');
		pressAction(terminal, 'form', 'previous');
		await screen.sees(frame => {
			const box = insideBox(frame, columns, BOX);
			if (!text.includes('/')) expect(box[ROWS.nameError]).toContain(beginning(label(`${text} exists already: choose another name`, 300), ROOM));
			expect(box[ROWS.compute]).toContain(beginning(label(text, 60), ROOM));
		});
		pressAction(terminal, 'form', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${PASTED.length} texts pasted as a new server's name: in the summary, and in what the service answers to it`, async () => {
	await using service = await startHostileService({create: ({body}) => json({message: (JSON.parse(body) as {readonly server_name: string}).server_name}, 400)});
	await using screen = await openWatched(service, {rows: 26});
	const {terminal, columns} = screen;
	await screen.shows(/calm +\S ready/);
	// The environment is in the list, and the compute id may be one of the service's own.
	pressAction(terminal, 'servers', 'create');
	await screen.shows('New server');
	const names = PASTED.filter(text => !text.includes('/'));
	for (const text of names) {
		terminal.paste(text);
		for (let count = 0; count < 3; count++) pressAction(terminal, 'form', 'next');
		await screen.sees(frame => expect(insideBox(frame, columns, BOX).some(row => /▸ port/.test(row))).toBe(true));
		terminal.press('enter');
		await screen.sees(frame => expect(insideBox(frame, columns, BOX).join('\n')).toContain(beginning(`  This creates ${label(text, 40)} and starts it.`, BOX - 4)));
		pressAction(terminal, 'confirm', 'yes');
		await screen.sees(frame => {
			const box = insideBox(frame, columns, BOX).slice(ROWS.below).map(row => row.slice(1, -1).trim()).join(' ');
			expect(box.replaceAll(' ', '')).toContain(beginning(label(`refuses the request (400): ${text.slice(0, 300)}`), 60).replaceAll(' ', ''));
		});
		pressAction(terminal, 'form', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
});
