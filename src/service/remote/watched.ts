import type {Verdict} from '../../engines/ssh/found.ts';
import type {Order} from '../../engines/ssh/launcher.ts';
import type {Tunnel} from '../../engines/ssh/tunnel.ts';
import type {SeenState, StoredServer} from './store.ts';

/** States of a server on a host, as its list shows them. */
export type RemoteState = 'starting' | 'ready' | 'unreachable' | 'locked' | 'stopping' | 'offline';

export type Listening = Extract<Verdict, {readonly state: 'listens'}>;

/** A server that runs, starts or stops, as this service sees it. */
export type Watched = {
	record: StoredServer;
	state: RemoteState;
	/** Reason for the state, as a sentence. Empty if there is none. */
	reason: string;
	/** Time of the state's beginning, in ms since the epoch. */
	since: number;
	readonly order: Order;
	readonly tunnel: Tunnel;
	/** State that an earlier service saw. Null once this service has checked the server. */
	earlier: SeenState | null;
	/** Socket of this machine that leads to the server. Null while none does. */
	near: string | null;
	/** Last known socket, so that a broken connection is mended before the host is asked. */
	listened: Listening | null;
	/** True if the server was ready, but did not answer at the last check. */
	hasMissed: boolean;
	/** True while the server's job waits in a queue. The server is then checked rarely. */
	isQueued: boolean;
	/** End of the server's time limit, in ms since the epoch. Null: none, or not known yet. */
	endsAt: number | null;
	/** Time at which the user asked to stop the server, in ms since the epoch. */
	stopAt: number | null;
};

/** Address on this machine, ending with a slash, and the token. */
export const addressOf = ({
	tunnel,
	order,
	record,
}: Watched): {readonly url: string; readonly token: string} => ({
	url: `http://127.0.0.1:${tunnel.port}${order.basePath}`,
	token: record.token,
});
