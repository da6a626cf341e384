import {readFile} from 'node:fs/promises';

/** Ticks of Linux's /proc per second. */
const TICKS = 100;
const MB = 1e6;

const kilobytes = async (pid: number, field: string): Promise<number> => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024 / MB;

/** Megabytes that are resident now, as Linux counts them. */
export const residentMemory = async (pid: number): Promise<number> => kilobytes(pid, 'VmRSS');

/** The most megabytes that were ever resident. */
export const peakMemory = async (pid: number): Promise<number> => kilobytes(pid, 'VmHWM');

/** Milliseconds of processor time that all threads of a process have used. */
export const cpuTime = async (pid: number): Promise<number> => {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 1000 / TICKS;
};
