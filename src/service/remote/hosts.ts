import type {HostFacts, HostItem} from '../../contract/hosts.ts';
import type {HostSettings} from '../../settings/hosts.ts';
import {createConnection, type Connection} from '../../engines/ssh/connection.ts';
import {HostFault} from '../../engines/ssh/fault.ts';
import {createLaunches, type Launches} from '../../engines/ssh/launcher.ts';
import {createNodeWays} from '../../engines/ssh/node-way.ts';
import {probeHost} from '../../engines/ssh/probe.ts';
import {
	hostEnvironments,
	hostOptions,
	unusableText,
	type HostEnvironment,
	type HostOption,
	type KnownHost,
} from './offers.ts';
import type {SocketPaths} from './control-folder.ts';
import type {JobKey} from './job-key.ts';
import type {RemoteStore} from './store.ts';
import {createWatch, type Watch} from './watch.ts';

/** Age below which a probe is not repeated, in ms. */
const FRESH_MS = 60_000;

export type HostsOptions = {
	readonly store: RemoteStore;
	readonly paths: SocketPaths;
	readonly key: JobKey;
	/** Hosts in the user's settings, by name. */
	readonly settings: () => ReadonlyMap<string, HostSettings>;
	/** Called when the state of a server on a host changes. */
	readonly onChange: () => void;
	readonly onFailure: (error: unknown) => void;
};

/** Adds the previously known partitions if Slurm does not respond now. */
const keepPartitions = (facts: HostFacts, earlier: HostFacts | undefined): HostFacts =>
	facts.slurm && facts.slurm.error !== null && earlier?.slurm
		? {...facts, slurm: {...earlier.slurm, error: facts.slurm.error}}
		: facts;

type Host = {
	readonly connection: Connection;
	readonly watch: Watch;
	readonly launches: Launches;
	probing: Promise<void> | null;
	/** Time of the last attempt, on the clock of `performance.now()`. */
	probedAt: number;
	fault: HostFault | null;
};

/** Hosts that are in the settings or were added by the user. Each has a connection. */
export const createHosts = ({store, paths, key, settings, onChange, onFailure}: HostsOptions) => {
	const hosts = new Map<string, Host>();

	const open = (name: string): Host => {
		const known = hosts.get(name);
		if (known) return known;
		paths.prepare();
		const control = paths.control(name);
		const connection = createConnection({host: name, control}, () => hosts.get(name)?.watch.broke());
		const launches = createLaunches(name, connection);
		const ways = createNodeWays(
			{host: name, control},
			{key: key.file, control: paths.node, knownHosts: paths.knownHosts},
			() => settings().get(name)?.way ?? 'auto',
			id => hosts.get(name)?.watch.brokeNode(id),
		);
		const watch = createWatch({
			...{host: name, control, connection, launches, ways, onChange, onFailure},
			nearOf: paths.near,
			portOf: paths.port,
			keep: store.putServer,
		});
		const host: Host = {connection, watch, launches, probing: null, probedAt: -Infinity, fault: null};
		hosts.set(name, host);
		return host;
	};
	const namesOf = (): readonly string[] => [
		...new Set([...settings().keys(), ...store.hosts().flatMap(({host, added}) => (added ? [host] : []))]),
	];
	const faultOf = (name: string): HostFault | null => {
		const host = hosts.get(name);
		return host?.watch.fault() ?? host?.fault ?? null;
	};
	const known = (name: string): KnownHost => {
		const stored = store.hosts().find(({host}) => host === name);
		return {
			host: name,
			facts: stored?.facts ?? null,
			probedAt: stored === undefined ? null : Date.parse(stored.probed_at),
			reason: faultOf(name)?.message ?? null,
			settings: settings().get(name) ?? {},
		};
	};
	const probe = (name: string, isAdded: boolean): Promise<void> => {
		const host = open(name);
		host.probing ??= (async () => {
			try {
				const facts = await probeHost(host.connection, settings().get(name) ?? {});
				const added = isAdded || store.hosts().some(each => each.host === name && each.added);
				store.putHost({
					...{host: name, added, probed_at: new Date().toISOString()},
					facts: keepPartitions(facts, store.hosts().find(each => each.host === name)?.facts),
				});
				host.fault = null;
			} catch (error) {
				if (!(error instanceof HostFault)) throw error;
				host.fault = error;
			} finally {
				host.probedAt = performance.now();
				host.probing = null;
			}
		})();
		return host.probing;
	};
	return {
		watch: (name: string): Watch => open(name).watch,
		launches: (name: string): Launches => open(name).launches,
		names: namesOf,
		jobKey: (): Promise<string> => key.publicKey(),
		settingsOf: (name: string): HostSettings => settings().get(name) ?? {},
		options: (): readonly HostOption[] => namesOf().flatMap(name => hostOptions(known(name))),
		environments: (): readonly HostEnvironment[] => namesOf().flatMap(name => hostEnvironments(known(name))),
		/**
		 * Probes hosts with outdated information in the background. Skips hosts on which the user
		 * must act first.
		 */
		refresh(): void {
			for (const name of namesOf()) {
				const host = open(name);
				if (performance.now() - host.probedAt < FRESH_MS) continue;
				if (host.fault !== null && host.fault.kind !== 'away') continue;
				void probe(name, false).catch(onFailure);
			}
		},
		/** Connects to a host, probes it and adds it. @throws {HostFault} if that fails. */
		async add(name: string): Promise<void> {
			const host = open(name);
			host.watch.retry();
			await probe(name, true);
			if (host.fault !== null) throw host.fault;
		},
		control(name: string): string {
			paths.prepare();
			return paths.control(name);
		},
		/**
		 * Removes a host that the user added. Ends its connection, unless the settings contain the
		 * host.
		 */
		async remove(name: string): Promise<void> {
			store.removeHost(name);
			if (namesOf().includes(name)) return;
			const {watch, connection} = open(name);
			hosts.delete(name);
			watch.close();
			await connection.drop();
		},
		item(name: string): HostItem {
			const {facts, probedAt} = known(name);
			const fault = faultOf(name);
			const isOpen = hosts.get(name)?.connection.isOpen() === true;
			return {
				host: name,
				state:
					fault === null
						? isOpen
							? 'connected'
							: 'unknown'
						: fault.kind === 'locked'
							? 'locked'
							: 'unreachable',
				reason: fault?.message ?? (facts && unusableText(name, facts)),
				probed_at: probedAt === null ? null : new Date(probedAt).toISOString(),
				facts,
				compute: hostOptions(known(name)).map(({id}) => id),
				environments: hostEnvironments(known(name)).map(({environment}) => environment.environment_id),
			};
		},
		/** Resolves when no launch is pending on any host. */
		async launched(): Promise<void> {
			await Promise.all([...hosts.values()].map(({watch}) => watch.launched()));
		},
		close(): void {
			for (const {watch} of hosts.values()) watch.close();
		},
	};
};

export type Hosts = ReturnType<typeof createHosts>;
