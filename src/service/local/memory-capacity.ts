import type {Engine} from '../../engines/engine.ts';
import type {Memory} from './memory.ts';

/** Memory of a session at its start, and for its first run on top of that, in bytes. */
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

/** Number of servers that fit into memory: now (`free`), and including the live ones (`whole`). */
export type MemoryCapacity = {
	readonly free: number;
	readonly whole: number;
	/** Memory of one server, in bytes. */
	readonly each: number;
};

/**
 * Available memory already reflects live sessions, except for what they have yet to take. If it is
 * unknown, the service uses half of the total.
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
