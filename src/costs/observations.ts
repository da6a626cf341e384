// Observations of server lists on disk. Each program appends a line per observation to the file of
// the UTC day. Once the day is over, they are merged into one small file. Each line is a single
// write, so concurrent or killed programs damage nothing.
import {randomBytes} from 'node:crypto';
import {appendFileSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {readIfValid, type ServiceStorage} from '../storage/service-storage.ts';
import {
	snapshotKey,
	mergeObservations,
	startOf,
	type Observation,
	type Snapshot,
} from './observation-spans.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {isRecord, jsonIn} from '../text/record.ts';

const DAY = 86_400_000;
/** Shortest interval between two writes of the same observation, in ms. */
const REPEAT_INTERVAL_MS = 10_000;
/**
 * Largest size of a day's file, in bytes. Later observations of that day are not recorded. 20
 * servers take 120 KB a day.
 */
const MAX_DAY_BYTES = 2 << 20;
/** Limits in files (not dates, since clocks may be wrong) and bytes. The oldest go first. */
export const RETENTION_DAYS = 100;
const MAX_TOTAL_BYTES = 32 << 20;

export type Observations = {
	/** Records a list. @throws Node's error if writing fails. */
	note(seen: Snapshot, at: number): void;
	/** Records a start made here. `rate`: null if unknown. @throws Node's error if that fails. */
	noteStart(server: string, rate: number | null, at: number): void;
	/**
	 * Writes the latest repeated observation, if it is not written yet. @throws Node's error if
	 * that fails.
	 */
	flush(): void;
	/** Observations since `from`, and the last observation before it. */
	read(from: number): readonly Observation[];
	/** Latest day for which the user was notified that the daily limit was passed. */
	readonly announced: {read(): string | null; write(day: string): void};
};

const pairIn = (value: unknown): readonly (readonly [string, number | null])[] =>
	Array.isArray(value) &&
	typeof value[0] === 'string' &&
	(value[1] === null || (typeof value[1] === 'number' && Number.isFinite(value[1])))
		? [[value[0], value[1]]]
		: [];

const snapshotFrom = (value: Readonly<Record<string, unknown>>): Snapshot | null => {
	const {ready, unsure, unclear = [], unreadable} = value;
	if (!Array.isArray(ready) || !Array.isArray(unsure) || typeof unreadable !== 'number') return null;
	const namesIn = (names: readonly unknown[]) => new Set(names.filter(name => typeof name === 'string'));
	return {
		ready: new Map(ready.flatMap(pairIn)),
		unsure: namesIn(unsure),
		unclear: namesIn(Array.isArray(unclear) ? unclear : []),
		unreadable,
		...(value['start'] === true && {isStart: true}),
	};
};

const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 8.64e15;

/** Skips unreadable lines, such as one cut off by a kill. */
const observationsInLines = (text: string): readonly Observation[] => {
	const last = new Map<unknown, Snapshot>();
	return text.split('\n').flatMap(line => {
		const read = jsonIn(line);
		if (!isRecord(read) || !isTime(read['at'])) return [];
		const {at, by} = read;
		const seen = 'ready' in read ? snapshotFrom(read) : (last.get(by) ?? null);
		if (seen === null) return [];
		if (seen.isStart !== true) last.set(by, seen);
		return [{...seen, from: at, to: at}];
	});
};

const observationsInDay = (json: unknown): readonly Observation[] | null =>
	isRecord(json) && Array.isArray(json['looks'])
		? json['looks'].flatMap((each: unknown) => {
				const {from, to} = isRecord(each) ? each : {};
				const seen = isRecord(each) ? snapshotFrom(each) : null;
				return seen !== null && isTime(from) && isTime(to) && to >= from ? [{...seen, from, to}] : [];
			})
		: null;

const plain = ({ready, unsure, unclear, unreadable, isStart}: Snapshot): object => ({
	ready: [...ready],
	unsure: [...unsure],
	...(unclear.size > 0 && {unclear: [...unclear]}),
	unreadable,
	...(isStart === true && {start: true}),
});

const textOf = (file: string): string | null => {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return null;
	}
};
const sizeOf = (file: string): number | null => statSync(file, {throwIfNoEntry: false})?.size ?? null;
const dayOfUtc = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Observations of one service. `profile`: empty if the service was given by its address. */
export const openObservations = (keeper: ServiceStorage, profile: string): Observations => {
	const by = randomBytes(4).toString('base64url');
	const fileOf = (name: string): string => keeper.fileOf('looks', profile, name);
	const folder = dirname(fileOf('told.json'));
	let written: {readonly content: string; readonly at: number; readonly file: string} | null = null;
	/** Time of the latest repeated observation that is not written yet. */
	let pending: number | null = null;

	/** Stored days, oldest first. */
	const days = (): readonly string[] => {
		let names: readonly string[];
		try {
			names = readdirSync(folder);
		} catch {
			return [];
		}
		return [...new Set(names.flatMap(name => /^(\d{4}-\d\d-\d\d)\.jsonl?$/.exec(name)?.[1] ?? []))].sort();
	};
	const readDay = (day: string): readonly Observation[] => [
		...(readIfValid(fileOf(`${day}.json`), observationsInDay) ?? []),
		...observationsInLines(textOf(fileOf(`${day}.jsonl`)) ?? ''),
	];

	/** Merges past days and deletes the oldest. Lines added now to those days may be lost. */
	const tidy = (today: string): void => {
		const yesterday = dayOfUtc(Date.parse(today) - DAY);
		for (const day of days().filter(each => each < yesterday)) {
			const lines = fileOf(`${day}.jsonl`);
			if (sizeOf(lines) === null) continue;
			const looks = mergeObservations(readDay(day)).map(look => ({
				from: look.from,
				to: look.to,
				...plain(look),
			}));
			// Another program may have merged the day.
			if (sizeOf(lines) === null) continue;
			keeper.write(fileOf(`${day}.json`), {looks});
			rmSync(lines, {force: true});
		}
		let [count, bytes] = [0, 0];
		for (const day of days().toReversed()) {
			const files = [`${day}.json`, `${day}.jsonl`].map(name => join(folder, name));
			count++;
			bytes += files.reduce((sum, file) => sum + (sizeOf(file) ?? 0), 0);
			if (count > 1 && (count > RETENTION_DAYS || bytes > MAX_TOTAL_BYTES))
				for (const file of files) rmSync(file, {force: true});
		}
	};

	/** Prepares the file of a day. False if it is full. */
	const hasRoom = (file: string, at: number): boolean => {
		const size = sizeOf(file);
		if (size === null) {
			makeFolder(folder);
			tidy(dayOfUtc(at));
		}
		return size === null || size < MAX_DAY_BYTES;
	};
	const append = (entries: readonly {readonly at: number; readonly seen: Snapshot | null}[]): void => {
		const at = entries.at(-1)?.at ?? 0;
		const file = fileOf(`${dayOfUtc(at)}.jsonl`);
		const lines = entries.map(({at: time, seen}) =>
			JSON.stringify({at: time, by, ...(seen !== null && plain(seen))}),
		);
		// The leading line end completes a line that was cut off by a kill.
		appendFileSync(file, `\n${lines.join('\n')}\n`, {mode: 0o600});
	};
	const flush = (): void => {
		if (pending === null || written === null) return;
		const at = pending;
		pending = null;
		const size = sizeOf(written.file);
		if (size !== null && size < MAX_DAY_BYTES && written.file === fileOf(`${dayOfUtc(at)}.jsonl`))
			append([{at, seen: null}]);
	};

	return {
		note(seen, at) {
			if (!isTime(at)) return;
			const content = snapshotKey(seen);
			const file = fileOf(`${dayOfUtc(at)}.jsonl`);
			const isSame = written?.content === content && written.file === file;
			const since = written === null ? -1 : at - written.at;
			if (isSame && since >= 0 && since < REPEAT_INTERVAL_MS) {
				pending = at;
				return;
			}
			if (!isSame || (pending !== null && Math.abs(at - pending) > REPEAT_INTERVAL_MS)) flush();
			pending = null;
			const isThere = sizeOf(file) !== null;
			const isOpen = hasRoom(file, at);
			written = {content, at, file};
			if (isOpen) append([{at, seen: isSame && isThere ? null : seen}]);
		},
		noteStart(server, rate, at) {
			if (isTime(at) && hasRoom(fileOf(`${dayOfUtc(at)}.jsonl`), at))
				append([{at, seen: startOf(server, rate)}]);
		},
		flush,
		read(from) {
			const all = days();
			const first = dayOfUtc(from);
			// The previous stored day may hold the last observation before `from`.
			const before = all.filter(day => day < first).slice(-1);
			return [...before, ...all.filter(day => day >= first)].flatMap(readDay);
		},
		announced: {
			read: () =>
				readIfValid(fileOf('told.json'), json =>
					isRecord(json) && typeof json['day'] === 'string' ? json['day'] : null,
				),
			write: day => keeper.write(fileOf('told.json'), {day}),
		},
	};
};
