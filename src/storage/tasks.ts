// Journals of the assistant's tasks, JSON lines. Private (0600), since they contain whole files.
import {appendFileSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {ServiceStorage} from './service-storage.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {jsonIn} from '../text/record.ts';

export type TaskJournal = {
	/** Values of the complete lines. A line cut off by a kill is skipped. */
	read(): readonly unknown[];
	/** Appends an event, which is on disk at the return. @throws Node's error if that fails. */
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

/** Creates a journal. `id`: its order is that of time. @throws Node's error if that fails. */
export const newTaskJournal = (keeper: ServiceStorage, server: string, id: string): TaskJournal => {
	const file = keeper.fileOf('tasks', server, id);
	makeFolder(dirname(file));
	writeFileSync(file, '', {flag: 'wx', mode: 0o600});
	return journalIn(file);
};

/** Journal of the latest task on a server. Null if there is none. */
export const lastTaskJournal = (keeper: ServiceStorage, server: string): TaskJournal | null => {
	const folder = dirname(keeper.fileOf('tasks', server, ''));
	try {
		const last = readdirSync(folder)
			.filter(name => name.endsWith('.jsonl'))
			.toSorted()
			.at(-1);
		if (last === undefined) return null;
		const file = join(folder, last);
		// Ends a line that was cut off by a kill, so that the next line starts on its own.
		if (!/(?:^|\n)$/.test(readFileSync(file, 'utf8'))) appendFileSync(file, '\n');
		return journalIn(file);
	} catch {
		return null;
	}
};
