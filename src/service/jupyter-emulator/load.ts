import {readFile} from 'node:fs/promises';
import os from 'node:os';

/** Clock ticks per second in which Linux reports CPU time. */
const TICKS = 100;
/** Longest interval over which CPU usage is averaged, in ms. */
const RECENT_MS = 30_000;

/** Resource use of a process; null if unknown. */
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
	// The fields follow a name in brackets, which may contain any character.
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

/** Response of jupyter-resource-usage at `api/metrics/v1`, without unknown values. */
export type Metrics = {
	readonly rss?: number;
	readonly limits: object;
	/** Usage since the previous request, in percent of one processor. */
	readonly cpu_percent?: number;
	readonly cpu_count: number;
	/** Memory in bytes, by kernel id. */
	readonly kernels: Readonly<Record<string, number>>;
};

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
