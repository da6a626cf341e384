import {randomBytes} from 'node:crypto';
import {hostname} from 'node:os';
import type {ComputeOption} from '../../contract/compute.ts';
import type {ServerItem, StartRequest} from '../../contract/servers.ts';
import {UnreachableSessionError} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';
import {sbatchWords} from '../../engines/ssh/slurm-request.ts';
import {openTunnel} from '../../engines/ssh/tunnel.ts';
import type {LastError} from '../assistant/about.ts';
import {parseDuration} from '../../text/duration.ts';
import {jobTimeProblem} from '../../text/job-time.ts';
import {ServiceFault} from '../http/fault.ts';
import {checkServerName} from '../http/params.ts';
import type {ServerLinks} from '../server-links.ts';
import {orderAnswer, refusals, runCell, type Caller, type Servers} from '../servers.ts';
import type {Hosts} from './hosts.ts';
import type {HostOption} from './offers.ts';
import {listItem} from './list-item.ts';
import type {RemoteStore, StoredServer} from './store.ts';
import {addressOf, type Watched} from './watched.ts';

export type RemoteOptions = {
	readonly store: RemoteStore;
	readonly hosts: Hosts;
	readonly openLinks: () => Promise<ServerLinks>;
	readonly onFailure: (error: unknown) => void;
};

/** Time without activity after which a server ends itself, in seconds. */
const GRACE_S = 24 * 3600;

/** Time limit in minutes. Null if there is none. @throws {ServiceFault} if it cannot be parsed. */
const minutesOf = (limit: string | undefined): number | null => {
	if (limit === undefined) return null;
	const time = parseDuration(limit);
	if (time === null)
		throw new ServiceFault(400, 'The time limit of a job is a duration such as 30m, 8h or 2d.');
	return time / 60_000;
};
const onlyJobs = (): ServiceFault =>
	new ServiceFault(400, "Only jobs in Slurm's queue have a time limit: choose an option of a partition.");

/**
 * Adds the servers on the user's hosts to those of the service. Only for a service with a single
 * user.
 */
export const withRemote = (
	own: Servers,
	{store, hosts, openLinks, onFailure}: RemoteOptions,
): {
	readonly servers: Servers;
	stop(name: string): void;
	openPort(name: string, port: number): Promise<string>;
	/** Throws if a new server cannot have the name. */
	checkName(caller: Caller, name: string): Promise<void>;
	close(): Promise<void>;
} => {
	let links: Promise<ServerLinks> | undefined;
	const lastErrors = new Map<string, LastError>();
	/** Servers whose watching is being started, by id. */
	const opening = new Map<string, Promise<void>>();

	const find = (name: string): StoredServer | undefined =>
		store.servers().find(server => server.name === name);
	const watched = (server: StoredServer): Watched | undefined =>
		server.started ? hosts.watch(server.host).find(server.id) : undefined;
	const basePathOf = ({id}: StoredServer): string => `/svc-tui/${id}/`;

	/** Starts watching a server that was launched. Resolves when the server has its local port. */
	const watch = (server: StoredServer): Promise<void> => {
		const running = opening.get(server.id);
		if (running) return running;
		const {setup = '', root = '', grace = GRACE_S, slurm} = hosts.settingsOf(server.host);
		const environment = hosts
			.environments()
			.find(each => each.host === server.host && each.environment.environment_id === server.environment);
		const job = optionOf(server.server_request)?.job;
		const time = server.time ?? slurm?.time;
		const opened = (async () => {
			const on = hosts.watch(server.host);
			const entry: {current: Watched | null} = {current: null};
			const tunnel = await openTunnel(
				server.local_port,
				() => entry.current?.near ?? null,
				() => {
					if (entry.current) on.doubt(entry.current);
				},
			);
			const {id, token, order} = server;
			const record = {...server, local_port: tunnel.port};
			store.putServer(record);
			entry.current = {
				record,
				state: 'starting',
				reason: `Connecting to ${server.host}.`,
				since: Date.now(),
				earlier: server.seen,
				near: null,
				listened: null,
				hasMissed: false,
				isQueued: false,
				endsAt: null,
				stopAt: null,
				tunnel,
				order: {
					...{id, order, token, setup, root, grace, kind: job ? 'job' : 'process'},
					basePath: basePathOf(server),
					python: environment?.python ?? '',
					about: JSON.stringify({
						name: server.name,
						environment: server.environment,
						server_request: server.server_request,
						...{port: server.port, host: server.host, machine: hostname()},
					}),
					...(job && {
						values: {sbatch_words: sbatchWords(job, {...slurm, time}), client_key: await hosts.jobKey()},
					}),
				},
			};
			on.add(entry.current);
		})().finally(() => opening.delete(server.id));
		opening.set(server.id, opened);
		return opened;
	};
	/**
	 * Starts watching all servers that are running, including those launched by an earlier service.
	 */
	const watchAll = async (): Promise<void> => {
		const left = store.servers().filter(server => server.started && watched(server) === undefined);
		await Promise.all(left.map(server => watch(server)));
	};

	const itemOf = (server: StoredServer): ServerItem => listItem(server, watched(server));
	const notReady = (server: StoredServer, live: Watched | undefined): ServiceFault => {
		if (!live || live.state === 'starting')
			return refusals.notReady(server.name, server.started ? 'starting' : 'offline');
		return new ServiceFault(503, `The server ${server.name} is ${live.state}. ${live.reason}`.trim());
	};
	const linkTo = async (server: StoredServer) => {
		if (server.started && !watched(server)) await watch(server);
		const live = watched(server);
		// An interrupted connection is acceptable, because the tunnel holds requests until it is
		// restored.
		if (!live || (live.earlier ?? live).state !== 'ready') throw notReady(server, live);
		links ??= openLinks();
		const {url, token} = addressOf(live);
		return (await links).of(url, token, {mayBreak: true});
	};
	const refuse = (server: StoredServer) => (error: unknown) => {
		if (!(error instanceof UnreachableSessionError)) throw error;
		const live = watched(server);
		if (live) hosts.watch(server.host).doubt(live);
		throw new ServiceFault(
			503,
			`The server ${server.name} does not respond now. Check its status again in a moment.`,
		);
	};
	const filesOf = async (server: StoredServer): Promise<Files> => {
		const {files} = await linkTo(server);
		return {
			get: path => files.get(path).catch(refuse(server)),
			put: (path, upload, expected) => files.put(path, upload, expected).catch(refuse(server)),
		};
	};
	const isTaken = (name: string): string | undefined =>
		store.servers().find(server => server.name.toLowerCase() === name.toLowerCase())?.name;

	const checkName = async (caller: Caller, name: string): Promise<void> => {
		checkServerName(name);
		const others = await own.list(caller);
		const other = others.find(each => each.name.toLowerCase() === name.toLowerCase());
		const taken = other?.name ?? isTaken(name);
		if (taken !== undefined) throw refusals.nameTaken(taken);
	};

	const optionOf = (id: string): HostOption | undefined => hosts.options().find(option => option.id === id);
	/**
	 * Checks that environment, option and time limit of a start fit together.
	 * @throws {ServiceFault} if they do not.
	 */
	const checkOffer = (
		{option, host, job}: HostOption,
		{environment, port, time_limit: limit}: StartRequest,
	): void => {
		if (port < 1 || port > 65_535) throw new ServiceFault(400, 'The port must be a number from 1 to 65535.');
		const all = hosts.environments().filter(each => each.host === host);
		const isKnown = all.some(each => each.environment.environment_id === environment);
		if (!option.availability.some(({available}) => available))
			throw new ServiceFault(
				409,
				typeof option['note'] === 'string' ? option['note'] : `${host} is not available now.`,
			);
		const time = minutesOf(limit);
		if (time !== null && !job) throw onlyJobs();
		const problem = job
			? jobTimeProblem(job.partition, job.limit, time ?? hosts.settingsOf(host).slurm?.time)
			: null;
		if (problem !== null) throw new ServiceFault(409, problem);
		if (isKnown) return;
		const names = all.map(each => each.environment.environment_id).join(', ');
		throw new ServiceFault(
			400,
			`${JSON.stringify(environment)} is not an environment of ${host}. Use ${names === '' ? `svc-tui ssh add ${host} to look for its Pythons` : names}.`,
		);
	};
	const begin = async (server: StoredServer): Promise<StoredServer> => {
		const started = {
			...server,
			order: randomBytes(8).toString('hex'),
			launched: false,
			started: true,
			job: null,
			ended_reason: null,
			answered: false,
			mute_since: null,
			failed: false,
			seen: null,
		};
		store.putServer(started);
		lastErrors.delete(server.id);
		await watch(started);
		return store.servers().find(({id}) => id === server.id) ?? started;
	};
	const answer = (server: StoredServer, settings: StartRequest, option: ComputeOption) => {
		const item = itemOf(server);
		return {
			...orderAnswer(server.name, settings, option, {url: item.url ?? '', assistant_editor_url: ''}),
			assistant_editor_url: null,
			port_forward_url: null,
			host: server.host,
			...(option['price_known'] === false && {price_known: false}),
			token: item.token ?? null,
		};
	};

	const servers: Servers = {
		...own,
		async list(caller) {
			const mine = await own.list(caller);
			if (store.servers().length === 0) return mine;
			await watchAll();
			return [...mine, ...store.servers().map(itemOf)];
		},
		compute(caller) {
			hosts.refresh();
			const compute = own.compute(caller);
			const options = hosts.options();
			return options.length === 0 ? compute : [...compute, ...options.map(({option}) => option)];
		},
		environments(caller) {
			hosts.refresh();
			return [...own.environments(caller), ...hosts.environments().map(({environment}) => environment)];
		},
		async create(caller, request) {
			const {server_name: name, ...settings} = request;
			const taken = isTaken(name);
			if (taken !== undefined) throw refusals.nameTaken(taken);
			const option = optionOf(settings.server_request);
			if (!option && settings.time_limit !== undefined) throw onlyJobs();
			if (!option) return own.create(caller, request);
			checkOffer(option, settings);
			await checkName(caller, name);
			const id = randomBytes(8).toString('hex');
			const {time_limit: limit, ...fields} = settings;
			const record = {
				...{id, name, ...fields, host: option.host, time: minutesOf(limit)},
				...{
					token: randomBytes(24).toString('hex'),
					local_port: 0,
					order: '',
					launched: false,
					started: false,
				},
				...{job: null, ended_reason: null, seen: null},
				...{answered: false, mute_since: null, failed: false},
			};
			return answer(await begin(record), settings, option.option);
		},
		async start(caller, name, settings) {
			const server = find(name);
			const option = optionOf(settings.server_request);
			if (!server) {
				if (option)
					throw new ServiceFault(
						409,
						`The server ${name} cannot move to ${option.host}: create another one there.`,
					);
				return own.start(caller, name, settings);
			}
			if (server.started) throw refusals.notOffline(name, watched(server)?.state ?? 'starting');
			if (option?.host !== server.host)
				throw new ServiceFault(
					409,
					`The files of ${name} are on ${server.host}: choose a compute option of ${server.host}.`,
				);
			checkOffer(option, settings);
			const {time_limit: limit, ...fields} = settings;
			const begun = await begin({...server, ...fields, time: minutesOf(limit) ?? server.time});
			return {...answer(begun, settings, option.option), message: `Server ${name} started.`};
		},
		portOf: (caller, name) => find(name)?.port ?? own.portOf(caller, name),
		async run(caller, name, request, signal) {
			const server = find(name);
			if (!server) return own.run(caller, name, request, signal);
			const {queue, kernels} = await linkTo(server);
			const {code, kernel_name: kernel} = request;
			const run = () => kernels.run(code, kernel, signal).catch(refuse(server));
			return runCell({queue, name, signal}, code, run, raised => lastErrors.set(server.id, raised));
		},
		files(caller, name) {
			const server = find(name);
			return server ? filesOf(server) : own.files(caller, name);
		},
		async about(caller, name) {
			const server = find(name);
			if (!server) return own.about(caller, name);
			return {
				files: await filesOf(server),
				lastError: () => lastErrors.get(server.id) ?? null,
				seesLiveCells: false,
				lookup: (await linkTo(server)).lookup,
				serverName: name,
				environment: server.environment,
			};
		},
	};

	const stop = (name: string): void => {
		const server = find(name);
		if (!server) throw refusals.unknown(name);
		const live = watched(server);
		if (!server.started || !live) throw new ServiceFault(409, `The server ${name} is already offline.`);
		hosts.watch(server.host).stop(live);
		const {url, token} = addressOf(live);
		void links?.then(opened => opened.drop(url, token)).catch(onFailure);
	};
	const openPort = async (name: string, port: number): Promise<string> => {
		const server = find(name);
		if (!server) throw refusals.unknown(name);
		const live = watched(server);
		if (live?.state !== 'ready') throw notReady(server, live);
		return hosts.watch(server.host).openPort(live, port);
	};
	return {
		servers,
		stop,
		openPort,
		checkName,
		async close() {
			hosts.close();
			await (await links)?.close();
		},
	};
};
