// Extension of the API: partitions of a Slurm cluster that the local service reaches over SSH.
import * as z from 'zod';

/** Nodes of a partition with GPUs of one type, or all its nodes. */
const nodeKind = z.object({
	/**
	 * Type of the GPUs. `gpu` if the site names none. Null: the entry is for the CPUs of all nodes.
	 */
	gpu: z.string().nullable(),
	/** GPUs, CPUs and memory in GiB of the largest node. */
	gpus: z.number(),
	cpus: z.number(),
	memory: z.number(),
	/** Nodes that are neither down nor drained. */
	nodes: z.number(),
	/**
	 * Number of GPUs on these nodes (of CPUs if `gpu` is null), and how many of them no job uses.
	 */
	total: z.number(),
	free: z.number(),
});
export type NodeKind = z.infer<typeof nodeKind>;

const partition = z.object({
	name: z.string(),
	is_default: z.boolean(),
	is_up: z.boolean(),
	/**
	 * Longest and default time of a job, in minutes. Null if there is no limit, or if it is
	 * unknown.
	 */
	limit: z.number().nullable(),
	usual_limit: z.number().nullable(),
	/** Number of waiting jobs. Null if unknown. */
	waiting: z.number().nullable(),
	/** Expected start of the first waiting job, in ms since the epoch. Null if unknown. */
	next_start: z.number().nullable(),
	/** Reason that the administrator gave for nodes that are down or drained, or ''. */
	reason: z.string(),
	kinds: z.array(nodeKind),
});
export type PartitionFacts = z.infer<typeof partition>;

/** Information on Slurm that the login node reported. */
export const slurmFacts = z.object({
	version: z.string(),
	/**
	 * Error of the last `sinfo` call, or null. After an error, the partitions may be those of an
	 * earlier call.
	 */
	error: z.string().nullable(),
	/** Time of the partitions, in ms since the epoch. */
	at: z.number(),
	partitions: z.array(partition),
});
export type SlurmFacts = z.infer<typeof slurmFacts>;
