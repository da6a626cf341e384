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
	/** True if the user added the host. False if only the settings contain it. */
	added: z.boolean(),
	/** Time of the last probe, in ISO 8601. */
	probed_at: z.string(),
	facts: hostFacts,
});
export type StoredHost = z.infer<typeof host>;

const seenState = z.object({
	state: z.enum(['starting', 'ready', 'unreachable', 'locked']),
	/** `since`: start of the state. `at`: last check. Both in ms since the epoch. */
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
	/** Local port that leads to the server. 0 before the first start. */
	local_port: z.int(),
	/** Id of the current or last start. */
	order: z.string(),
	/**
	 * Set to true just before the launch is sent. If its result is lost, the launch may still have
	 * had effects.
	 */
	launched: z.boolean(),
	/** False when the server is known to have ended. */
	started: z.boolean(),
	/** ID of the server's Slurm job. Null if it has none. */
	job: z.string().nullable(),
	/** Reason why the server ended, as a sentence. Null if there is none. */
	ended_reason: z.string().nullable(),
	/**
	 * True if the server has responded over HTTP since this start. In that case a lack of responses
	 * never ends it.
	 */
	answered: z.boolean().default(true),
	/**
	 * Time since which the server's socket exists but does not respond, in ms since the epoch. Null
	 * if it responds.
	 */
	mute_since: z.number().nullable().default(null),
	/** True if the start failed, so that the list shows an error. */
	failed: z.boolean().default(false),
	/**
	 * Time limit of the job in minutes. Null: the limit from the settings, or else of the
	 * partition.
	 */
	time: z.number().nullable().default(null),
	/** State at the last check by any service. Null before the first check. */
	seen: seenState.nullable().default(null),
});
/** Server on a host, as stored on this machine. */
export type StoredServer = z.infer<typeof server>;

const shape = z.object({hosts: z.array(host), servers: z.array(server)});

/**
 * Stores hosts and servers in a file. It contains tokens, so only its owner can read it.
 * @throws {ServeError} if the file is invalid.
 */
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
		/** Adds a server, or replaces the server with the same id. */
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
