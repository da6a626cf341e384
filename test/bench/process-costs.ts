import {readdir, readFile} from 'node:fs/promises';

const MB = 1e6;

const kilobytes = async (pid: number, field: string): Promise<number> =>
	(Number(
		new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1],
	) *
		1024) /
	MB;

/** Resident memory in megabytes, as Linux counts it. */
export const residentMemory = async (pid: number): Promise<number> => kilobytes(pid, 'VmRSS');

/** Memory in megabytes that no other process uses. */
export const privateMemory = async (pid: number): Promise<number> => {
	const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
	return [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce(
		(sum, [, size]) => sum + (Number(size) * 1024) / MB,
		0,
	);
};

/** Peak resident memory in megabytes. */
export const peakMemory = async (pid: number): Promise<number> => kilobytes(pid, 'VmHWM');

/** Processor time of a process's live threads, in ms. */
export const cpuTime = async (pid: number): Promise<number> => {
	const threads = await readdir(`/proc/${pid}/task`);
	const used = await Promise.all(
		threads.map(async thread =>
			Number(
				(await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')).split(' ')[0],
			),
		),
	);
	return used.reduce((sum, each) => sum + each, 0) / 1e6;
};
