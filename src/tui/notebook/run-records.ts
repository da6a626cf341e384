// Records cells of notebooks in the logs of their documents, from the user's request to run them
// until their outputs are on disk.
import type {LiveRecorder} from '../../api/client-types.ts';
import type {RunLog, WantedCell} from '../../storage/run-log.ts';
import {keyOf, type ServerFile} from '../files/content.ts';

type Logged = {readonly log: RunLog; readonly number: number};

/** `key`: the key of a cell in its notebook. */
export type RunRecords = {
	want(file: ServerFile, cells: readonly (WantedCell & {readonly key: number})[]): void;
	/** Records a cell in a log that was taken over from an ended program. */
	takeUp(file: ServerFile, key: number, logged: Logged): void;
	record(file: ServerFile, key: number): Promise<LiveRecorder | undefined>;
	sentToService(file: ServerFile, key: number): void;
	/** Forgets a cell that will not run, or that has no outputs. */
	drop(file: ServerFile, key: number): void;
	/** Records that the outputs of a cell are in the notebook. */
	ended(file: ServerFile, key: number): void;
	/** Call this before the notebook is written, and the returned function once it is on disk. */
	landing(file: ServerFile): () => void;
};

/** `logOf`: resolves to null if the disk cannot be used. */
export const createRunRecords = (logOf: (file: ServerFile) => Promise<RunLog | null>): RunRecords => {
	const wanted = new Map<string, Map<number, Promise<Logged | null>>>();
	/** Ended cells whose outputs are not on disk yet, by notebook. */
	const ended = new Map<string, readonly Promise<Logged | null>[]>();
	const wantedOf = (file: ServerFile): Map<number, Promise<Logged | null>> => {
		const known = wanted.get(keyOf(file)) ?? new Map<number, Promise<Logged | null>>();
		wanted.set(keyOf(file), known);
		return known;
	};
	const take = (file: ServerFile, key: number): Promise<Logged | null> | undefined => {
		const entry = wantedOf(file).get(key);
		wantedOf(file).delete(key);
		return entry;
	};
	const land = async (entries: readonly Promise<Logged | null>[]): Promise<void> => {
		const found = (await Promise.all(entries)).filter(each => each !== null);
		for (const [log, cells] of Map.groupBy(found, each => each.log))
			log.landed(cells.map(({number}) => number));
	};
	return {
		want(file, cells) {
			const numbers = logOf(file).then(log =>
				log === null
					? null
					: {log, numbers: log.want(cells.map(({place, source, kernel}) => ({place, source, kernel})))},
			);
			for (const [index, {key}] of cells.entries())
				wantedOf(file).set(
					key,
					numbers.then(found => {
						const number = found?.numbers[index];
						return found === null || number === undefined ? null : {log: found.log, number};
					}),
				);
		},
		takeUp: (file, key, logged) => void wantedOf(file).set(key, Promise.resolve(logged)),
		async record(file, key) {
			const entry = await wantedOf(file).get(key);
			return entry?.log.record(entry.number);
		},
		sentToService(file, key) {
			void wantedOf(file)
				.get(key)
				?.then(entry => entry?.log.sentToService(entry.number));
		},
		drop(file, key) {
			const entry = take(file, key);
			if (entry) void land([entry]);
		},
		ended(file, key) {
			const entry = take(file, key);
			if (entry) ended.set(keyOf(file), [...(ended.get(keyOf(file)) ?? []), entry]);
		},
		landing(file) {
			const entries = ended.get(keyOf(file)) ?? [];
			return () => {
				if (entries.length === 0) return;
				const rest = (ended.get(keyOf(file)) ?? []).filter(each => !entries.includes(each));
				ended.set(keyOf(file), rest);
				void land(entries);
			};
		},
	};
};
