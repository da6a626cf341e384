// The journal of each task that an assistant was given, a file of lines each. It holds what files held, whole: ours alone (0600).
import {appendFileSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {ServiceStorage} from './service-storage.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {jsonIn} from '../text/record.ts';

export type TaskJournal = {
	/** Lines that are whole, as values; what a kill has cut is none. */
	read(): readonly unknown[];
	/** On disk when it returns. @throws Node's error */
	add(event: object): void;
};

const journalIn = (file: string): TaskJournal => ({
	read: () =>
		readFileSync(file, 'utf8')
			.split('\n')
			.slice(0, -1)
			.map(jsonIn)
			.filter(value => value !== undefined),
	add: event => appendFileSync(file, `${JSON.stringify(event)}\n`),
});

/** `id`: sorts by time. @throws Node's error */
export const newTaskJournal = (keeper: ServiceStorage, server: string, id: string): TaskJournal => {
	const file = keeper.fileOf('tasks', server, id);
	makeFolder(dirname(file));
	writeFileSync(file, '', {flag: 'wx', mode: 0o600});
	return journalIn(file);
};

/** Of the task that began last on a server; null: there was none. */
export const lastTaskJournal = (keeper: ServiceStorage, server: string): TaskJournal | null => {
	const folder = dirname(keeper.fileOf('tasks', server, ''));
	try {
		const last = readdirSync(folder)
			.filter(name => name.endsWith('.jsonl'))
			.toSorted()
			.at(-1);
		if (last === undefined) return null;
		const file = join(folder, last);
		// A line that a kill has cut must not be the beginning of the next one.
		if (!/(?:^|\n)$/.test(readFileSync(file, 'utf8'))) appendFileSync(file, '\n');
		return journalIn(file);
	} catch {
		return null;
	}
};
