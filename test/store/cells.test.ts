import {expect, test, vi} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import type {CellJournal, EndedCell} from '../../src/settings/cell-journal.ts';
import {EMPTY_REPL, type Repl} from '../../src/store/cells.ts';
import {createStore, type Store} from '../../src/store/store.ts';
import {httpPeer, type Peer} from '../support/peer.ts';

/** A service that runs every cell at once; code that holds `raise` fails. */
const startService = async (): Promise<Peer & {readonly codes: string[]}> => {
	const codes: string[] = [];
	const peer = await httpPeer((response, _, body) => {
		const {code} = JSON.parse(body) as {code: string};
		codes.push(code);
		const outputs = code.includes('raise') ? [{output_type: 'error', ename: 'E', evalue: code, traceback: []}] : [];
		response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({status: 'success', content: {cell_type: 'code', execution_count: codes.length, metadata: {}, source: code, outputs}}));
	});
	return Object.assign(peer, {codes});
};

const storeOn = (peer: Peer, journal?: CellJournal): Store => createStore({
	client: async () => createClient({baseUrl: peer.url, apiKey: 'key'}), now: Date.now, copy() {}, edit: async () => Promise.reject(new Error('no editor')), open: async () => false,
	...(journal && {journal: async () => journal}),
});
const replOf = (store: Store): Repl => store.getState().repls.get('s') ?? EMPTY_REPL;
const states = (store: Store): readonly string[] => replOf(store).cells.map(({state}) => state);

test('the next cell is not sent before the one before it is on disk', async () => {
	await using peer = await startService();
	const written: EndedCell[] = [];
	const disk = Promise.withResolvers<void>();
	const store = storeOn(peer, {
		asked: async () => {},
		async ended(_, cell) {
			await disk.promise;
			written.push(cell);
		},
		read: async () => ({history: [], cells: [], unreadable: 0}),
	});
	store.getState().runCell('s', 'one');
	await vi.waitFor(() => expect(states(store)).toEqual(['done']));
	store.getState().runCell('s', 'two');
	expect(peer.codes).toEqual(['one']);
	disk.resolve();
	await vi.waitFor(() => expect(states(store)).toEqual(['done', 'done']));
	expect(peer.codes).toEqual(['one', 'two']);
	expect(written[0]).toMatchObject({id: 1, state: 'done', result: {execution_count: 1}});
});

test('a disk that takes nothing is told once and stops no work', async () => {
	await using peer = await startService();
	const full = async (): Promise<never> => Promise.reject(new Error('disk full'));
	const store = storeOn(peer, {asked: full, ended: full, read: full});
	store.getState().runCell('s', 'one');
	store.getState().runCell('s', 'two');
	await vi.waitFor(() => expect(states(store)).toEqual(['done', 'done']));
	expect(store.getState().notices.filter(({text}) => text.includes('disk full'))).toHaveLength(1);
});

test('of cells that were ordered together none runs after one that failed; others in the queue do', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	store.getState().runCells('s', ['a', 'raise b', 'c', 'd']);
	store.getState().runCell('s', 'typed');
	await vi.waitFor(() => expect(states(store)).toEqual(['done', 'done', 'skipped', 'skipped', 'done']));
	expect(peer.codes).toEqual(['a', 'raise b', 'typed']);
});

test('a cell that waits can be taken out of the queue, one that runs cannot', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	store.getState().runCell('s', 'one');
	store.getState().runCell('s', 'two');
	store.getState().dropCell('s', 1);
	store.getState().dropCell('s', 2);
	await vi.waitFor(() => expect(states(store)).toEqual(['done', 'skipped']));
	expect(peer.codes).toEqual(['one']);
});

test('what earlier programs have run comes before what was run since', async () => {
	await using peer = await startService();
	const store = storeOn(peer);
	store.getState().runCell('s', 'now');
	await vi.waitFor(() => expect(states(store)).toEqual(['done']));
	const [now] = replOf(store).cells;
	store.getState().putBackCells('s', {history: ['before'], cells: [{...now!, id: -1, earlier: 5, source: 'before'}], kernel: 'other'});
	expect(replOf(store).cells.map(({source}) => source)).toEqual(['before', 'now']);
	expect(replOf(store)).toMatchObject({history: ['before', 'now'], historyAt: 2, kernel: 'other'});
});
