import {expect, test} from 'vitest';
import {createClient} from '../../../src/api/client.ts';
import {unlogged} from '../../support/unasked-link.ts';
import type {CellJournal, CellOutcome} from '../../../src/storage/cell-journal.ts';
import {EMPTY_REPL, type Repl} from '../../../src/tui/repl/transcript.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {cell} from '../../support/factories.ts';
import {httpPeer, type Peer} from '../../support/peer.ts';
import {storeOn as storeOnAddress} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {replSession} from '../../../src/tui/repl/session.ts';

/** A service that runs every cell at once; code that contains `raise` fails. */
const startService = async (): Promise<Peer & {readonly codes: string[]}> => {
	const codes: string[] = [];
	const peer = await httpPeer((response, _, body) => {
		const {code} = JSON.parse(body) as {code: string};
		codes.push(code);
		const outputs = code.includes('raise')
			? [{output_type: 'error', ename: 'E', evalue: code, traceback: []}]
			: [];
		response
			.writeHead(200, {'content-type': 'application/json'})
			.end(
				JSON.stringify({
					status: 'success',
					content: {cell_type: 'code', execution_count: codes.length, metadata: {}, source: code, outputs},
				}),
			);
	});
	return Object.assign(peer, {codes});
};

const storeOn = (peer: Peer, journal?: CellJournal): Store =>
	storeOnAddress(peer.url, journal && {journal: async () => journal});
const replOf = (store: Store): Repl => store.getState().repls.get('s') ?? EMPTY_REPL;
const states = (store: Store): readonly string[] => replOf(store).cells.map(({state}) => state);

test('the next cell is not sent before the one before it is on disk', async () => {
	await using peer = await startService();
	const written: CellOutcome[] = [];
	const disk = Promise.withResolvers<void>();
	const store = storeOn(peer, {
		...unlogged,
		asked: async () => {},
		async ended(_, cell) {
			await disk.promise;
			written.push(cell);
		},
		read: async () => ({history: [], cells: [], unreadable: 0, rest: null}),
	});
	replSession(store.getState).runCell('s', 'one');
	await waitFor(() => expect(states(store)).toEqual(['done']));
	replSession(store.getState).runCell('s', 'two');
	expect(peer.codes).toEqual(['one']);
	disk.resolve();
	await waitFor(() => expect(states(store)).toEqual(['done', 'done']));
	expect(peer.codes).toEqual(['one', 'two']);
	expect(written[0]).toMatchObject({id: 1, state: 'done', result: {execution_count: 1}});
});

test('a cell is on disk before it is sent', async () => {
	const order: string[] = [];
	const store = storeOnAddress('http://127.0.0.1:9', {
		client: async () => ({
			...createClient({baseUrl: 'http://127.0.0.1:9', apiKey: 'key'}),
			async runCode(_, {code}) {
				order.push(`${code} sent`);
				return {
					ok: true,
					value: {cell_type: 'code', execution_count: 1, metadata: {}, source: code, outputs: []},
				};
			},
		}),
		journal: async () => ({
			...unlogged,
			async asked(_, {source}) {
				// Resolves in a later turn of the event loop, like a write to a disk. The other
				// tests do not need that.
				await new Promise(resolve => setImmediate(resolve));
				order.push(`${source} kept`);
			},
			ended: async () => {},
			read: async () => ({history: [], cells: [], unreadable: 0, rest: null}),
		}),
	});
	for (const code of ['one', 'two']) {
		replSession(store.getState).runCell('s', code);
		await waitFor(() => expect(replOf(store).cells.at(-1)).toMatchObject({source: code, state: 'done'}));
	}
	expect(order).toEqual(['one kept', 'one sent', 'two kept', 'two sent']);
});

test('a disk that takes nothing is reported once and stops no work', async () => {
	await using peer = await startService();
	const full = async (): Promise<never> => Promise.reject(new Error('disk full'));
	const store = storeOn(peer, {...unlogged, asked: full, ended: full, read: full});
	replSession(store.getState).runCell('s', 'one');
	replSession(store.getState).runCell('s', 'two');
	await waitFor(() => expect(states(store)).toEqual(['done', 'done']));
	expect(store.getState().notices.filter(({text}) => text.includes('disk full'))).toHaveLength(1);
});

test('of cells submitted together none runs after a failed one; others in the queue do', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	replSession(store.getState).runCells('s', ['a', 'raise b', 'c', 'd']);
	replSession(store.getState).runCell('s', 'typed');
	await waitFor(() => expect(states(store)).toEqual(['done', 'done', 'skipped', 'skipped', 'done']));
	expect(peer.codes).toEqual(['a', 'raise b', 'typed']);
});

test('a waiting cell can be removed from the queue, a running one cannot', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	replSession(store.getState).runCell('s', 'one');
	replSession(store.getState).runCell('s', 'two');
	replSession(store.getState).dropCell('s', 1);
	replSession(store.getState).dropCell('s', 2);
	await waitFor(() => expect(states(store)).toEqual(['done', 'skipped']));
	expect(peer.codes).toEqual(['one']);
});

test('cells of earlier programs precede those run since', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	replSession(store.getState).runCell('s', 'now');
	await waitFor(() => expect(states(store)).toEqual(['done']));
	const [now] = replOf(store).cells;
	replSession(store.getState).putBackCells('s', {
		history: ['before'],
		cells: [{...now!, id: -1, earlier: {session: 'before', at: 5}, source: 'before'}],
		kernel: 'other',
		rest: null,
	});
	expect(replOf(store).cells.map(({source}) => source)).toEqual(['before', 'now']);
	expect(replOf(store)).toMatchObject({history: ['before', 'now'], historyAt: 2, kernel: 'other'});
});

test('the transcript has the cells of the last program; earlier ones are loaded on request', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	const earlier = (session: string, count: number, from: number) =>
		Array.from({length: count}, (_, index) =>
			cell({id: from + index, source: `${session} ${index}`, earlier: {session, at: index}}),
		);
	replSession(store.getState).putBackCells('s', {
		history: [],
		cells: [...earlier('first', 300, -400), ...earlier('second', 50, -100), ...earlier('third', 50, -50)],
		kernel: null,
		rest: '/older',
	});
	const counts = () => [replOf(store).cells.length, replOf(store).older.length];
	expect(counts()).toEqual([50, 350]);
	replSession(store.getState).showOlder('s', 'some');
	expect(counts()).toEqual([250, 150]);
	expect(replOf(store).cells[0]?.source).toBe('first 150');
	replSession(store.getState).showOlder('s', 'all');
	expect(counts()).toEqual([400, 0]);
	expect(replOf(store).cells.map(({id}) => id)).toEqual(Array.from({length: 400}, (_, index) => index - 400));
});

test('the time that a cell waits for the previous one is not part of its duration, in any queue', async () => {
	// The test decides when the service responds to each cell, and in which order.
	const answers: Array<() => void> = [];
	await using peer = await httpPeer((response, _, body) => {
		const {code} = JSON.parse(body) as {code: string};
		answers.push(() =>
			response
				.writeHead(200, {'content-type': 'application/json'})
				.end(
					JSON.stringify({
						status: 'success',
						content: {cell_type: 'code', execution_count: 1, metadata: {}, source: code, outputs: []},
					}),
				),
		);
	});
	let clock = 1000;
	const store = storeOnAddress(peer.url, {now: () => clock});
	const times = (): readonly (readonly [number | null, number | null])[] =>
		replOf(store).cells.map(({startedAt, endedAt}) => [startedAt, endedAt]);
	replSession(store.getState).runCells('s', ['first']);
	replSession(store.getState).runCells('s', ['second']);
	replSession(store.getState).runCells('s', ['third']);
	await waitFor(() => expect(answers).toHaveLength(1));
	// The second cell has been sent while the service still runs the first; the third waits in the
	// program.
	replSession(store.getState).stopCell('s');
	await waitFor(() => expect(answers).toHaveLength(2));
	expect(times()).toEqual([
		[1000, null],
		[null, null],
		[null, null],
	]);
	clock = 61_000;
	answers[0]?.();
	await waitFor(() =>
		expect(times()).toEqual([
			[1000, 61_000],
			[61_000, null],
			[null, null],
		]),
	);
	clock = 62_000;
	answers[1]?.();
	await waitFor(() => expect(answers).toHaveLength(3));
	clock = 65_000;
	answers[2]?.();
	await waitFor(() =>
		expect(times()).toEqual([
			[1000, 61_000],
			[61_000, 62_000],
			[62_000, 65_000],
		]),
	);
});
