import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pressAction} from '../support/press-action.ts';
import {newHome} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';
import {openFile, openOnService, withCurl} from './open-files.ts';
import {peakMemory} from './process-costs.ts';

const ROWS = 1_000_000;
const OPENINGS = 6;
const PAGES = 120;

/** A million rows of about 100 characters. */
const csv = (): string => {
	const parts = ['id,name,price,region,note\n'];
	for (let row = 0; row < ROWS; row++)
		parts.push(`${row},name ${row},${(row * 7919) % ROWS}.5,${row % 13},`.padEnd(99, 'x'), '\n');
	return parts.join('');
};

/**
 * A CSV file of 100 MB: time from Enter to its rows, the full-screen table, paging, sorting, and
 * the memory after six openings.
 */
export const tables = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	await using service = await startBenchService(home);
	const {terminal: screens, folder} = await openOnService(home, service);
	await using terminal = screens;
	await writeFile(join(folder, 'big.csv'), csv());
	await writeFile(join(folder, 'small.csv'), 'a,b\nsmall file,2\n');
	pressAction(terminal, 'global', 'files');
	await terminal.until('listed by the service');
	const curl: number[] = [];
	const opened: number[] = [];
	const memory: number[] = [];
	const first: number[] = [];
	for (let time = 0; time < OPENINGS; time++) {
		curl.push(await withCurl(home, service, 'big.csv'));
		await openFile(terminal, 'small.csv', /small file +2/);
		opened.push(await openFile(terminal, 'big.csv', /name 3 +\d/));
		const pressed = performance.now();
		pressAction(terminal, 'viewer', 'table');
		await terminal.until(/big\.csv {2}5 columns/, 60_000);
		first.push(performance.now() - pressed);
		await terminal.until(/ 1\/1,000,000$/m, 60_000);
		memory.push(await peakMemory(terminal.pid));
		if (time < OPENINGS - 1) pressAction(terminal, 'tableRows', 'close');
	}
	const pages: number[] = [];
	for (let page = 0; page < PAGES; page++)
		pages.push(await keyToFrame(terminal, () => pressAction(terminal, 'tableRows', 'pageDown')));
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'right');
	const begun = performance.now();
	pressAction(terminal, 'tableRows', 'sort');
	await terminal.until(/Sorting \d+%/, 60_000);
	const keys: number[] = [];
	for (let press = 0; press < 5; press++)
		keys.push(await keyToFrame(terminal, () => pressAction(terminal, 'tableRows', 'down')));
	await terminal.until(/sorted by price/, 120_000);
	const sorted = performance.now() - begun;
	return [
		{
			id: 'P7',
			what: 'CSV of 100 MB: Enter to its first rows',
			unit: 'ms',
			values: opened,
			reference: {what: 'curl of the same GET', values: curl},
			budget: {figure: 'ratio', atMost: 1.1},
		},
		{id: 'P7', what: 'the same, from t to the table', unit: 'ms', values: first},
		{
			id: 'P7',
			what: `${PAGES} page-downs in the table of a million rows`,
			unit: 'ms',
			values: pages,
			budget: {figure: 'p95', atMost: 16},
		},
		{id: 'P7', what: 'sort of a million rows by a column of numbers', unit: 'ms', values: [sorted]},
		{id: 'P7', what: 'a key while they are sorted', unit: 'ms', values: keys},
		{
			id: 'P11',
			what: 'peak memory of the screens: six openings against one',
			unit: 'MB',
			values: memory.slice(-1),
			reference: {what: 'one opening', values: memory.slice(0, 1)},
			budget: {figure: 'ratio', atMost: 1.1},
		},
	];
};
