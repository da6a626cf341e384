import type {Engine} from '../../engines/engine.ts';
import type {Live} from './engine-pool.ts';
import type {Memory} from './memory.ts';

/**
 * Memory of a session at its start, and for its first run on top of that, in bytes. An additional
 * kernel of the embedded engine costs as much as its session.
 */
export type SessionCost = {readonly start: number; readonly firstRun: number};

const MIB = 2 ** 20;

/**
 * Measured as private memory. Pyodide: 195 to 220 MiB from the start. Jupyter Server: 75 MiB, its
 * kernel 55 MiB, or 160 MiB with numpy, pandas and matplotlib.
 */
export const sessionCosts: Readonly<Record<Engine['name'], SessionCost>> = {
	pyodide: {start: 230 * MIB, firstRun: 0},
	jupyter: {start: 80 * MIB, firstRun: 160 * MIB},
};

/** Reserve for the rest of the machine, in bytes. */
const reserveOf = ({total}: Memory): number => Math.min(512 * MIB, total / 16);

export type SessionMemory = {readonly started: boolean; readonly ran: boolean};

/** The processes of a live server: its own, and those of its additional kernels. */
export const processesOf = ({running, ran}: Pick<Live, 'running' | 'ran'>): readonly SessionMemory[] => {
	const kernels = running?.kernels?.() ?? {running: 0, starting: 0};
	return [
		{started: running !== null, ran},
		...Array.from({length: kernels.running}, () => ({started: true, ran: true})),
		...Array.from({length: kernels.starting}, () => ({started: false, ran: false})),
	];
};

/** Number of servers that fit into memory: now (`free`), and including the live ones (`whole`). */
export type MemoryCapacity = {
	readonly free: number;
	readonly whole: number;
	/** Memory of one server, in bytes. */
	readonly each: number;
};

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Reason why memory for one more `what` is missing, as a sentence. */
export const noMemoryFor = (what: string, {each}: Pick<MemoryCapacity, 'each'>): string =>
	`Not enough memory for another ${what}: one needs about ${megabytes(each)} MB.`;

/**
 * Reason why a server may not start one more kernel process, as a sentence. Null if the server's
 * memory (0 for no limit), the machine and the user's share have room for the process.
 */
export const kernelRefusal = (
	room: MemoryCapacity,
	{
		server,
		user,
		users,
		memory,
	}: {
		/** Processes of this server, and of all servers of its user. */
		readonly server: number;
		readonly user: number;
		readonly users: number;
		/** In bytes. */
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
 * Available memory already reflects live sessions, except for memory that they have yet to take. If
 * the available memory is unknown, the service uses half of the total.
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

/** Live servers that each user may have at once. */
export const shareOf = ({whole}: MemoryCapacity, users: number): number =>
	Math.max(1, Math.floor(whole / users));
