import type {NodeKind, PartitionFacts, SlurmFacts} from '../../contract/slurm.ts';
import {oneLine} from './plain.ts';
import type {ScriptLines, ScriptValues} from './script.ts';
import {parseGres, type GresGpu} from './slurm-gres.ts';
import {parseSlurmDuration, parseSlurmTime} from './slurm-time.ts';

/**
 * Columns of `sinfo -O` with their widths. Without a width, sinfo cuts a column at 20 characters.
 * Slurm 20.11 supports all of these columns.
 */
const COLUMNS = {
	Partition: 64,
	Available: 10,
	Time: 20,
	DefaultTime: 20,
	Nodes: 10,
	StateLong: 24,
	CPUs: 10,
	Memory: 16,
	CPUsState: 40,
	Gres: 200,
	GresUsed: 200,
	Reason: 80,
} as const;
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as readonly Column[];

/**
 * Values for `probe_slurm`: the columns of `sinfo`, and their ranges of characters in its output
 * lines.
 */
export const partitionQuery = (): ScriptValues => {
	let start = 1;
	const ranges = NAMES.map(name => {
		const range = `${start}-${start + COLUMNS[name] - 1}`;
		start += COLUMNS[name];
		return range;
	});
	return {
		sinfo_columns: NAMES.map(name => `${name}:${COLUMNS[name]}`).join(','),
		sinfo_ranges: ranges.join(','),
	};
};

/** Identical nodes of a partition. */
type NodeGroup = {
	readonly state: string;
	readonly nodes: number;
	readonly cpus: number;
	/** Memory of a node in MB. */
	readonly memory: number;
	readonly idleCpus: number;
	readonly gpus: readonly GresGpu[];
	readonly used: readonly GresGpu[];
	readonly reason: string;
};

const MOST_LINES = 4000;
const SEPARATOR = '|';
const MB_PER_GIB = 1024;

const wholeNumber = (text: string): number | null =>
	/^\d{1,9}\+?$/.test(text) ? Number.parseInt(text) : null;

/** A resource text that fills its column may be cut, so its last item is dropped. */
const whole = (text: string, column: Column): string =>
	text.length < COLUMNS[column] ? text : text.slice(0, Math.max(0, text.lastIndexOf(',')));

const readLine = (
	line: string,
): {readonly fields: Readonly<Record<Column, string>>; readonly group: NodeGroup} | null => {
	const values = line.split(SEPARATOR).map(value => value.trim());
	if (values.length < NAMES.length) return null;
	const fields = Object.fromEntries(NAMES.map((name, index) => [name, values[index] ?? ''])) as Record<
		Column,
		string
	>;
	const [nodes, cpus, memory] = [fields.Nodes, fields.CPUs, fields.Memory].map(wholeNumber);
	if (nodes == null || cpus == null || memory == null || !/^[\w.-]{1,63}\*?$/.test(fields.Partition))
		return null;
	const [, idle = '0'] = /^\d+\/(\d+)\/\d+\/\d+$/.exec(fields.CPUsState) ?? [];
	return {
		fields,
		group: {
			state: fields.StateLong.toLowerCase(),
			nodes,
			cpus,
			memory,
			idleCpus: Number(idle),
			gpus: parseGres(whole(fields.Gres, 'Gres')),
			used: parseGres(whole(fields.GresUsed, 'GresUsed')),
			reason: fields.Reason === 'none' ? '' : oneLine(fields.Reason, 80),
		},
	};
};

/**
 * True if jobs can ever run on a node in this state. In `down*`, `*` means that the node does not
 * respond.
 */
const isUsable = ({state}: NodeGroup): boolean =>
	!/^(?:down|drain|fail|inval|error|future|unk)|\*$/.test(state);
/** True if jobs can start on the node now, provided that resources are free. */
const takesJobs = ({state}: NodeGroup): boolean => /^(?:idle|mix|alloc|comp|plan)/.test(state);

const countOf = (gpus: readonly GresGpu[], type: string): number =>
	gpus.find(gpu => gpu.type === type)?.count ?? 0;

const sum = (groups: readonly NodeGroup[], value: (group: NodeGroup) => number): number =>
	groups.reduce((total, group) => total + value(group), 0);

/**
 * Nodes with GPUs of a type, or all nodes if null. Sizes are those of usable nodes, if there are
 * any.
 */
const kindOf = (gpu: string | null, all: readonly NodeGroup[]): NodeKind => {
	const own = gpu === null ? all : all.filter(({gpus}) => countOf(gpus, gpu) > 0);
	const usable = own.filter(isUsable);
	const idle = usable.filter(takesJobs);
	const gpusOf = (group: NodeGroup): number => (gpu === null ? 0 : countOf(group.gpus, gpu));
	const [largest] = [...(usable.length > 0 ? usable : own)].sort(
		(one, other) => gpusOf(other) - gpusOf(one) || other.cpus - one.cpus,
	);
	const freeGpus = (group: NodeGroup): number =>
		group.nodes * Math.max(0, gpusOf(group) - countOf(group.used, gpu ?? ''));
	return {
		gpu,
		gpus: largest === undefined ? 0 : gpusOf(largest),
		cpus: largest?.cpus ?? 0,
		memory: Math.floor((largest?.memory ?? 0) / MB_PER_GIB),
		nodes: sum(usable, ({nodes}) => nodes),
		total: sum(usable, group => group.nodes * (gpu === null ? group.cpus : gpusOf(group))),
		free: gpu === null ? sum(idle, ({idleCpus}) => idleCpus) : sum(idle, freeGpus),
	};
};

type Line = NonNullable<ReturnType<typeof readLine>>;
/** Expected start times of waiting jobs, by partition. */
type Waiting = ReadonlyMap<string, readonly (number | null)[]>;

const readPartition = (lines: readonly Line[], waiting: Waiting | null): PartitionFacts | null => {
	const [first] = lines;
	if (!first) return null;
	const {Partition, Available, Time, DefaultTime} = first.fields;
	const name = Partition.replace(/\*$/, '');
	const groups = lines.map(({group}) => group);
	const types = [
		...new Set(groups.flatMap(({gpus}) => gpus.filter(({count}) => count > 0).map(({type}) => type))),
	];
	const limit = parseSlurmDuration(Time);
	const usual = parseSlurmDuration(DefaultTime);
	const starts = waiting?.get(name) ?? [];
	const known = starts.filter(start => start !== null);
	return {
		name,
		is_default: Partition.endsWith('*'),
		is_up: Available.toLowerCase() === 'up',
		limit: limit === null || limit === Infinity ? null : limit,
		usual_limit: usual === null || usual === Infinity ? null : usual,
		waiting: waiting === null ? null : starts.length,
		next_start: known.length === 0 ? null : Math.min(...known),
		reason: groups.find(group => !isUsable(group) && group.reason !== '')?.reason ?? '',
		kinds: [...types, null].map(type => kindOf(type, groups)),
	};
};

/**
 * Parses the lines `slurm`, `nodes`, `waiting`, `queue_known` and `slurm_error` printed by
 * `probe_slurm`. Null if the host has no Slurm.
 */
export const readSlurm = (lines: ScriptLines, now = Date.now()): SlurmFacts | null => {
	const values = (key: string): readonly string[] =>
		lines.filter(([name]) => name === key).map(([, value]) => value);
	const [version] = values('slurm');
	if (version === undefined) return null;
	const waiting = new Map<string, (number | null)[]>();
	for (const line of values('waiting')) {
		const [names = '', start = ''] = line.split(SEPARATOR);
		for (const name of names.split(','))
			waiting.set(name, [...(waiting.get(name) ?? []), parseSlurmTime(start)]);
	}
	const isQueueKnown = values('queue_known')[0] === 'yes';
	const byName = new Map<string, Line[]>();
	for (const line of values('nodes').slice(0, MOST_LINES)) {
		const read = readLine(line);
		if (!read) continue;
		const name = read.fields.Partition;
		byName.set(name, [...(byName.get(name) ?? []), read]);
	}
	const partitions = [...byName.values()].flatMap(
		group => readPartition(group, isQueueKnown ? waiting : null) ?? [],
	);
	// Empty output without an error does not mean that the cluster is empty.
	const error = values('slurm_error')[0] ?? (partitions.length === 0 ? 'sinfo names no partition' : null);
	return {version: oneLine(version, 40), error: error === null ? null : oneLine(error), at: now, partitions};
};
