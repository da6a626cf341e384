/**
 * Group of GPUs of the same model. `vram` is in GiB. Null if the GPU shares the machine's memory.
 */
export type GpuGroup = {readonly model: string; readonly count: number; readonly vram: number | null};

const GPU_LINE = /^\s*\d+\s*,\s*(.+?)\s*,\s*(\d+|\[.*?\])\s*,\s*GPU-\S+/;

/**
 * Parses the output of `nvidia-smi --query-gpu=index,name,memory.total,uuid
 * --format=csv,noheader,nounits`.
 */
export const parseGpus = (output: string): readonly GpuGroup[] => {
	const groups = new Map<string, GpuGroup>();
	for (const line of output.split('\n')) {
		const [, name, mebibytes] = GPU_LINE.exec(line) ?? [];
		if (name === undefined || mebibytes === undefined) continue;
		const model = name.replace(/^(NVIDIA|Tesla)\s+/i, '').replace(/^(NVIDIA|Tesla)\s+/i, '');
		// May be less than the nominal size: a T4 reports 15,360 MiB of its 16 GB, because the
		// driver reserves the rest.
		const vram = /^\d+$/.test(mebibytes) ? Math.max(1, Math.floor(Number(mebibytes) / 1024)) : null;
		groups.set(model, {model, vram, count: (groups.get(model)?.count ?? 0) + 1});
	}
	return [...groups.values()];
};
