import type {ComputeOption} from '../../contract/compute.ts';
import type {GpuGroup} from '../../engines/gpus.ts';
import type {Machine} from './machine.ts';

export type EngineName = 'pyodide' | 'jupyter' | 'jupyterhub';

/** Options that a hub passes to its spawner, such as KubeSpawner's `{"profile": "gpu"}`. */
export type UserOptions = Readonly<Record<string, unknown>>;

export type Offer = {
	readonly id: string;
	readonly option: ComputeOption;
	readonly userOptions?: UserOptions | undefined;
};

/**
 * Memory limit of the embedded engine, in GiB: Pyodide 314.0.7 declares 4 GiB of WebAssembly
 * memory.
 */
const PYODIDE_MEMORY = 4;

type Shape = {
	readonly id: string;
	readonly name: string;
	readonly cpus: number;
	/** Memory in GiB. */
	readonly memory: number;
	readonly gpu?: {
		readonly count: number;
		/** Memory of each GPU in GiB. */
		readonly vram: number;
	};
	readonly host?: string;
	/** Reason why the option is not available, or null. */
	readonly missing: string | null;
	readonly note?: string;
};

const offer = ({
	id,
	name,
	cpus,
	memory,
	gpu,
	host = 'svc',
	missing,
	note = missing ?? undefined,
}: Shape): Offer => ({
	id,
	option: {
		name,
		cloud_host: host,
		// The service's own options are requested as `svc-<size>` and have no `compute_id`.
		...(host === 'svc' ? {} : {compute_id: id}),
		cpus,
		memory: `${memory}G`,
		num_gpus: gpu?.count ?? 0,
		vram_per_gpu: `${gpu?.vram ?? 0}G`,
		total_vram: `${(gpu?.vram ?? 0) * (gpu?.count ?? 0)}G`,
		hourly_price: 0,
		availability: [{available: missing === null, region: 'default'}],
		...(note === undefined ? {} : {note}),
	},
});

const share = (whole: number, part: number): number => Math.max(1, Math.floor(whole * part));

const idOf = (gpu: GpuGroup): string => `local-${gpu.model.replaceAll(/[^\w.-]+/g, '_')}x${gpu.count}`;

/** The service's own options at a price of 0, limited to the resources of this machine. */
export const ownOptions = (engine: EngineName, machine: Machine): readonly Offer[] => {
	const embedded = engine === 'pyodide';
	const {cpus, memory} = machine;
	const missing = embedded
		? 'Needs the Jupyter engine: the embedded engine runs on one CPU and no GPU.'
		: null;
	const medium = embedded
		? {
				cpus: 1,
				memory: Math.min(PYODIDE_MEMORY, memory),
				note: 'One CPU of this machine and the most memory that the embedded engine can use, shared by all its servers.',
			}
		: {cpus: share(cpus, 1 / 4), memory: share(memory, 1 / 4)};
	const t4 = machine.gpus.find(gpu => /\bT4\b/.test(gpu.model));
	const others = machine.gpus.filter(gpu => gpu !== t4);
	return [
		{id: 'svc-medium', name: 'Medium CPU', ...medium, missing: null},
		{id: 'svc-large', name: 'Large CPU', cpus: share(cpus, 1 / 2), memory: share(memory, 1 / 2), missing},
		{id: 'svc-xl', name: 'XL CPU', cpus, memory, missing},
		{
			id: 'svc-t4',
			name: 'T4 (1x)',
			cpus,
			memory,
			gpu: {count: 1, vram: t4?.vram ?? 16},
			missing: missing ?? (t4 ? null : 'This machine has no T4.'),
		},
		...others.map((gpu): Shape => ({
			id: idOf(gpu),
			name: `${gpu.model} (${gpu.count}x)`,
			cpus,
			memory,
			host: 'local',
			missing,
			gpu: {count: gpu.count, vram: gpu.vram ?? memory},
		})),
	].map(offer);
};

/** The only option of a hub whose operator provides no catalogue. */
export const hubDefault = offer({
	id: 'svc-medium',
	name: 'Medium CPU',
	cpus: 0,
	memory: 0,
	missing: null,
	note: "The hub's default resources; their size is unknown. The operator can describe them with --catalogue FILE.",
});
