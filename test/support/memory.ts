import type {Memory} from '../../src/service/local/memory.ts';
import {sessionCosts} from '../../src/service/local/memory-capacity.ts';

const {start} = sessionCosts.pyodide;
const reserve = 512 * 2 ** 20;

/**
 * A machine with memory for `servers` servers of the embedded engine. Servers of the tiny engine
 * use none, so `live` must report the number of ready servers; by default the rest of the machine
 * is reported as constant, and the service itself sets memory aside for starting servers.
 */
export const memoryFor =
	(servers: number, live: () => number = () => 0): (() => Memory) =>
	() => ({total: 64 * 2 ** 30, available: reserve + (servers - live()) * start});
