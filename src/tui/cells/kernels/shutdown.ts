import type {Reply} from '../../../api/failure.ts';
import {billText} from '../../../text/money.ts';
import {isOver} from '../../../text/server-states.ts';
import {label} from '../../../text/safe.ts';
import {rateNow} from '../../servers/costs/rentals.ts';
import {hostOf} from '../../../query/own-hosts.ts';
import {findServer, hasStatus, serverList} from '../../servers/servers.ts';
import {noLinkReason} from '../../live/link-state.ts';
import {endOf, orderFailed, type KernelEnd} from '../../live/orders.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';
import {serverLinks} from '../../live/links.ts';
import {replOwner} from './owner.ts';

export type ServerShutdown = {
	/** Asks whether to shut a server down. Returns a sentence if that is not possible. */
	askShutDown(server: string): string | void;
	/**
	 * Requests the shutdown and reports the response. A notice follows once the list shows the
	 * server as offline.
	 */
	shutDownServer(server: string): Promise<void>;
};

/** Time after which a notice says that the list still shows the server as running, in ms. */
const LATE_MS = 60_000;

const hasEnded = (status: string | undefined): boolean => status !== undefined && isOver(status);

type Order = {
	/** Time of the request; once there is a response, the time of the response. */
	at: number;
	/** True once the server has confirmed the request. */
	isHeard: boolean;
	/** Rate per hour; undefined if unknown. */
	readonly rate: number | undefined;
	/** Reports to the REPL whether the kernel has ended. */
	readonly settle: (how: KernelEnd) => void;
};

export const serverShutdown = part(
	'serverShutdown',
	({get, subscribe, deps: {now, client}}: App): ServerShutdown => {
		const orders = new Map<string, Order>();
		subscribe((state, old) => {
			if (state.servers === old.servers || state.servers.status !== 'ready') return;
			for (const [server, {at, rate, isHeard, settle}] of orders) {
				const status = findServer(state, server)?.status;
				if (status === undefined && state.detached.has(server)) orders.delete(server);
				if (!orders.has(server) || (!hasEnded(status) && now() - at < LATE_MS)) continue;
				const name = label(server, 60);
				const was = isHeard ? 'was shut down' : 'was asked to shut down, but did not confirm';
				if (status !== undefined && hasEnded(status)) {
					settle('ended');
					notices(state.app).notify(
						'good',
						`${name} is ${label(status, 20)}: ${billText(status, rate)}, its files are kept`,
						hasStatus(server, status),
					);
				} else if (status === undefined)
					notices(state.app).notify(
						'bad',
						`${name} ${was}. It is no longer listed: you may still be charged`,
					);
				else
					notices(state.app).notify(
						'bad',
						`${name} ${was}; the service still lists it as ${label(status, 20)}: ":addresses" leads to its page`,
						hasStatus(server, status),
					);
				orders.delete(server);
			}
		});
		const noStop = (server: string, why = noLinkReason(get().links.get(server))): string => {
			if (findServer(get(), server)?.url) route(get).openDialog({kind: 'addresses', server, at: 'url'});
			return `The service cannot stop servers, and the server's own address cannot be used: ${why}. Its web page may offer a shutdown`;
		};
		const isOnHost = (server: string): boolean => {
			const found = findServer(get(), server);
			return found !== undefined && hostOf(found) !== null;
		};
		/**
		 * Returns the request that shuts a server down; null if its address cannot be used. The
		 * service stops a server on a host in any state.
		 */
		const shutDownOf = async (server: string): Promise<(() => Promise<Reply<unknown>>) | null> => {
			if (isOnHost(server)) return async () => (await client()).stopOnHost(server);
			const live = await serverLinks(get).addressLink(server);
			return live === null ? null : () => live.shutDown();
		};
		return {
			askShutDown(server) {
				const status = findServer(get(), server)?.status;
				if (hasEnded(status)) return `${label(server, 60)} is ${label(status ?? '', 20)} already`;
				if (isOnHost(server)) return route(get).openDialog({kind: 'shutdown', server});
				return serverLinks(get).withAddress(
					server,
					why => noStop(server, why),
					() => route(get).openDialog({kind: 'shutdown', server}),
				);
			},
			async shutDownServer(server) {
				const shutDown = await shutDownOf(server);
				if (shutDown === null) return notices(get).notify('bad', noStop(server));
				const found = findServer(get(), server);
				const settle = replOwner(get, server).endKernel();
				const order: Order = {at: now(), isHeard: false, rate: found && rateNow(get(), found), settle};
				orders.set(server, order);
				const done = await shutDown();
				order.at = now();
				settle(endOf(done));
				if (done.ok) {
					order.isHeard = true;
					notices(get).notify(
						'info',
						`${label(server, 60)} is shutting down: the list shows when it is offline`,
					);
				} else {
					const isLost = done.failure.ambiguous === true;
					if (!isLost) orders.delete(server);
					const name = label(server, 60);
					const what = isLost ? `${name} may or may not have been shut down` : `${name} was not shut down`;
					notices(get).notify('bad', orderFailed(what, done.failure));
				}
				serverList(get).doubtServers();
			},
		};
	},
);
