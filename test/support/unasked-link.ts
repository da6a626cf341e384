import type {Live, LiveCell, LiveFiles, LiveKernels} from '../../src/api/client-types.ts';
import type {CellJournal} from '../../src/storage/cell-journal.ts';
import type {RunLog} from '../../src/storage/run-log.ts';

const none = async () =>
	({
		ok: false,
		failure: {kind: 'not-found', method: 'GET', path: '', message: 'There are no files here.'},
	}) as const;

/** Files of a live link, for tests that never use them. */
export const unaskedFiles: LiveFiles = {list: none, stat: none, move: none, makeFolder: none, remove: none};

/** Shell of a live link to a server without terminals. */
export const noShell: Live['shell'] = async () => ({says: 'it offers no terminals'});
const noKernel = async () =>
	({
		ok: false,
		failure: {kind: 'not-found', method: 'GET', path: '', message: 'There are no kernels here.'},
	}) as const;

/** Kernels of a live link, for tests that only use the default kernel. */
export const unaskedKernels: LiveKernels = {
	idOf: noKernel,
	sharing: async () => ({ok: true, value: {with: [], why: null}}),
	async end() {},
	list: noKernel,
	specs: async () => [{name: 'python3', displayName: 'Python 3', language: 'python'}],
	replace: noKernel,
	hears: async () => true,
	use() {},
	interrupt: noKernel,
	restart: noKernel,
	shutDown: noKernel,
};

/** Shutdown of a live link, for tests that never use it. */
export const neverShutDown = noKernel satisfies Live['shutDown'];

/** Resource use of a live link to a server that does not report it. */
export const untold: Live['load'] = async () => null;

/** A live link without cells that an earlier process has left. */
export const nothingLeft: Live['goOn'] = async () => {
	throw new Error('no cell was left');
};

/** Members of a cell that asks for no input and has already ended. */
export const plainCell: Omit<LiveCell, 'ended' | 'now'> = {
	came: () => 0,
	drawn: () => 0,
	interrupt() {},
	life: () => null,
	others: () => 0,
	asks: () => null,
	answer() {},
};

const noLog: RunLog = {
	want: cells => cells.map((_, index) => index),
	record: () => ({begin() {}, log: {add() {}}}),
	sentToService() {},
	landed() {},
};

/** Members of a cell journal that does not record running cells. */
export const unlogged: Pick<CellJournal, 'session' | 'runs' | 'removeStale'> = {
	session: 'session',
	runs: {open: () => noLog, left: () => [], owned: () => [], resume: () => null},
	removeStale: async () => {},
};
