import type {Memory} from '../../src/service/local/memory.ts';
import {sessionCosts} from '../../src/service/local/memory-capacity.ts';

const {start} = sessionCosts.pyodide;
const reserve = 512 * 2 ** 20;

/**
 * A machine whose memory is enough for so many servers of the embedded engine. Servers of the tiny engine take nothing, so `live` must tell how many
 * are ready; by default the rest of the machine is told not to change, and servers that start are set aside by the service itself.
 */
export const memoryFor =
	(servers: number, live: () => number = () => 0): (() => Memory) =>
	() => ({total: 64 * 2 ** 30, available: reserve + (servers - live()) * start});
