// Reads records of running cells by earlier versions, one file per cell. They are converted to run
// logs once.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {readdir, readFile, rm, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as z from 'zod';
import {isOwned} from '../machine/process-identity.ts';
import {jsonIn} from '../text/record.ts';
import {messageLine, runLine} from './run-log-lines.ts';
import type {ServiceStorage} from './service-storage.ts';

const head = z.object({
	/** Identity of the process that runs the cell. */
	owner: z.string(),
	/** Session in the journal, and the cell's number in it. */
	session: z.string(),
	id: z.int(),
	/** Kernel name. */
	kernel: z.string(),
	at: z.object({kernel: z.string(), session: z.string(), request: z.string(), source: z.string()}),
});
type Head = z.infer<typeof head>;

const RETENTION_MS = 30 * 24 * 3600 * 1000;

/** Header of the last program that continued the record. Each program adds its own header. */
const lastHead = (lines: readonly string[]): Head | undefined =>
	lines
		.filter(line => line.startsWith('{'))
		.map(line => head.safeParse(jsonIn(line)).data)
		.at(-1);

/**
 * Removes records of ended programs for servers that were not opened for a month. Never rejects.
 */
export const removeStaleRecords = async (folder: string, now: number): Promise<void> => {
	for (const name of await readdir(folder).catch(() => [])) {
		if (!name.includes('.running-')) continue;
		const file = join(folder, name);
		try {
			if (now - (await stat(file)).mtimeMs < RETENTION_MS) continue;
			const last = lastHead((await readFile(file, 'utf8')).split('\n'));
			if (last === undefined || !isOwned(last.owner)) await rm(file);
		} catch {
			// The next start tries again.
		}
	}
};

/**
 * Records that ended programs left for a server, converted to a run log, and the files of the
 * records. Each record contains all messages since its cell was sent. Therefore the longest record
 * of a session includes all others.
 */
export const recordsAsLog = (
	keeper: ServiceStorage,
	server: string,
	now: number,
): {readonly text: string; readonly files: readonly string[]} => {
	const folder = keeper.folderOf('cells');
	const [before = '', after = ''] = basename(keeper.fileOf('cells', server, 'running-*')).split('*');
	if (!existsSync(folder)) return {text: '', files: []};
	const found = readdirSync(folder)
		.filter(name => name.startsWith(before) && name.endsWith(after))
		.flatMap(name => {
			const file = join(folder, name);
			const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
			const last = lastHead(lines);
			if (last === undefined || isOwned(last.owner)) return [];
			return [{file, head: last, lines: lines.filter(line => line !== '' && !line.startsWith('{'))}];
		})
		.sort((one, other) => one.head.id - other.head.id);
	const sessions = [...new Set(found.map(({head: {at}}) => at.session))];
	const text = [
		runLine({head: {server, document: {kind: 'repl'}}}),
		...found.flatMap(({head: {session, id, kernel, at}}, index) => [
			runLine({cell: index + 1, place: {session, id}, source: at.source, kernel, at: now}),
			runLine({sent: index + 1, to: {kernel: at.kernel, session: at.session, request: at.request}}),
		]),
		...sessions.flatMap((session, index) => {
			const [longest = []] = found
				.filter(({head: {at}}) => at.session === session)
				.map(({lines}) => lines)
				.sort((one, other) => other.length - one.length);
			return [runLine({channel: index + 1, session}), ...longest.map(line => messageLine(index + 1, line))];
		}),
	].join('');
	return {text, files: found.map(({file}) => file)};
};
