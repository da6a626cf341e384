import type {Order} from '../../engines/ssh/launcher.ts';
import type {Tunnel} from '../../engines/ssh/tunnel.ts';
import type {SeenState, StoredServer} from './store.ts';

/** States of a server on a host, as its list shows them. */
export type RemoteState = 'starting' | 'ready' | 'unreachable' | 'locked' | 'stopping' | 'offline';

/** A server that runs, starts or stops, as this service sees it. */
export type Watched = {
	record: StoredServer;
	state: RemoteState;
	/** Sentence. Empty if there is nothing to say. */
	reason: string;
	/** Time of the state's beginning, in ms since the epoch. */
	since: number;
	readonly order: Order;
	readonly tunnel: Tunnel;
	/** State in which an earlier service saw it. Null once this one has checked it. */
	earlier: SeenState | null;
	/** Socket of this machine that leads to it. Null while there is no way. */
	near: string | null;
	/** True if it did not answer at the last check, although it was ready. */
	hasMissed: boolean;
	/** True while it waits in a queue, where it is checked rarely. */
	isQueued: boolean;
	/** End of its time limit, in ms since the epoch. Null: none, or not known yet. */
	endsAt: number | null;
	/** The user asked for its end at this time, in ms since the epoch. */
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
