// Extension of the API: partitions of a Slurm cluster that the local service reaches over SSH.
import * as z from 'zod';

/** Nodes of a partition with GPUs of one type, or all its nodes. */
const nodeKind = z.object({
	/** Type of the GPUs, `gpu` if the site names none. Null: the CPUs of all nodes. */
	gpu: z.string().nullable(),
	/** GPUs, CPUs and memory in GiB of the largest node. */
	gpus: z.number(),
	cpus: z.number(),
	memory: z.number(),
	/** Nodes that are neither down nor drained. */
	nodes: z.number(),
	/** GPUs, or CPUs if `gpu` is null, on these nodes, and how many no job uses. */
	total: z.number(),
	free: z.number(),
});
export type NodeKind = z.infer<typeof nodeKind>;

const partition = z.object({
	name: z.string(),
	is_default: z.boolean(),
	is_up: z.boolean(),
	/** Longest and usual time of a job in minutes. Null: without a limit, or unknown. */
	limit: z.number().nullable(),
	usual_limit: z.number().nullable(),
	/** Jobs that wait. Null if unknown. */
	waiting: z.number().nullable(),
	/** Expected start of the first waiting job, in ms since the epoch. Null if unknown. */
	next_start: z.number().nullable(),
	/** Reason that the administrator gave for nodes that are down or drained, or ''. */
	reason: z.string(),
	kinds: z.array(nodeKind),
});
export type PartitionFacts = z.infer<typeof partition>;

/** Slurm as its login node reported it. */
export const slurmFacts = z.object({
	version: z.string(),
	/** Error of the last `sinfo`, or null. The partitions may then be of an earlier call. */
	error: z.string().nullable(),
	/** Time of the partitions, in ms since the epoch. */
	at: z.number(),
	partitions: z.array(partition),
});
export type SlurmFacts = z.infer<typeof slurmFacts>;
