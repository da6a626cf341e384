import {rmSync, writeFileSync} from 'node:fs';
import {isHostAlias} from '../../contract/names.ts';
import {throughArgs, type Far, type Target} from './client.ts';
import {createConnection, type Connection} from './connection.ts';
import {HostFault} from './fault.ts';
import type {JobNode} from './found.ts';
import {oneLine} from './plain.ts';

/**
 * Ways to reach a node. `node`: ssh from the host to the node. `srun`: an sshd that this program
 * starts inside the job.
 */
export type NodeWay = 'node' | 'srun';

const isPath = (text: string): boolean => /^\/[\w./+@-]+$/.test(text);
const isUser = (text: string): boolean => /^[\w.@+][\w.@+-]{0,63}$/.test(text);
const isKey = (text: string): boolean => /^ssh-ed25519 [A-Za-z0-9+/=]{20,200}$/.test(text);

/** Local files for the connections to the nodes of a host. */
export type WayFiles = {
	/** Private key that the sshd in a job accepts. */
	readonly key: string;
	/** Control socket of the connection to a server's node. */
	control(id: string): string;
	/** File with the host key of the sshd in a server's job. */
	knownHosts(id: string): string;
};

const toNode = (gate: Target, {name, user}: JobNode, control: string): Target => ({
	host: name,
	control,
	// The user is given explicitly, because the user's configuration of the node may name another
	// user, who cannot open the socket.
	options: [
		'-l',
		user,
		'-o',
		'ConnectTimeout=8',
		'-o',
		`ProxyCommand=ssh ${throughArgs(gate).join(' ')} -W [%h]:%p ${gate.host}`,
	],
});

/**
 * Ignores the user's own configuration, because the other end is an sshd that this program started.
 */
const intoJob = (
	gate: Target,
	{job, user, run, hostKey}: JobNode,
	id: string,
	files: WayFiles,
): Target | null => {
	const known = files.knownHosts(id);
	if (!/^\d{1,12}$/.test(job) || !isUser(user) || !isPath(run) || !isKey(hostKey)) return null;
	const host = `svc-job-${job}`;
	writeFileSync(known, `${host} ${hostKey}\n`, {mode: 0o600});
	return {
		host,
		control: files.control(id),
		options: [
			...['-F', '/dev/null', '-l', user, '-i', files.key],
			...[
				'IdentitiesOnly=yes',
				'IdentityAgent=none',
				'PreferredAuthentications=publickey',
				'StrictHostKeyChecking=yes',
				`UserKnownHostsFile=${known}`,
				'GlobalKnownHostsFile=/dev/null',
				`ProxyCommand=ssh ${throughArgs(gate).join(' ')} ${gate.host} exec /bin/sh ${run}/enter.sh`,
			].flatMap(option => ['-o', option]),
		],
	};
};

/**
 * Connections to the nodes of a cluster, one for each server. Once one way of connecting works, it
 * is used for all servers. `onBreak` is called with the id of a server whose connection broke.
 */
export const createNodeWays = (
	gate: Target,
	files: WayFiles,
	wanted: () => NodeWay | 'auto',
	onBreak: (id: string) => void,
) => {
	const open = new Map<string, Connection>();
	let found: NodeWay | null = null;

	const targetOf = (way: NodeWay, id: string, node: JobNode): Target | null => {
		if (way === 'srun') return intoJob(gate, node, id, files);
		return isHostAlias(node.name) && isUser(node.user) ? toNode(gate, node, files.control(id)) : null;
	};
	const close = (id: string): void => {
		const connection = open.get(id);
		open.delete(id);
		connection?.close();
		rmSync(files.knownHosts(id), {force: true});
	};
	const connect = async (id: string, node: JobNode): Promise<Connection> => {
		const setting = wanted();
		const ways: readonly NodeWay[] =
			setting === 'auto' ? (found === null ? ['node', 'srun'] : [found]) : [setting];
		let reason = 'its name or its key is missing';
		for (const way of ways) {
			const target = targetOf(way, id, node);
			if (target === null) continue;
			const connection = createConnection(target, () => onBreak(id));
			open.set(id, connection);
			try {
				await connection.open();
				found = way;
				return connection;
			} catch (error) {
				const isClosed = open.get(id) !== connection;
				if (!isClosed) close(id);
				if (!(error instanceof HostFault) || isClosed) throw error;
				reason = error.message;
			}
		}
		found = null;
		throw new HostFault(
			'away',
			`The node ${oneLine(node.name, 60)} cannot be reached from ${gate.host}: ${reason}`,
		);
	};
	return {
		/**
		 * Forwards the local socket `near` to a socket or port of the node.
		 * @throws {HostFault} if that fails.
		 */
		async forward(id: string, node: JobNode, near: string, far: Far): Promise<void> {
			const connection = open.get(id) ?? (await connect(id, node));
			await connection.open();
			await connection.forward(near, far);
		},
		/** Closes the connection for a server. The next forwarding opens it again. */
		close,
		/**
		 * Closes a connection that reached the node but not the server, and tries the other way
		 * next. The node may show a job's `/tmp` only to processes of the job.
		 */
		missed(id: string): void {
			close(id);
			found = found === 'node' ? 'srun' : null;
		},
		closeAll(): void {
			for (const id of [...open.keys()]) close(id);
		},
	};
};

export type NodeWays = ReturnType<typeof createNodeWays>;
