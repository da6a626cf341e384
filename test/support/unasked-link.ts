import type {Live, LiveCell, LiveFiles, LiveKernels} from '../../src/api/client-types.ts';
import type {RunningCells} from '../../src/storage/run-log.ts';

const none = async () =>
	({
		ok: false,
		failure: {kind: 'not-found', method: 'GET', path: '', message: 'There are no files here.'},
	}) as const;

/** Of a link whose files nobody asks for. */
export const unaskedFiles: LiveFiles = {list: none, look: none, move: none, makeFolder: none, remove: none};

/** Of a link to a server without terminals. */
export const noShell: Live['shell'] = async () => ({says: 'it offers no terminals'});
const noKernel = async () =>
	({
		ok: false,
		failure: {kind: 'not-found', method: 'GET', path: '', message: 'There are no kernels here.'},
	}) as const;

/** Of a link whose kernels nobody asks about, with the usual one. */
export const unaskedKernels: LiveKernels = {
	idOf: noKernel,
	list: noKernel,
	specs: async () => [{name: 'python3', displayName: 'Python 3', language: 'python'}],
	setFor: noKernel,
	hears: async () => true,
	use() {},
	interrupt: noKernel,
	restart: noKernel,
	shutDown: noKernel,
};

/** Of a link to a server that nobody ends. */
export const neverShutDown = noKernel satisfies Live['shutDown'];

/** Of a link to a server that does not tell what it uses. */
export const untold: Live['load'] = async () => null;

/** Of a link where no earlier program has left a cell. */
export const nothingLeft: Live['goOn'] = async () => {
	throw new Error('no cell was left');
};

/** Of a cell that asks nothing and whose end is known from the start. */
export const plainCell: Omit<LiveCell, 'ended' | 'now'> = {
	came: () => 0,
	drawn: () => 0,
	interrupt() {},
	life: () => null,
	others: () => 0,
	asks: () => null,
	answer() {},
};

const unkept = {begin() {}, add() {}, remove() {}};

/** Of a journal that keeps nothing of cells that run. */
export const unkeptRunning: RunningCells = {record: () => unkept, left: () => [], resume: () => unkept};
