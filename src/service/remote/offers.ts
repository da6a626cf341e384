import {createHash} from 'node:crypto';
import {basename, dirname} from 'node:path';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Environment} from '../../contract/environments.ts';
import type {HostFacts} from '../../contract/hosts.ts';
import {jobOptions, type JobRequest} from '../../engines/ssh/slurm-options.ts';
import type {HostSettings} from '../../settings/hosts.ts';
import {clockTime} from '../../text/clock.ts';

/** Host and what is known about it. */
export type KnownHost = {
	readonly host: string;
	/** Null before the first successful probe. */
	readonly facts: HostFacts | null;
	/** Time of the last successful probe, in ms since the epoch. */
	readonly probedAt: number | null;
	/** Reason why the host cannot be used now, as a sentence. Null if it can be used. */
	readonly reason: string | null;
	readonly settings: HostSettings;
};

export type HostOption = {
	readonly id: string;
	readonly host: string;
	readonly option: ComputeOption;
	/** Resources of the job. Absent for an option that starts a process on the host itself. */
	readonly job?: JobRequest;
};

const word = (text: string): string => text.replaceAll(/[^\w.-]+/g, '_');

const UV = 'uv run --no-project --with jupyter-server --with ipykernel';

type Python = HostFacts['pythons'][number];

const isUsable = ({jupyter, ipykernel}: Python): boolean => jupyter !== null && ipykernel !== null;

/** Reason why no server can start on the host although it responds. Null if servers can start. */
export const unusableText = (host: string, {pythons, writable, tools, system}: HostFacts): string | null => {
	if (!/^Linux\b/.test(system)) return `${host} is not a Linux machine (${system}).`;
	if (!writable)
		return `Nothing can be written in your home on ${host} (quota of bytes or of files): make room there.`;
	if (pythons.some(isUsable) || tools.includes('uv')) return null;
	const found = pythons.map(({path, version}) => `${path} ${version}`).join(', ');
	return `No Python on ${host} has Jupyter Server and ipykernel. Found: ${found === '' ? 'none' : found}. There: python3 -m venv ~/.venv && ~/.venv/bin/pip install jupyter-server ipykernel. Or name one in the settings: "hosts": {"${host}": {"python": …}}.`;
};

const memoryOf = ({memory}: HostFacts): string => `${memory ?? 0}G`;

/** Option of a host without Slurm: the whole machine. */
const machineOption = (
	{host, probedAt}: KnownHost,
	facts: HostFacts,
	problem: string | null,
): readonly HostOption[] => {
	const [gpu] = [...facts.gpus].sort((one, other) => other.count - one.count);
	const id = gpu ? `${host}-${word(gpu.model)}x${gpu.count}` : `${host}-cpux0`;
	const seen = probedAt === null ? '' : ` Seen at ${clockTime(probedAt)}.`;
	const others = facts.gpus.filter(each => each !== gpu).map(({model, count}) => `${count} ${model}`);
	const also = others.length === 0 ? '' : ` Also has ${others.join(', ')}.`;
	return [
		{
			id,
			host,
			option: {
				name: gpu ? `${gpu.model} (${gpu.count}x) on ${host}` : `CPU on ${host}`,
				cloud_host: host,
				compute_id: id,
				host,
				cpus: facts.cpus,
				memory: memoryOf(facts),
				num_gpus: gpu?.count ?? 0,
				vram_per_gpu: `${gpu?.vram ?? 0}G`,
				total_vram: `${(gpu?.vram ?? 0) * (gpu?.count ?? 0)}G`,
				...(gpu && gpu.vram === null && {vram_known: false}),
				hourly_price: 0,
				price_known: false,
				availability: [{available: problem === null, region: 'default'}],
				note:
					problem ?? `The whole machine, over SSH as ${facts.user}. Other users may share it.${also}${seen}`,
			},
		},
	];
};

/**
 * Compute options of a host. A cluster only offers jobs, because sites forbid computing on login
 * nodes.
 */
export const hostOptions = (known: KnownHost): readonly HostOption[] => {
	const {host, facts, reason, settings} = known;
	if (facts === null) return [];
	const problem = reason ?? unusableText(host, facts);
	const {slurm} = facts;
	if (!slurm) return machineOption(known, facts, problem);
	return [
		...(settings.loginNode === true ? machineOption(known, facts, problem) : []),
		...jobOptions(host, slurm, {only: settings.slurm?.partitions, away: problem}),
	];
};

export type HostEnvironment = {
	readonly environment: Environment;
	readonly host: string;
	/** Command that runs the Python, as in {@link Order}. */
	readonly python: string;
};

const slug = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');

/** Short name of a Python: the name of its project or environment, or else that of the program. */
const shortName = (path: string, home: string): string => {
	const folder = dirname(dirname(path));
	if (['/', '/usr', '/usr/local'].includes(folder)) return basename(path);
	const name = basename(folder);
	const parent = dirname(folder);
	return /^\.?v?env$/.test(name) && parent !== home ? basename(parent) : name;
};

/**
 * Environments of a host: its Pythons with Jupyter Server and ipykernel. The Python named in the
 * settings comes first.
 */
export const hostEnvironments = ({host, facts, settings}: KnownHost): readonly HostEnvironment[] => {
	if (facts === null) return [];
	const {home} = facts;
	const {python: named} = settings;
	const shown = (path: string): string =>
		path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
	const isNamed = ({path}: Python): boolean => path === named || shown(path) === named;
	const usable = facts.pythons.filter(isUsable);
	const sorted = [...usable.filter(isNamed), ...usable.filter(each => !isNamed(each))];
	const taken = new Set<string>();
	const environments = sorted.map(({path, version, jupyter}): HostEnvironment => {
		const plain = `${host}-${slug(shortName(path, home)) || 'python'}`;
		// Contains a hash of the path, so that the id always identifies the same Python.
		const id = taken.has(plain)
			? `${plain}-${createHash('sha256').update(path).digest('hex').slice(0, 4)}`
			: plain;
		taken.add(id);
		return {
			host,
			python: path,
			environment: {
				environment_id: id,
				host,
				name: `${host}: ${shown(path).replace(/\/bin\/python[\d.]*$/, '')}, Python ${version.split('.').slice(0, 2).join('.')}`,
				description: `The Python ${shown(path)} (${version}, Jupyter Server ${jupyter ?? ''}) on the host ${host}. Use it with the compute options of ${host}.`,
			},
		};
	});
	if (!facts.tools.includes('uv')) return environments;
	return [
		...environments,
		{
			host,
			python: UV,
			environment: {
				environment_id: `${host}-uv`,
				host,
				name: `${host}: uv, a fresh Python`,
				description: `A Python with Jupyter Server and ipykernel that uv downloads and caches on the host ${host}.`,
			},
		},
	];
};
