import type {ComputeOption} from '../../contract/compute.ts';
import type {NodeKind, PartitionFacts, SlurmFacts} from '../../contract/slurm.ts';
import {clockTime} from '../../text/clock.ts';
import {UNTYPED, vramOfType} from './slurm-gres.ts';
import {limitText} from '../../text/job-time.ts';

/** Resources of one job. */
export type JobRequest = {
	readonly partition: string;
	/** Type and number of GPUs. Null for none. */
	readonly gpu: {readonly type: string; readonly count: number} | null;
	readonly cpus: number;
	/** Memory in GiB. 0 for the partition's default. */
	readonly memory: number;
	/** Maximum time limit of a job in the partition, in minutes. Null if unlimited or unknown. */
	readonly limit: number | null;
};

export type JobOption = {
	readonly id: string;
	readonly host: string;
	readonly option: ComputeOption;
	readonly job: JobRequest;
};

/** Numbers of GPUs that the user can choose: powers of two, and all GPUs of a node. */
const countsUpTo = (most: number): readonly number[] => {
	const counts: number[] = [];
	for (let count = 1; count < most; count *= 2) counts.push(count);
	return most > 0 ? [...counts, most] : counts;
};

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Sentence that says why no node accepts such jobs. Null if any node does. */
const problemOf = ({name, is_up: isUp, reason}: PartitionFacts, {nodes, gpu}: NodeKind): string | null => {
	if (!isUp) return `The partition ${name} is down.`;
	const which = gpu === null || gpu === UNTYPED ? `nodes of ${name}` : `nodes of ${name} with ${gpu}`;
	if (nodes === 0) return `All ${which} are down or drained${reason === '' ? '' : ` (${reason})`}.`;
	return null;
};

/** Text such as `0 of 16 free, 7 jobs wait, the first until about 14:20.` */
const loadText = (partition: PartitionFacts, {gpu, free, total}: NodeKind): string => {
	const {waiting, next_start: next, limit} = partition;
	const parts = [`${Math.min(free, total)} of ${total} ${gpu === null ? 'CPUs' : 'GPUs'} free`];
	if (waiting !== null && waiting > 0)
		parts.push(
			plural(waiting, 'job waits', 'jobs wait'),
			...(next === null ? [] : [`the first until about ${clockTime(next)}`]),
		);
	return `${parts.join(', ')}.${limit === null ? '' : ` A job runs for at most ${limitText(limit)}.`}`;
};

/** Replaces infinity by null, because JSON has no infinity. */
const limitOnWire = (limit: number | null): number | null =>
	limit !== null && Number.isFinite(limit) ? limit : null;

const share = (amount: number, part: number, whole: number): number =>
	amount === 0 ? 0 : Math.max(1, Math.floor((amount * part) / Math.max(1, whole)));

/** Divisor for the resources of a node: the option without a GPU gets a quarter of them. */
const CPU_SHARE = 4;

const optionsOf = (
	host: string,
	partition: PartitionFacts,
	kind: NodeKind,
	seen: string,
	away: string | null,
): readonly JobOption[] => {
	const cloudHost = `${host}-${partition.name}`;
	const problem = away ?? problemOf(partition, kind);
	const note = `${problem ?? loadText(partition, kind)}${seen}`;
	const make = (name: string, id: string, job: JobRequest): JobOption => {
		const count = job.gpu?.count ?? 0;
		const vram = vramOfType(job.gpu?.type ?? '');
		return {
			id,
			host,
			job,
			option: {
				name,
				cloud_host: cloudHost,
				compute_id: id,
				host,
				cpus: job.cpus,
				memory: `${job.memory}G`,
				num_gpus: count,
				vram_per_gpu: `${count === 0 ? 0 : (vram ?? 0)}G`,
				total_vram: `${(vram ?? 0) * count}G`,
				...(count > 0 && vram === null && {vram_known: false}),
				hourly_price: 0,
				price_known: false,
				availability: [{available: problem === null, region: 'default'}],
				note,
				partition: partition.name,
				job_limit: limitOnWire(job.limit),
			},
		};
	};
	const {gpu, gpus, cpus, memory} = kind;
	const {name, limit} = partition;
	const partOf = (part: number, whole: number) => ({
		partition: name,
		cpus: share(cpus, part, whole),
		memory: share(memory, part, whole),
		limit,
	});
	if (gpu === null)
		return [make(`CPU in ${name} on ${host}`, `${cloudHost}-cpux0`, {...partOf(1, CPU_SHARE), gpu: null})];
	return countsUpTo(gpus).map(count =>
		make(`${gpu} (${count}x) in ${name} on ${host}`, `${cloudHost}-${gpu}x${count}`, {
			...partOf(count, gpus),
			gpu: {type: gpu, count},
		}),
	);
};

/**
 * Compute options of a cluster: one for each partition, GPU type and number of GPUs, and one
 * without a GPU. `only`: names of the partitions to offer. `away`: sentence about why the host
 * cannot be used now, or null.
 */
export const jobOptions = (
	host: string,
	{partitions, error, at}: SlurmFacts,
	{only, away}: {readonly only?: readonly string[] | undefined; readonly away: string | null},
): readonly JobOption[] => {
	const seen =
		error === null
			? ` Seen at ${clockTime(at)}.`
			: ` Slurm on ${host} does not respond: seen at ${clockTime(at)}.`;
	return partitions
		.filter(({name}) => only === undefined || only.includes(name))
		.flatMap(partition => partition.kinds.flatMap(kind => optionsOf(host, partition, kind, seen, away)));
};
