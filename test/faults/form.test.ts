// @module-tag long
import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {cellWidth} from '../../src/text/width/width.ts';
import {pressAction} from '../support/press-action.ts';
import {asReason, beginning, fieldRows, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {computeOption, json, serverItem, startHostileService, success} from './hostile-service.ts';
import {openWatched} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

/** Number of cells of a form value that are checked. */
const ROOM = 50;

/**
 * Texts that can be pasted into a single-line field: they contain no line ends, and no end mark of
 * a paste, which terminals remove.
 */
const PASTED = CASES.filter(text => !/[\r\n]|\u001B\[20[01]~/.test(text) && text.isWellFormed());

test(`${CASES.length} texts as environments and compute ids to choose from in the form`, async () => {
	await using service = await startHostileService({
		environments: () =>
			success({environments: CASES.map(text => ({environment_id: text, name: text, description: ''}))}),
		compute: () =>
			success({
				compute: CASES.map((text, index) =>
					computeOption(text, {compute_id: text, hourly_price: 1 + index / 100}),
				),
			}),
	});
	await using screen = await openWatched(service, {rows: 26});
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'environments');
	await screen.shows(` Environments ${CASES.length} `);
	pressAction(terminal, 'environments', 'create');
	for (const name of ['environment', 'compute'] as const) {
		pressAction(terminal, 'form', 'next');
		await screen.sees(frame => expect(fieldRows(insideBox(frame), name).field).toContain(`▸ ${name}`));
		for (const [index, text] of CASES.entries()) {
			// The form starts with the first environment, so its field needs no key.
			if (name === 'compute' || index > 0) pressAction(terminal, 'form', 'later');
			await screen.sees(frame => {
				const box = insideBox(frame);
				const {field} = fieldRows(box, name);
				const typed = label(text.replaceAll(/\r\n?/g, '\n'));
				if (cellWidth(typed) < ROOM) expect(field).toContain(typed.trim());
				expect(box.slice(box.indexOf(field) + 1).find(row => row.includes('▸'))).toContain(
					beginning(label(text), 20),
				);
			});
		}
	}
	expect(screen.harm()).toEqual([]);
});

test(`${PASTED.length} texts pasted as the name of a server that exists, and as a compute id that does not`, async () => {
	await using service = await startHostileService({
		servers: () => success({servers: PASTED.map(text => serverItem(text))}),
	});
	await using screen = await openWatched(service, {rows: 26});
	const {terminal} = screen;
	await screen.shows(` Servers ${PASTED.length} `);
	pressAction(terminal, 'servers', 'create');
	await screen.shows('Rent a server');
	pressAction(terminal, 'review', 'name');
	pressAction(terminal, 'form', 'killToStart');
	await screen.sees(frame => expect(fieldRows(insideBox(frame), 'name').field).toMatch(/▸ name +│$/));
	const start = terminal.cursor().column;
	for (const text of PASTED) {
		terminal.paste(text);
		// The field shows the end of a long text.
		const safe = label(text, 4000);
		await screen.sees(frame =>
			expect(fieldRows(insideBox(frame), 'name').field).toContain(
				cellWidth(safe) < ROOM ? safe.trim() : '▸ name',
			),
		);
		// The cursor follows the pasted text if there is room.
		const cells = cellWidth(safe);
		await screen.sees(frame => {
			const {column, row} = terminal.cursor();
			if (cells < ROOM) expect(column).toBe(start + cells);
			else expect(frame[row]?.slice(column).some(cell => cell === '│')).toBe(true);
		});
		pressAction(terminal, 'form', 'next');
		pressAction(terminal, 'form', 'next');
		pressAction(terminal, 'form', 'killToStart');
		terminal.paste(text);
		pressAction(terminal, 'form', 'previous');
		pressAction(terminal, 'form', 'previous');
		await screen.sees(frame => {
			const box = insideBox(frame);
			if (!text.includes('/'))
				expect(fieldRows(box, 'name').error).toContain(
					beginning(label(`${label(text, 20)} already exists: choose another name`, 300), ROOM),
				);
			expect(fieldRows(box, 'compute').field).toContain(beginning(label(text, 60), 30));
		});
		pressAction(terminal, 'form', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${PASTED.length} texts pasted as a new server's name: in the summary, and in the service's response`, async () => {
	await using service = await startHostileService({
		create: ({body}) =>
			json({message: (JSON.parse(body) as {readonly server_name: string}).server_name}, 400),
	});
	await using screen = await openWatched(service, {rows: 26});
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	// The environment is one of the list. The compute option may be an id that only the service
	// knows.
	pressAction(terminal, 'servers', 'create');
	await screen.shows('Rent a server');
	pressAction(terminal, 'review', 'name');
	pressAction(terminal, 'form', 'killToStart');
	await screen.sees(frame => expect(fieldRows(insideBox(frame), 'name').field).toContain('▸ name'));
	const names = PASTED.filter(text => !text.includes('/'));
	for (const text of names) {
		terminal.paste(text);
		pressAction(terminal, 'form', 'accept');
		await screen.sees(frame => expect(insideBox(frame).join('\n')).toContain('y Rent'));
		pressAction(terminal, 'confirm', 'yes');
		await screen.sees(frame => {
			const box = insideBox(frame)
				.map(row => row.slice(1, -1).trim())
				.join(' ');
			expect(box.replaceAll(' ', '')).toContain(
				beginning(label(`rejected the request (400): ${asReason(text)}`), 60).replaceAll(' ', ''),
			);
		});
		pressAction(terminal, 'review', 'name');
		await screen.sees(frame => expect(fieldRows(insideBox(frame), 'name').field).toContain('▸ name'));
		pressAction(terminal, 'form', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
});
