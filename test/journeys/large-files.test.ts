// The first part of a long file is on screen while the rest is loading.
import {expect, test} from 'vitest';
import {
	fileEntry,
	inOneFolder,
	serverItem,
	startHostileService,
	success,
	type Answer,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {largeNotebook} from '../support/large-notebook.ts';

/**
 * A service with a file whose first part arrives at once. The rest arrives when `finish` is called.
 */
const slowFile = async (name: string, content: string, first = 2_000_000) => {
	const rest = Promise.withResolvers<string>();
	const {content: _, ...entry} = fileEntry(name);
	const whole = JSON.stringify({status: 'success', content: {...entry, content}});
	const answer: Answer = {body: whole.slice(0, first), rest: rest.promise};
	const service = await startHostileService({
		servers: () => success({servers: [serverItem('welcome', {url: ''})]}),
		file: ({path}) => (path === name ? answer : inOneFolder([name, 'other.txt'], path)),
	});
	return {service, finish: () => rest.resolve(whole.slice(first))};
};

const openFile = async (terminal: Terminal, name: string): Promise<void> => {
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(name);
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(`file ${name}`);
	pressAction(terminal, 'chooser', 'accept');
};

const ROWS = 200_000;
const CSV = `id,name\n${Array.from({length: ROWS}, (_, row) => `${row},name ${row}\n`).join('')}`;

test('a long CSV shows its first rows and reports that the rest is loading; its table opens once all of it has arrived', async () => {
	const {service, finish} = await slowFile('long.csv', CSV);
	await using _ = service;
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40, env: service.env});
	await terminal.until(/welcome +\S ready/);
	await openFile(terminal, 'long.csv');
	await terminal.until(/long\.csv ─+ reading the rest +1\/\d+…[^]*name 3/);
	pressAction(terminal, 'viewer', 'pageDown');
	await terminal.until(/name 40$/m);
	pressAction(terminal, 'viewer', 'copy');
	await terminal.until('The rest of this file is still being read');
	pressAction(terminal, 'viewer', 'table');
	finish();
	await terminal.until(/long\.csv {2}2 columns · UTF-8 · comma [─ ]+1\/200,000/);
});

test(
	'a long notebook shows its first cells, and is worked in when all of it is there',
	{tags: 'long'},
	async () => {
		const {service, finish} = await slowFile('long.ipynb', largeNotebook(300, 10_000));
		await using _ = service;
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 120, rows: 40, env: service.env});
		await terminal.until(/welcome +\S ready/);
		await openFile(terminal, 'long.ipynb');
		await terminal.until(/long\.ipynb ─+ reading the rest [^]*Part 0/);
		pressAction(terminal, 'viewer', 'runAll');
		await terminal.until('The rest of this file is still being read');
		pressAction(terminal, 'viewer', 'work');
		finish();
		await terminal.until(/saved [^]*cell 1 of 300/);
		expect(service.asked.filter(line => line.includes('run-code'))).toEqual([]);
	},
);

test(
	'of an interrupted long file the start stays, is marked incomplete, and is not taken for the file',
	{tags: 'long'},
	async () => {
		const {service} = await slowFile('long.csv', CSV);
		await using _ = service;
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 120, rows: 40, env: service.env});
		await terminal.until(/welcome +\S ready/);
		await openFile(terminal, 'long.csv');
		await terminal.until(/long\.csv ─+ reading the rest/);
		await service[Symbol.asyncDispose]();
		await terminal.until(/long\.csv ─+ incomplete [^]*name 3[^]*was lost before the[^]*R now/);
		pressAction(terminal, 'viewer', 'copy');
		await terminal.until('Only the beginning of this file arrived');
		pressAction(terminal, 'viewer', 'table');
		pressAction(terminal, 'viewer', 'pageDown');
		await terminal.until(/incomplete [^]*name 40$/m);
	},
);
