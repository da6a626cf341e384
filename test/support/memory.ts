import type {Memory} from '../../src/service/local/memory.ts';
import {sessionCosts} from '../../src/service/local/memory-capacity.ts';

const {start} = sessionCosts.pyodide;
const reserve = 512 * 2 ** 20;

/**
 * Simulates a machine with memory for `servers` servers of the embedded engine. Servers of the tiny
 * engine need no memory, so `live` must return the number of ready servers. Without `live`, the
 * reported memory is constant, and the service itself reserves memory for starting servers.
 */
export const memoryFor =
	(servers: number, live: () => number = () => 0): (() => Memory) =>
	() => ({total: 64 * 2 ** 30, available: reserve + (servers - live()) * start});
