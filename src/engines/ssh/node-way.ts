import {rmSync, writeFileSync} from 'node:fs';
import {isHostAlias} from '../../contract/names.ts';
import {throughArgs, type Far, type Target} from './client.ts';
import {createConnection, type Connection} from './connection.ts';
import {HostFault} from './fault.ts';
import type {JobNode} from './found.ts';
import {oneLine} from './plain.ts';

/** `node`: ssh from the host to the node. `srun`: an sshd of ours within the job. */
export type NodeWay = 'node' | 'srun';

const isPath = (text: string): boolean => /^\/[\w./+@-]+$/.test(text);
const isUser = (text: string): boolean => /^[\w.@+][\w.@+-]{0,63}$/.test(text);
const isKey = (text: string): boolean => /^ssh-ed25519 [A-Za-z0-9+/=]{20,200}$/.test(text);

/** Local files of the routes to the nodes of a host. */
export type WayFiles = {
	/** Private key that the sshd in a job accepts. */
	readonly key: string;
	/** Socket of the connection to the node of a server. */
	control(id: string): string;
	/** File for the host key of the sshd in a server's job. */
	knownHosts(id: string): string;
};

const toNode = (gate: Target, {name, user}: JobNode, control: string): Target => ({
	host: name,
	control,
	// The user's configuration of the node may name another user, who cannot open the socket.
	options: [
		'-l',
		user,
		'-o',
		'ConnectTimeout=8',
		'-o',
		`ProxyCommand=ssh ${throughArgs(gate).join(' ')} -W [%h]:%p ${gate.host}`,
	],
});

/** Ignores the user's own configuration, since the other end is a process of ours. */
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
 * Connections to the nodes of a cluster, one for each server. The first way that works serves all
 * servers. `onBreak` receives the id of a server whose connection broke.
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
		/** Forwards the socket `near` to a socket or a port of the node. @throws {HostFault} */
		async forward(id: string, node: JobNode, near: string, far: Far): Promise<void> {
			const connection = open.get(id) ?? (await connect(id, node));
			await connection.open();
			await connection.forward(near, far);
		},
		/** Drops the connection for a server, which a forward opens again. */
		close,
		/**
		 * Drops a connection that leads to the node and not to the server: only processes of a job
		 * may see its `/tmp`.
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
