import type {Engine} from '../../engines/engine.ts';
import type {Memory} from './memory.ts';

/** Bytes that a session takes when it starts, and by its first run on top of that. */
export type SessionCost = {readonly start: number; readonly firstRun: number};

const MIB = 2 ** 20;

/**
 * Measured, private memory: a Pyodide has 195 to 220 MiB from its start on; a Jupyter Server 75 MiB, and its kernel 55 MiB, with numpy, pandas and
 * matplotlib 160 MiB.
 */
export const sessionCosts: Readonly<Record<Engine['name'], SessionCost>> = {
	pyodide: {start: 230 * MIB, firstRun: 0},
	jupyter: {start: 80 * MIB, firstRun: 160 * MIB},
};

/** Left to the rest of the machine. */
const reserveOf = ({total}: Memory): number => Math.min(512 * MIB, total / 16);

/** A live session as far as its memory goes. */
export type SessionMemory = {readonly started: boolean; readonly ran: boolean};

/** For how many servers there is memory: now (`free`), and with those that are live (`whole`). */
export type MemoryCapacity = {
	readonly free: number;
	readonly whole: number;
	/** Bytes that a server takes. */ readonly each: number;
};

/**
 * What live sessions use shows in the available memory, but for what they are yet to take: that is set aside for them. Where the system does not
 * say what is available, half of its memory is ours.
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

/** Servers that each of so many users may have live at once. */
export const shareOf = ({whole}: MemoryCapacity, users: number): number =>
	Math.max(1, Math.floor(whole / users));
