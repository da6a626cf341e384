import type {Engine} from '../../engines/engine.ts';
import type {Live} from './engine-pool.ts';
import type {Memory} from './memory.ts';

/**
 * Memory that a session allocates at its start, and additionally in its first run, in bytes. An
 * additional kernel of the embedded engine costs as much as a session.
 */
export type SessionCost = {readonly start: number; readonly firstRun: number};

const MIB = 2 ** 20;

/**
 * Measured as private memory. Pyodide: 195 to 220 MiB from the start. Jupyter Server: 75 MiB. Its
 * kernel: 55 MiB, or 160 MiB with numpy, pandas and matplotlib.
 */
export const sessionCosts: Readonly<Record<Engine['name'], SessionCost>> = {
	pyodide: {start: 230 * MIB, firstRun: 0},
	jupyter: {start: 80 * MIB, firstRun: 160 * MIB},
};

/** Memory reserved for other programs on the machine, in bytes. */
const reserveOf = ({total}: Memory): number => Math.min(512 * MIB, total / 16);

export type SessionMemory = {readonly started: boolean; readonly ran: boolean};

/** Processes of a live server: its main process, and those of its additional kernels. */
export const processesOf = ({running, ran}: Pick<Live, 'running' | 'ran'>): readonly SessionMemory[] => {
	const kernels = running?.kernels?.() ?? {running: 0, starting: 0};
	return [
		{started: running !== null, ran},
		...Array.from({length: kernels.running}, () => ({started: true, ran: true})),
		...Array.from({length: kernels.starting}, () => ({started: false, ran: false})),
	];
};

/**
 * Number of servers that fit in memory. `free`: additional servers. `whole`: additional and live
 * servers together.
 */
export type MemoryCapacity = {
	readonly free: number;
	readonly whole: number;
	/** Memory needed by one server, in bytes. */
	readonly each: number;
};

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Sentence that says that there is not enough memory for one more `what`. */
export const noMemoryFor = (what: string, {each}: Pick<MemoryCapacity, 'each'>): string =>
	`Not enough memory for another ${what}: one needs about ${megabytes(each)} MB.`;

/**
 * Reason why a server must not start one more kernel process, as a sentence. Null if the process
 * fits in the server's memory (0 for no limit), in the machine's memory, and in the user's share.
 */
export const kernelRefusal = (
	room: MemoryCapacity,
	{
		server,
		user,
		users,
		memory,
	}: {
		/** Number of processes of this server, and of all servers of its user. */
		readonly server: number;
		readonly user: number;
		readonly users: number;
		/** Memory limit of the server, in bytes. 0 for no limit. */
		readonly memory: number;
	},
): string | null => {
	const most = memory > 0 ? Math.max(1, Math.floor(memory / room.each)) : Infinity;
	if (server >= most)
		return `The server's memory (${megabytes(memory)} MB) is enough for ${most === 1 ? 'one Python process' : `${most} Python processes`} of about ${megabytes(room.each)} MB.`;
	if (room.free < 1) return noMemoryFor('Python process', room);
	const share = shareOf(room, users);
	return user >= share
		? `Your share of this machine's memory is enough for ${share === 1 ? 'one Python process' : `${share} Python processes`}.`
		: null;
};

/**
 * Computes how many servers fit in memory. The available memory is already reduced by the live
 * sessions, except for memory that they have not allocated yet. If it is unknown, the service uses
 * half of the total memory.
 */
export const memoryCapacity = (
	memory: Memory,
	{start, firstRun}: SessionCost,
	live: readonly SessionMemory[],
): MemoryCapacity => {
	const each = start + firstRun;
	const yetToTake = live.reduce((sum, {started, ran}) => sum + (started ? (ran ? 0 : firstRun) : each), 0);
	const usable =
		memory.available === null
			? memory.total / 2 - live.length * each
			: memory.available - reserveOf(memory) - yetToTake;
	const free = Math.max(0, Math.floor(usable / each));
	return {free, whole: live.length + free, each};
};

/** Number of live servers that each user may have at a time. */
export const shareOf = ({whole}: MemoryCapacity, users: number): number =>
	Math.max(1, Math.floor(whole / users));
