import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import os from 'node:os';
import {parseGpus, type GpuGroup} from '../../engines/gpus.ts';
import {readMemory} from '../local/memory.ts';

/** Resources that the service may use. `memory`: in GiB, rounded down, at least 1. */
export type Machine = {readonly cpus: number; readonly memory: number; readonly gpus: readonly GpuGroup[]};

const GIB = 2 ** 30;

/** Number of CPUs within cgroup v2's `cpu.max`, which contains `"<quota|max> <period>"`. */
export const cpusWithin = (available: number, cpuMax: string | null): number => {
	const [quota, period] = (cpuMax ?? '').trim().split(' ').map(Number);
	if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return available;
	return Math.max(1, Math.min(available, Math.ceil(quota / period)));
};

const listGpus = (): Promise<readonly GpuGroup[]> =>
	new Promise(resolve => {
		const query = ['--query-gpu=index,name,memory.total,uuid', '--format=csv,noheader,nounits'];
		// A missing program, a missing driver or a timeout means that no GPU can be used.
		execFile('nvidia-smi', query, {timeout: 3000}, (error, stdout) =>
			resolve(error ? [] : parseGpus(stdout)),
		);
	});

/**
 * Detects the machine's resources. GPUs are detected only on request, because that starts a
 * program.
 */
export const detectMachine = async ({gpus}: {readonly gpus: boolean}): Promise<Machine> => {
	// `availableParallelism` considers the affinity mask, but not the cgroup's quota.
	const cpuMax = await readFile('/sys/fs/cgroup/cpu.max', 'utf8').catch(() => null);
	return {
		cpus: cpusWithin(os.availableParallelism(), cpuMax),
		memory: Math.max(1, Math.floor(readMemory().total / GIB)),
		gpus: gpus ? await listGpus() : [],
	};
};
