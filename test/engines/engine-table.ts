import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {labMissing} from '../support/lab/lab.ts';
import {labService} from '../support/lab-service.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {hubMissing, startHub} from '../support/hub.ts';

/** Abilities that at least one engine lacks. The tests check each entry. */
export type Ability =
	'numpy' | 'matplotlib' | 'ipython' | 'processes' | 'second kernel' | 'another language' | 'flood';

export type EngineRow = {
	readonly name: string;
	/** Reason why this machine cannot test the engine; null if it can. */
	readonly missing: string | null;
	/** Abilities that the engine lacks, each with the reason. */
	readonly cannot: Readonly<Partial<Record<Ability, string>>>;
	/** Further fields of the request that creates a server. */
	readonly settings: typeof settings;
	/** Path in the address of a server on the service's machine. */
	readonly serverPath: RegExp;
	/** Starts a service with the engine. Its user has no servers yet. */
	open(): Promise<LocalService>;
};

const jupyter = findJupyter(process.env);
const serverPath = /^\/user\/[^/]+\/lab\/$/;
const remotePath = /^\/svc-tui\/[0-9a-f]{16}\/$/;

export const engineTable: readonly EngineRow[] = [
	{
		name: 'embedded',
		missing: null,
		cannot: {
			numpy: 'it has the standard library only',
			matplotlib: 'it has the standard library only',
			ipython: "its cells are run by a runner of ours, without IPython's own functions",
			processes: 'code in WebAssembly starts no program',
			'second kernel': 'it has one, python3',
			'another language': 'it is a Python',
		},
		...{settings, serverPath},
		open: async () => localService({openEngine: undefined, engine: 'pyodide'}),
	},
	{
		name: 'jupyter',
		missing: jupyter
			? null
			: 'jupyter-server and ipykernel are not installed (Debian: apt-get install jupyter-server python3-ipykernel python3-numpy python3-matplotlib)',
		cannot: {},
		...{settings, serverPath},
		open: async () => localService({openEngine: undefined, engine: 'jupyter'}),
	},
	{
		name: 'ssh host',
		missing: labMissing,
		cannot: {},
		settings: {...settings, environment: 'lab-zoe-python3', server_request: 'lab-zoe-cpux0'},
		serverPath: remotePath,
		open: () => labService('zoe'),
	},
	{
		name: 'slurm',
		missing: labMissing,
		cannot: {},
		settings: {...settings, environment: 'lab-bob-python3', server_request: 'lab-bob-gpu-cpux0'},
		serverPath: remotePath,
		// This user may not log in to the nodes over SSH, so they are reached through srun.
		open: () => labService('bob'),
	},
	{
		name: 'jupyterhub',
		missing: hubMissing,
		cannot: {
			flood:
				'its servers drop output beyond 1 MB a second, unless their operator sets ServerApp.iopub_data_rate_limit',
		},
		...{settings, serverPath},
		async open() {
			await using starting = new AsyncDisposableStack();
			const hub = starting.use(await startHub());
			const local = starting.use(
				await localService({
					openEngine: undefined,
					engine: 'jupyterhub',
					hub: hub.url,
					apiKey: await hub.tokenOf('ann@example.com'),
				}),
			);
			const owned = starting.move();
			return {...local, [Symbol.asyncDispose]: () => owned.disposeAsync()};
		},
	},
];
