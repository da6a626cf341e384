// Extension of the API: machines that the local service reaches over SSH.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {slurmFacts} from './slurm.ts';

const gpu = z.object({model: z.string(), count: z.number(), vram: z.number().nullable()});
const python = z.object({
	path: z.string(),
	version: z.string(),
	/** Versions of the packages, null if missing. */
	jupyter: z.string().nullable(),
	ipykernel: z.string().nullable(),
});

/** Resources of a host, as it reported them. */
export const hostFacts = z.object({
	/** Host name of the machine. */
	machine: z.string(),
	home: z.string(),
	system: z.string(),
	user: z.string(),
	cpus: z.number(),
	/** GiB, rounded down. Null if unknown. */
	memory: z.number().nullable(),
	gpus: z.array(gpu),
	pythons: z.array(python),
	/** Programs that were found: `uv`, `conda`, `sbatch`. */
	tools: z.array(z.string()),
	writable: z.boolean(),
	/** Absent if the host has no Slurm. */
	slurm: slurmFacts.optional(),
});
export type HostFacts = z.infer<typeof hostFacts>;

/**
 * `unknown`: the service has not connected to the host since its start. `locked`: the host requires
 * the user to sign in.
 */
export const hostState = z.enum(['unknown', 'connected', 'unreachable', 'locked']);

export const hostItem = z.looseObject({
	host: z.string(),
	state: hostState,
	/** Reason why the host cannot be used, and what to do, as a sentence. */
	reason: z.string().nullish(),
	/** Time of the last probe, ISO 8601. Null before the first. */
	probed_at: z.string().nullish(),
	facts: hostFacts.nullish(),
	/** Compute options and environments of the host, by id. */
	compute: z.array(z.string()),
	environments: z.array(z.string()),
});
export type HostItem = z.infer<typeof hostItem>;

const hostList = z.looseObject({
	...success,
	hosts: z.array(hostItem),
	/** Names in the user's configuration of ssh that are not in `hosts`. */
	aliases: z.array(z.string()),
});
export type HostList = z.infer<typeof hostList>;

export const hostRequest = z.object({host: z.string()});

// Outside `/api`, because the service may add its own endpoints there.
export const listHosts = {
	method: 'GET',
	path: '../local/hosts',
	body: undefined,
	response: hostList,
} as const satisfies Endpoint<undefined, typeof hostList>;

const hostAnswer = z.looseObject({...success, host: hostItem});

const controlAnswer = z.looseObject({...success, control: z.string()});

/** Path of the socket at which connections to a host are shared. */
export const hostControl = {
	method: 'POST',
	path: '../local/hosts/control',
	body: hostRequest,
	response: controlAnswer,
} as const satisfies Endpoint<typeof hostRequest, typeof controlAnswer>;

/** Connects, probes the host, and adds it to the catalogue. */
export const addHost = {
	method: 'POST',
	path: '../local/hosts/add',
	body: hostRequest,
	response: hostAnswer,
} as const satisfies Endpoint<typeof hostRequest, typeof hostAnswer>;

export const removeHost = {
	method: 'POST',
	path: '../local/hosts/remove',
	body: hostRequest,
	response: z.looseObject({...success}),
} as const satisfies Endpoint<typeof hostRequest, z.ZodType>;

const stopRequest = z.object({server_name: z.string()});

/** Stops a server on a host in any state, also while it starts. */
export const stopOnHost = {
	method: 'POST',
	path: '../local/hosts/stop',
	body: stopRequest,
	response: z.looseObject({...success}),
} as const satisfies Endpoint<typeof stopRequest, z.ZodType>;

const portRequest = z.object({server_name: z.string(), port: z.int().min(1).max(65_535)});

const portAnswer = z.looseObject({...success, socket: z.string()});

/**
 * Opens a socket on this machine that leads to a port of a server's machine. After a broken
 * connection, the same request opens it again.
 */
export const openPortOnHost = {
	method: 'POST',
	path: '../local/hosts/port',
	body: portRequest,
	response: portAnswer,
} as const satisfies Endpoint<typeof portRequest, typeof portAnswer>;

/** `queued`: waits as a Slurm job. `offline`: has ended, but its folder remains. */
const leftState = z.enum(['ready', 'starting', 'queued', 'offline', 'unknown']);

/** A server of the user on a host. Any of the user's machines may have started it. */
export const leftItem = z.looseObject({
	id: z.string(),
	/** Empty if the server's folder does not state the name. */
	name: z.string(),
	state: leftState,
	/** Reason why the server has ended, or what it waits for, as a sentence. */
	reason: z.string().nullish(),
	/** Time of the server's last start, ISO 8601. */
	since: z.string().nullish(),
	/** ID of the server's Slurm job. */
	job: z.string().nullish(),
	/** Folder on the host. */
	root: z.string().nullish(),
	/** Machine that started the server. */
	from: z.string().nullish(),
	/** Name of the server in this machine's list. Null if it is not in the list. */
	here: z.string().nullish(),
});
export type LeftItem = z.infer<typeof leftItem>;

const leftAnswer = z.looseObject({...success, servers: z.array(leftItem)});

/** Connects to a host and lists the user's servers on it. */
export const serversOnHost = {
	method: 'POST',
	path: '../local/hosts/servers',
	body: hostRequest,
	response: leftAnswer,
} as const satisfies Endpoint<typeof hostRequest, typeof leftAnswer>;

const adoptRequest = z.object({
	host: z.string(),
	/** Id on the host. The name is also accepted if only one server has it. */
	server: z.string(),
	/** New name in this machine's list. By default the current name of the server. */
	server_name: z.string().optional(),
});
export type AdoptRequest = z.infer<typeof adoptRequest>;

const adoptAnswer = z.looseObject({...success, server: leftItem});

/** Adds a server that another machine started to this machine's list. */
export const adoptOnHost = {
	method: 'POST',
	path: '../local/hosts/adopt',
	body: adoptRequest,
	response: adoptAnswer,
} as const satisfies Endpoint<typeof adoptRequest, typeof adoptAnswer>;
