import {existsSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {hostFacts} from '../../contract/hosts.ts';
import {writeDurably} from '../../machine/atomic-write.ts';
import {readPrivate} from '../../machine/private-file.ts';
import {jsonIn} from '../../text/record.ts';
import {usageError} from '../serve-error.ts';

const host = z.object({
	host: z.string(),
	/** False for a host that only the settings name. */
	added: z.boolean(),
	/** ISO 8601. */
	probed_at: z.string(),
	facts: hostFacts,
});
export type StoredHost = z.infer<typeof host>;

const seenState = z.object({
	state: z.enum(['starting', 'ready', 'unreachable', 'locked']),
	/** Times of the start of the state and of the last check, in ms since the epoch. */
	since: z.number(),
	at: z.number(),
});
export type SeenState = z.infer<typeof seenState>;

const server = z.object({
	id: z.string().regex(/^[0-9a-f]{16}$/),
	name: z.string(),
	host: z.string(),
	environment: z.string(),
	port: z.int(),
	server_request: z.string(),
	token: z.string(),
	/** Port of this machine that leads to the server. 0 before the first start. */
	local_port: z.int(),
	/** Id of the current start, or of the last one. */
	order: z.string(),
	/** True from the moment before the launch is sent, so that a lost answer is noticed. */
	launched: z.boolean(),
	/** False once the server is known to have ended. */
	started: z.boolean(),
	/** ID of the server's Slurm job. */
	job: z.string().nullable(),
	/** Reason for the end: a sentence. */
	ended_reason: z.string().nullable(),
	/** True if the server has answered over HTTP since this start. Silence then never ends it. */
	answered: z.boolean().default(true),
	/** Time since which the server's socket does not answer, in ms since the epoch, or null. */
	mute_since: z.number().nullable().default(null),
	/** True if the start failed, so that the list shows an error. */
	failed: z.boolean().default(false),
	/** Time limit of the job in minutes. Null: that of the settings, else of the partition. */
	time: z.number().nullable().default(null),
	/** State at the last check by a service. Null before the first one. */
	seen: seenState.nullable().default(null),
});
/** A server on a host, as this machine knows it. */
export type StoredServer = z.infer<typeof server>;

const shape = z.object({hosts: z.array(host), servers: z.array(server)});

/** @throws {ServeError} if the file cannot be used. It holds tokens: only its owner may read it. */
export const openRemoteStore = (dataFolder: string) => {
	const file = join(dataFolder, 'remote.json');
	const read = (): z.infer<typeof shape> => {
		if (!existsSync(file)) return {hosts: [], servers: []};
		const found = readPrivate(file);
		const kept = 'text' in found ? shape.safeParse(jsonIn(found.text)) : null;
		if (kept?.success) return kept.data;
		throw usageError(
			`The servers on hosts in ${file} cannot be used${'fault' in found && found.fault === 'open' ? ', because other users can read the file: run chmod 600 on it' : ''}; restore it from a backup, or move it away: svc-tui ssh list HOST then finds them again.`,
		);
	};
	let all = read();
	const keep = (next: z.infer<typeof shape>): void => {
		writeDurably(file, `${JSON.stringify(next, null, '\t')}\n`);
		all = next;
	};
	return {
		hosts: (): readonly StoredHost[] => all.hosts,
		servers: (): readonly StoredServer[] => all.servers,
		putHost: (stored: StoredHost): void =>
			keep({...all, hosts: [...all.hosts.filter(each => each.host !== stored.host), stored]}),
		removeHost: (name: string): void => keep({...all, hosts: all.hosts.filter(each => each.host !== name)}),
		/** Adds a server, or replaces the one with its id. */
		putServer: (stored: StoredServer): void =>
			keep({
				...all,
				servers: all.servers.some(({id}) => id === stored.id)
					? all.servers.map(each => (each.id === stored.id ? stored : each))
					: [...all.servers, stored],
			}),
		removeServer: (id: string): void => keep({...all, servers: all.servers.filter(each => each.id !== id)}),
	};
};

export type RemoteStore = ReturnType<typeof openRemoteStore>;
