import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRunLogs, removeStaleLogs, type LeftRun, type RunLog} from '../../src/storage/run-log.ts';
import {readRunLog} from '../../src/storage/run-log-lines.ts';
import {removeStaleRecords} from '../../src/storage/running-records.ts';
import {openServiceStorage, type ServiceStorage} from '../../src/storage/service-storage.ts';
import {createRandom} from '../support/random.ts';
import {tempFolder} from '../support/temp-folder.ts';

const DAY = 24 * 3600 * 1000;
const NOTEBOOK = {kind: 'notebook', path: 'train.ipynb'} as const;
const cell = (index: number) => ({
	place: {cell: `id-${index}`, index},
	source: `print(${index})`,
	kernel: 'python3',
});
const to = (request: string, session = 'session') => ({kernel: 'kernel', session, request});
const message = (number: number, request: string, text = ''): string =>
	`${number} ${JSON.stringify({parent_header: {msg_id: request}, content: {text}})}`;

const folderOf = (keeper: ServiceStorage): string => join(keeper.fileOf('runs', 'x'), '..');
const filesOf = (keeper: ServiceStorage): readonly string[] => {
	const folder = folderOf(keeper);
	return existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : [];
};
/** Changes the owner of the logs to a process that has ended. */
const orphan = (keeper: ServiceStorage, text = readFileSync(filesOf(keeper)[0]!)): void => {
	const [file] = filesOf(keeper);
	writeFileSync(file!.replace(/\.\d+-\d+\.jsonl$/, '.4194305-1.jsonl'), text);
};
const stateOf = (left: LeftRun | undefined): readonly string[] =>
	(left?.cells ?? []).map(
		({source, to}) => `${source} ${to === null || to === 'service' ? String(to) : to.request}`,
	);

test('the next program sees what waited, what was sent, and the messages, and only the user may read it', () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	const logs = openRunLogs(keeper);
	const log = logs.open('s', NOTEBOOK);
	expect(filesOf(keeper)).toEqual([]);
	const [one = 0, two = 0, three = 0] = log.want([0, 1, 2, 3].map(cell));
	const record = log.record(one);
	record.begin(to('r0'));
	record.log.add('session', message(7, 'r0'));
	log.record(two).begin(to('r1'));
	log.sentToService(three);
	// This process is still running.
	expect(logs.left()).toEqual([]);
	expect(filesOf(keeper).map(file => statSync(file).mode & 0o777)).toEqual([0o600]);
	orphan(keeper);
	const [left] = logs.left('s');
	expect(logs.left('other')).toEqual([]);
	expect([left?.server, left?.document]).toEqual(['s', NOTEBOOK]);
	expect(stateOf(left)).toEqual(['print(0) r0', 'print(1) r1', 'print(2) service', 'print(3) null']);
	expect(left?.channels).toEqual([{session: 'session', came: 0, lines: [message(7, 'r0')]}]);
	// Only one process can take the run over.
	const resumed = logs.resume(left!);
	expect(logs.resume(left!)).toBeNull();
	expect(resumed?.want([cell(4)])).toEqual([5]);
	resumed?.landed([one, two, three, 4, 5]);
	log.landed([one, two, three, 4]);
	expect(filesOf(keeper)).toEqual([]);
});

test('whatever byte a log is cut off at, a cell that was sent is never taken for one that was not', () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	const logs = openRunLogs(keeper);
	const {below} = createRandom(33);
	const log = logs.open('s', NOTEBOOK);
	const numbers = log.want(Array.from({length: 6}, (_, index) => cell(index)));
	const size = (): number => statSync(filesOf(keeper)[0]!).size;
	/** Size of the log at the moment when a cell is written to the socket. */
	const sentAt = new Map<number, number>();
	const landedAt = new Map<number, number>();
	let came = 0;
	for (const number of numbers.slice(0, 5)) {
		log.record(number).begin(to(`r${number}.`));
		sentAt.set(number, size());
		for (let lines = below(4); lines > 0; lines--)
			log.record(number).log.add('session', message(++came, `r${number}.`, 'é\u2028"}'));
		if (below(3) === 0) {
			log.landed([number]);
			landedAt.set(number, size());
		}
	}
	const whole = readFileSync(filesOf(keeper)[0]!);
	for (let cut = 0; cut <= whole.length; cut++) {
		const left = readRunLog(whole.subarray(0, cut).toString());
		for (const [number, bytes] of sentAt) {
			if (bytes > cut || (landedAt.get(number) ?? Infinity) <= cut) continue;
			const found = left?.cells.find(each => each.number === number);
			if (found?.to !== null && found !== undefined) continue;
			throw new Error(`cut at ${cut}: cell ${number} was sent, and reads as ${JSON.stringify(found)}`);
		}
		// Incomplete messages do not count as received: the server sends them again.
		for (const line of left?.channels[0]?.lines ?? []) JSON.parse(line.slice(line.indexOf(' ')));
	}
	// Lines that follow a cut line are readable.
	orphan(keeper, whole.subarray(0, sentAt.get(numbers[4]!)! + 3));
	const [left] = logs.left();
	logs.resume(left!)?.want([cell(20)]);
	orphan(keeper, readFileSync(filesOf(keeper).find(file => readFileSync(file, 'utf8').includes('id-20'))!));
	expect(logs.left().some(each => stateOf(each).includes('print(20) null'))).toBe(true);
});

test('a large log is rewritten without messages of landed cells, and one cell alone fills it', () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	const most = 4096;
	const log = openRunLogs(keeper, most).open('s', NOTEBOOK);
	const [one = 0, two = 0] = log.want([cell(0), cell(1)]);
	const print = (number: number, request: string): void =>
		log.record(one).log.add('session', message(number, request, 'x'.repeat(100)));
	log.record(one).begin(to('first'));
	log.record(two).begin(to('second'));
	for (let number = 1; number <= 20; number++) print(number, 'first');
	log.landed([one]);
	for (let number = 21; number <= 40; number++) print(number, 'second');
	expect(statSync(filesOf(keeper)[0]!).size).toBeLessThan(most);
	const read = (): ReturnType<typeof readRunLog> => readRunLog(readFileSync(filesOf(keeper)[0]!, 'utf8'));
	expect(read()?.channels[0]).toMatchObject({came: 20, lines: {length: 20}});
	for (let number = 41; number <= 400; number++) print(number, 'second');
	expect(statSync(filesOf(keeper)[0]!).size).toBeLessThan(3 * most);
	expect(read()?.cells.map(({to: sent}) => sent)).toEqual([to('second')]);
	expect(filesOf(keeper)).toHaveLength(1);
});

test('a disk that fails leaves no log that says less than it should', () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	writeFileSync(keeper.folderOf('runs'), 'a file in its place');
	const log = openRunLogs(keeper).open('s', NOTEBOOK);
	const [number = 0] = log.want([cell(0)]);
	const record = log.record(number);
	record.begin(to('r'));
	record.log.add('session', message(1, 'r'));
	log.landed([number]);
	expect(number).toBe(1);
});

test('records of an earlier version are taken over once, as one log', () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	mkdirSync(keeper.folderOf('cells'), {recursive: true});
	const record = (id: number, lines: readonly string[]): void => {
		const head = {
			owner: '4194305 1',
			session: 'journal',
			id,
			kernel: 'python3',
			at: {...to(`r${id}`), source: 'x'},
		};
		writeFileSync(
			keeper.fileOf('cells', 's', `running-journal-${id}`),
			[JSON.stringify(head), ...lines, '9 {"cut'].join('\n'),
		);
	};
	record(2, [message(5, 'r2')]);
	record(1, [message(4, 'r1'), message(5, 'r2')]);
	const logs = openRunLogs(keeper);
	expect(logs.left('other')).toEqual([]);
	const [left] = logs.left('s');
	expect(left?.cells.map(({place, to: sent}) => [place, sent])).toEqual([
		[{session: 'journal', id: 1}, to('r1')],
		[{session: 'journal', id: 2}, to('r2')],
	]);
	expect(left?.channels).toEqual([
		{session: 'session', came: 0, lines: [message(4, 'r1'), message(5, 'r2')]},
	]);
	expect(readdirSync(keeper.folderOf('cells'))).toEqual([]);
	expect(logs.left('s')).toHaveLength(1);
});

test('leftovers of a dead program are removed after a month, those of a running one are not', async () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	const log: RunLog = openRunLogs(keeper).open('s', NOTEBOOK);
	log.want([cell(0)]);
	const [mine = ''] = filesOf(keeper);
	const old = (name: string, days: number): string => {
		const file = join(folderOf(keeper), name);
		writeFileSync(file, readFileSync(mine));
		utimesSync(file, 0, (Date.now() - days * DAY) / 1000);
		return file;
	};
	const files = [old('a.4194305-1.jsonl', 31), old('b.4194305-1.jsonl', 29), mine];
	utimesSync(mine, 0, (Date.now() - 60 * DAY) / 1000);
	await removeStaleLogs(keeper, Date.now());
	expect(files.map(file => existsSync(file))).toEqual([false, true, true]);
	await removeStaleRecords(join(folder.path, 'nowhere'), Date.now());
	await removeStaleLogs(openServiceStorage(join(folder.path, 'nowhere'), 'local'), Date.now());
});
