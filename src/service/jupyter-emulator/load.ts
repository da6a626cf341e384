import {readFile} from 'node:fs/promises';
import os from 'node:os';

/** Clock ticks per second, the unit in which Linux reports CPU time. */
const TICKS = 100;
/** Maximum interval over which CPU usage is averaged, in ms. */
const RECENT_MS = 30_000;

/** Resource use of a process. Null for unknown values. */
type Use = {
	/** Resident memory in bytes. */
	readonly rss: number | null;
	/** CPU time since the start of the process, in seconds. */
	readonly seconds: number | null;
};

const readSystem = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Parses the resource use of a process from `/proc/PID/status` and `/proc/PID/stat`. */
export const processUsage = (status: string, stat: string): Use => {
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	// The fields follow the process name, which is in parentheses and may contain any character.
	const [user, system] = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 13);
	const ticks = Number(user) + Number(system);
	return {
		rss: kilobytes === undefined ? null : Number(kilobytes) * 1024,
		seconds: Number.isNaN(ticks) ? null : ticks / TICKS,
	};
};

/** Response at `api/metrics/v1`, as in jupyter-resource-usage. Unknown values are omitted. */
export type Metrics = {
	readonly rss?: number;
	readonly limits: object;
	/** CPU usage since the previous request, in percent of one processor. */
	readonly cpu_percent?: number;
	readonly cpu_count: number;
	/** Memory in bytes, by kernel id. */
	readonly kernels: Readonly<Record<string, number>>;
};

/** Process of a kernel. `id`: null for a kernel that was not reported to any client. */
export type KernelProcess = {readonly id: string | null; readonly pid: number | null};

export const createLoad = () => {
	/** CPU time of each process at the previous request, in seconds. */
	let last: {readonly seconds: ReadonlyMap<number, number>; readonly at: number} | undefined;
	return async (processes: readonly KernelProcess[]): Promise<Metrics> => {
		const live = processes.flatMap(({id, pid}) => (pid === null ? [] : [{id, pid}]));
		const uses = await Promise.all(
			live.map(async ({id, pid}) => ({
				id,
				pid,
				...processUsage(
					...(await Promise.all([readSystem(`/proc/${pid}/status`), readSystem(`/proc/${pid}/stat`)])),
				),
			})),
		);
		const resident = uses.flatMap(({id, rss}) => (rss === null ? [] : [{id, rss}]));
		const seconds = new Map(uses.flatMap(({pid, seconds: spent}) => (spent === null ? [] : [[pid, spent]])));
		const at = performance.now();
		const before = last !== undefined && at > last.at && at - last.at < RECENT_MS ? last : undefined;
		last = seconds.size > 0 ? {seconds, at} : undefined;
		// CPU usage is unknown if none of the processes existed at the previous request. A new
		// process counts with all its CPU time.
		const isComparable = before !== undefined && [...seconds.keys()].some(pid => before.seconds.has(pid));
		const spent = [...seconds].reduce((sum, [pid, now]) => sum + now - (before?.seconds.get(pid) ?? 0), 0);
		return {
			...(resident.length > 0 && {rss: resident.reduce((sum, {rss}) => sum + rss, 0)}),
			limits: {},
			...(isComparable && {cpu_percent: (spent / (at - before.at)) * 100_000}),
			cpu_count: os.availableParallelism(),
			kernels: Object.fromEntries(resident.flatMap(({id, rss}) => (id === null ? [] : [[id, rss]]))),
		};
	};
};
