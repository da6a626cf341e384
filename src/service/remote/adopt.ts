import type {AdoptRequest, LeftItem} from '../../contract/hosts.ts';
import {HostFault} from '../../engines/ssh/fault.ts';
import type {LeftServer} from '../../engines/ssh/left.ts';
import {ServiceFault} from '../http/fault.ts';
import type {Hosts} from './hosts.ts';
import type {RemoteStore, StoredServer} from './store.ts';

/** Converts the fault of a host into an error response. Returns other errors unchanged. */
export const asServiceFault = (error: unknown): unknown =>
	error instanceof HostFault ? new ServiceFault(error.kind === 'locked' ? 409 : 503, error.message) : error;

const stateOf = ({verdict}: LeftServer): LeftItem['state'] => {
	switch (verdict.state) {
		case 'listens':
			return 'ready';
		case 'starting':
			return verdict.isQueued ? 'queued' : 'starting';
		case 'unknown':
			return 'unknown';
		case 'ended':
		case 'absent':
			return 'offline';
	}
};

const itemOf = (left: LeftServer, here: string | null): LeftItem => {
	const {id, name, verdict, since, job, root, from} = left;
	const reason = 'reason' in verdict ? verdict.reason : null;
	const token = left.access?.token;
	return {
		...{id, name, state: stateOf(left), job, root, from, here},
		// Removes the token, because some reasons quote the log, which may contain it.
		reason: token === undefined ? reason : (reason?.replaceAll(token, '…') ?? null),
		since: since === null ? null : new Date(since).toISOString(),
	};
};

/**
 * Id of an option or environment. Replaces the name that the other machine uses for the host by the
 * name used here.
 */
const renamed = (id: string, there: string | null, here: string): string =>
	there !== null && id.startsWith(`${there}-`) ? here + id.slice(there.length) : id;

/**
 * Server with the given id or name.
 * @throws {ServiceFault} if there is none, or the name is ambiguous.
 */
const choose = (all: readonly LeftServer[], host: string, wanted: string): LeftServer => {
	const byId = all.find(({id}) => id === wanted);
	if (byId) return byId;
	const named = all.filter(({name}) => name === wanted);
	const running = named.filter(left => stateOf(left) !== 'offline');
	const [found, another] = running.length > 0 ? running : named;
	if (found && !another) return found;
	const list = `svc-tui ssh list ${host}`;
	throw found
		? new ServiceFault(409, `Several servers on ${host} are named ${wanted}: use an id of ${list}.`)
		: new ServiceFault(
				404,
				`You have no server ${wanted} on ${host}: ${list} shows yours. Those of other users cannot be taken over.`,
			);
};

/**
 * Data for taking a server over.
 * @throws {ServiceFault} if that is not possible from this machine.
 */
const accessTo = (left: LeftServer, host: string): NonNullable<LeftServer['access']> => {
	const label = left.name === '' ? left.id : left.name;
	if (left.isForeign)
		throw new ServiceFault(
			403,
			`${label} on ${host} belongs to another user, and only that user can use it.`,
		);
	if (stateOf(left) === 'offline')
		throw new ServiceFault(
			409,
			`${label} on ${host} has ended, and its kernels with it. Its files are kept there. A new server on ${host} can use them.`,
		);
	if (left.access !== null) return left.access;
	throw new ServiceFault(
		409,
		`${left.id} on ${host} was started by another version of svc-tui, and this version cannot read the server's folder there. Use the version that started it.`,
	);
};

/**
 * Lists the servers on a host, and takes over servers of other machines. Its functions throw
 * {@link ServiceFault}.
 */
export const createAdoption = ({store, hosts}: {readonly store: RemoteStore; readonly hosts: Hosts}) => {
	const ownOf = (id: string): StoredServer | undefined => store.servers().find(server => server.id === id);
	const listOf = async (host: string): Promise<readonly LeftServer[]> => {
		if (!hosts.names().includes(host))
			throw new ServiceFault(404, `${host} is not one of your hosts: svc-tui ssh add ${host} adds it.`);
		hosts.watch(host).retry();
		try {
			return await hosts.launches(host).all();
		} catch (error) {
			throw asServiceFault(error);
		}
	};
	return {
		async list(host: string): Promise<LeftItem[]> {
			const all = [...(await listOf(host))].sort((one, other) => (other.since ?? 0) - (one.since ?? 0));
			return all.map(left => itemOf(left, ownOf(left.id)?.name ?? null));
		},
		/** Takes over a server. `checkName` throws if a server on this machine has the name. */
		async adopt(
			{host, server: wanted, server_name: asked}: AdoptRequest,
			checkName: (name: string) => Promise<void>,
		): Promise<LeftItem> {
			const left = choose(await listOf(host), host, wanted);
			const own = ownOf(left.id);
			if (own?.started === true)
				throw new ServiceFault(409, `${left.id} is already in your list, as ${own.name}.`);
			const {about, token, order} = accessTo(left, host);
			const name = asked ?? own?.name ?? about.name;
			if (name !== own?.name) await checkName(name);
			try {
				await hosts.launches(host).adopt(left.id, await hosts.jobKey());
			} catch (error) {
				throw asServiceFault(error);
			}
			store.putServer({
				...{id: left.id, name, host, port: about.port, token, order, job: left.job},
				environment: renamed(about.environment, about.host, host),
				server_request: renamed(about.server_request, about.host, host),
				...{local_port: 0, launched: true, started: true},
				...{ended_reason: null, time: null, seen: null},
				...{answered: true, mute_since: null, failed: false},
			});
			return itemOf(left, name);
		},
	};
};
