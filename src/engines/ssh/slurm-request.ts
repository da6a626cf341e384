import {quoted} from './script.ts';
import {UNTYPED} from './slurm-gres.ts';
import type {JobRequest} from './slurm-options.ts';

/** The user's settings for jobs on a cluster. */
export type JobSettings = {
	/** Time limit in minutes. */
	readonly time?: number | undefined;
	readonly account?: string | undefined;
	readonly qos?: string | undefined;
	readonly partitions?: readonly string[] | undefined;
	/** True to requeue the job after a preemption or node failure. */
	readonly requeue?: boolean | undefined;
	/** Additional options of `sbatch`. They come last, so they override the others. */
	readonly options?: readonly string[] | undefined;
};

/** Arguments of `sbatch`, quoted for a POSIX shell. */
export const sbatchWords = (
	{partition, gpu, cpus, memory}: JobRequest,
	{time, account, qos, requeue = false, options = []}: JobSettings,
): string =>
	[
		`--partition=${partition}`,
		...(gpu === null ? [] : [`--gres=gpu:${gpu.type === UNTYPED ? '' : `${gpu.type}:`}${gpu.count}`]),
		`--cpus-per-task=${cpus}`,
		...(memory > 0 ? [`--mem=${memory}G`] : []),
		...(time === undefined ? [] : [`--time=${Math.max(1, Math.floor(time))}`]),
		...(account === undefined ? [] : [`--account=${account}`]),
		...(qos === undefined ? [] : [`--qos=${qos}`]),
		requeue ? '--requeue' : '--no-requeue',
		...options,
	]
		.map(quoted)
		.join(' ');
