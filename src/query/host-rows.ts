import type {HostItem} from '../contract/hosts.ts';
import type {PartitionFacts} from '../contract/slurm.ts';
import {numberText, UNKNOWN} from '../text/known.ts';
import {label} from '../text/safe.ts';

const LONGEST = 80;

export const gpusOf = ({facts}: Pick<HostItem, 'facts'>): string =>
	(facts?.gpus ?? []).map(({count, model}) => `${count}x ${label(model, 40)}`).join(', ');

const memoryOf = ({facts}: Pick<HostItem, 'facts'>): string =>
	facts?.memory == null ? UNKNOWN : `${facts.memory}G`;

const partitionText = ({is_up: isUp, waiting, kinds}: PartitionFacts): string => {
	if (!isUp) return 'down';
	const free = kinds.map(
		({gpu, free, total}) => `${free} of ${total} ${gpu === null ? 'CPUs' : label(gpu, 30)} free`,
	);
	return [...free, `${numberText(waiting)} waiting`].join(', ');
};

/** Summary of a host in one line, such as `8 CPUs, 64G, 2x A100`. */
export const hostSummary = (item: HostItem): string => {
	if (!item.facts) return 'not probed yet';
	const gpus = gpusOf(item);
	return `${item.facts.cpus} CPUs, ${memoryOf(item)}${gpus === '' ? '' : `, ${gpus}`}`;
};

/** Names and values of all that a probe found. Values are safe to print. */
export const hostRows = (item: HostItem): readonly (readonly [name: string, value: string])[] => {
	const {facts} = item;
	if (!facts) return [];
	return [
		['CPUs', numberText(facts.cpus)],
		['Memory', memoryOf(item)],
		['GPUs', gpusOf(item) || 'none'],
		...facts.pythons.map(({path, version, jupyter, ipykernel}): readonly [string, string] => [
			`Python ${label(version, 20)}`,
			`${label(path, LONGEST)}${jupyter === null || ipykernel === null ? ', without Jupyter Server or ipykernel' : ''}`,
		]),
		...(facts.slurm?.partitions ?? []).map((partition): readonly [string, string] => [
			`Partition ${label(partition.name, 30)}`,
			partitionText(partition),
		]),
	];
};
