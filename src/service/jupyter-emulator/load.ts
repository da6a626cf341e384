import {readFile} from 'node:fs/promises';
import os from 'node:os';

/** Ticks of the clock in which Linux tells the time of processors, per second. */
const TICKS = 100;
/** Milliseconds for which what was seen before says something of now. */
const RECENT_MS = 30_000;

/** Null: not known. */
type Use = {
	/** Bytes of resident memory. */ readonly rss: number | null;
	/** Seconds of processors since the process began. */ readonly seconds: number | null;
};

const readSystem = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** What a process uses, by `/proc/PID/status` and `/proc/PID/stat`. */
export const processUsage = (status: string, stat: string): Use => {
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	// A name in brackets comes before them, which may hold anything.
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

/** What jupyter-resource-usage answers at `api/metrics/v1`, with the memory of each kernel; what is not known is left out. */
export type Metrics = {
	readonly rss?: number;
	readonly limits: object;
	/** Of one processor, since it was asked before. */
	readonly cpu_percent?: number;
	readonly cpu_count: number;
	/** Bytes by id. */
	readonly kernels: Readonly<Record<string, number>>;
};

/** Tells what the process of one kernel uses. */
export const createLoad = (pidOf: () => number | null) => {
	let last: {readonly pid: number; readonly seconds: number; readonly at: number} | undefined;
	return async (kernel: string | null): Promise<Metrics> => {
		const pid = pidOf();
		const {rss, seconds} =
			pid === null
				? processUsage('', '')
				: processUsage(
						...(await Promise.all([readSystem(`/proc/${pid}/status`), readSystem(`/proc/${pid}/stat`)])),
					);
		const at = performance.now();
		const before = last?.pid === pid && at > last.at && at - last.at < RECENT_MS ? last : undefined;
		last = pid === null || seconds === null ? undefined : {pid, seconds, at};
		return {
			...(rss !== null && {rss}),
			limits: {},
			...(before !== undefined &&
				seconds !== null && {cpu_percent: ((seconds - before.seconds) / (at - before.at)) * 100_000}),
			cpu_count: os.availableParallelism(),
			kernels: rss === null || kernel === null ? {} : {[kernel]: rss},
		};
	};
};
