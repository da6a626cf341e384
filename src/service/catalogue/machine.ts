import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import os from 'node:os';
import {readMemory} from '../local/memory.ts';

/** GPUs of one model. `vram` is in GiB, or null if the GPU shares the machine's memory. */
export type GpuGroup = {readonly model: string; readonly count: number; readonly vram: number | null};

/** Resources that the service may use. `memory` is in GiB, rounded down, at least 1. */
export type Machine = {readonly cpus: number; readonly memory: number; readonly gpus: readonly GpuGroup[]};

const GIB = 2 ** 30;

/** CPUs within cgroup v2's `cpu.max`: `"<quota|max> <period>"`. */
export const cpusWithin = (available: number, cpuMax: string | null): number => {
	const [quota, period] = (cpuMax ?? '').trim().split(' ').map(Number);
	if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return available;
	return Math.max(1, Math.min(available, Math.ceil(quota / period)));
};

const GPU_LINE = /^\s*\d+\s*,\s*(.+?)\s*,\s*(\d+|\[.*?\])\s*,\s*GPU-\S+/;

/** Reads `nvidia-smi --query-gpu=index,name,memory.total,uuid --format=csv,noheader,nounits`. */
export const parseGpus = (output: string): readonly GpuGroup[] => {
	const groups = new Map<string, GpuGroup>();
	for (const line of output.split('\n')) {
		const [, name, mebibytes] = GPU_LINE.exec(line) ?? [];
		if (name === undefined || mebibytes === undefined) continue;
		const model = name.replace(/^(NVIDIA|Tesla)\s+/i, '').replace(/^(NVIDIA|Tesla)\s+/i, '');
		// A T4 reports 15,360 MiB of its 16 GB, because the driver reserves the rest.
		const vram = /^\d+$/.test(mebibytes) ? Math.max(1, Math.floor(Number(mebibytes) / 1024)) : null;
		groups.set(model, {model, vram, count: (groups.get(model)?.count ?? 0) + 1});
	}
	return [...groups.values()];
};

const listGpus = (): Promise<readonly GpuGroup[]> =>
	new Promise(resolve => {
		const query = ['--query-gpu=index,name,memory.total,uuid', '--format=csv,noheader,nounits'];
		// A missing program, a missing driver and a timeout all mean that no GPU is usable.
		execFile('nvidia-smi', query, {timeout: 3000}, (error, stdout) =>
			resolve(error ? [] : parseGpus(stdout)),
		);
	});

/** Detects GPUs only on request, because that starts a program. */
export const detectMachine = async ({gpus}: {readonly gpus: boolean}): Promise<Machine> => {
	// `availableParallelism` respects the affinity mask, but not the cgroup's quota.
	const cpuMax = await readFile('/sys/fs/cgroup/cpu.max', 'utf8').catch(() => null);
	return {
		cpus: cpusWithin(os.availableParallelism(), cpuMax),
		memory: Math.max(1, Math.floor(readMemory().total / GIB)),
		gpus: gpus ? await listGpus() : [],
	};
};
