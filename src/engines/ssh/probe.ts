import type {HostFacts} from '../../contract/hosts.ts';
import {parseGpus} from '../gpus.ts';
import type {Connection} from './connection.ts';
import {oneLine} from './plain.ts';
import type {ScriptLines} from './script.ts';
import {partitionQuery, readSlurm} from './slurm-partitions.ts';

const MOST_PYTHONS = 40;
const KIB_PER_GIB = 2 ** 20;

const numberIn = (text: string | undefined): number | null =>
	text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** Converts the output lines of `probe.sh`. */
export const readFacts = (lines: ScriptLines): HostFacts => {
	const values = (name: string): readonly string[] =>
		lines.filter(([key]) => key === name).map(([, value]) => value);
	const text = (name: string): string => oneLine(values(name)[0] ?? '', 100);
	const slurm = readSlurm(lines);
	const memory = numberIn(values('memory_kb')[0]);
	return {
		machine: text('host'),
		home: oneLine(values('home')[0] ?? '', 1000),
		system: text('system'),
		user: text('user'),
		cpus: numberIn(values('cpus')[0]) ?? 0,
		memory: memory === null ? null : Math.max(1, Math.floor(memory / KIB_PER_GIB)),
		gpus: parseGpus(values('gpu').join('\n')).map(gpu => ({...gpu, model: oneLine(gpu.model, 60)})),
		pythons: values('python')
			.slice(0, MOST_PYTHONS)
			.flatMap(line => {
				const [, version = '', jupyter, ipykernel, path = ''] =
					/^(\d+\.\d+\S*) (\S+) (\S+) (\/.{1,1000})$/.exec(line) ?? [];
				if (version === '' || jupyter === undefined || ipykernel === undefined) return [];
				if (oneLine(path, 1000) !== path) return [];
				const known = (found: string): string | null => (found === '-' ? null : oneLine(found, 40));
				return [{path, version: oneLine(version, 20), jupyter: known(jupyter), ipykernel: known(ipykernel)}];
			}),
		tools: values('tool').map(tool => oneLine(tool, 40)),
		writable: values('writable')[0] === 'yes',
		...(slurm && {slurm}),
	};
};

/**
 * Determines the resources of a host. The user's settings may name a Python, or contain shell lines
 * that select one.
 */
export const probeHost = async (
	connection: Connection,
	{python = '', setup = ''}: {readonly python?: string | undefined; readonly setup?: string | undefined},
): Promise<HostFacts> =>
	readFacts(await connection.script(['slurm.sh', 'probe.sh'], {python, setup, ...partitionQuery()}));
