import {quoted} from './script.ts';
import {UNTYPED} from './slurm-gres.ts';
import type {JobRequest} from './slurm-options.ts';
import {limitText} from './slurm-time.ts';

/** Wishes of the user's settings for the jobs of a cluster. */
export type JobSettings = {
	/** Time limit in minutes. */
	readonly time?: number | undefined;
	readonly account?: string | undefined;
	readonly qos?: string | undefined;
	readonly partitions?: readonly string[] | undefined;
	/** True to start again after a preemption or the failure of a node. */
	readonly requeue?: boolean | undefined;
	/** Options of `sbatch`, which come last and so win. */
	readonly options?: readonly string[] | undefined;
};

/** Settings text of a time limit: `8h`, `90m`. */
const settingText = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);

/** Reason why a job of this length never starts, or null. Slurm accepts it and lets it wait. */
export const timeProblem = ({partition, limit}: JobRequest, time: number | undefined): string | null =>
	time === undefined || limit === null || time <= limit
		? null
		: `${limitText(time)} is more than ${partition} allows (${limitText(limit)}): the job would wait for ever. Set "time" to ${settingText(Math.floor(limit))} or less.`;

/** Words for `sbatch`, quoted for a POSIX shell. */
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
