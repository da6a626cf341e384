import type {Verdict} from '../../engines/ssh/found.ts';
import type {Order} from '../../engines/ssh/launcher.ts';
import type {Tunnel} from '../../engines/ssh/tunnel.ts';
import type {SeenState, StoredServer} from './store.ts';

/** States of a server on a host, as shown in lists. */
export type RemoteState = 'starting' | 'ready' | 'unreachable' | 'locked' | 'stopping' | 'offline';

export type Listening = Extract<Verdict, {readonly state: 'listens'}>;

/** Server that is starting, running or stopping. */
export type Watched = {
	record: StoredServer;
	state: RemoteState;
	/** Reason for the state, as a sentence. Empty if there is none. */
	reason: string;
	/** Time at which the state started, in ms since the epoch. */
	since: number;
	readonly order: Order;
	readonly tunnel: Tunnel;
	/** State that an earlier service stored. Null once this service has checked the server. */
	earlier: SeenState | null;
	/** Local socket that leads to the server. Null while the server cannot be reached. */
	near: string | null;
	/**
	 * Last known socket of the server. After a broken connection it is tried before the host is
	 * checked.
	 */
	listened: Listening | null;
	/** True if the server was ready, but did not respond at the last check. */
	hasMissed: boolean;
	/** True while the server's job is in Slurm's queue. The server is then checked less often. */
	isQueued: boolean;
	/**
	 * End of the job's time limit, in ms since the epoch. Null if there is none, or it is unknown.
	 */
	endsAt: number | null;
	/**
	 * Time at which the user stopped the server, in ms since the epoch. Null if the user has not.
	 */
	stopAt: number | null;
};

/** Local base URL, ending with a slash, and the token. */
export const addressOf = ({
	tunnel,
	order,
	record,
}: Watched): {readonly url: string; readonly token: string} => ({
	url: `http://127.0.0.1:${tunnel.port}${order.basePath}`,
	token: record.token,
});
