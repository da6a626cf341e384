import type {Slice} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import {perHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {rateOf} from '../servers/rentals.ts';
import {findServer} from '../servers/slice.ts';
import {whyNoLink} from './live-slice.ts';
import {orderFailed} from './restart-slice.ts';

export type ShutdownSlice = {
	/** Asks whether a server is to end. A sentence says why it cannot be ended from here. */
	askShutDown(server: string): string | void;
	/** Orders its end, and tells what came of it; that it is offline is told when the list says so. */
	shutDownServer(server: string): Promise<void>;
};

/** Milliseconds after which a server that is still listed as running is spoken of. */
const LATE_MS = 60_000;

type Order = {
	readonly at: number;
	/** Per hour; undefined where nobody has said it. */
	readonly rate: number | undefined;
	/** Of the kernel of the REPL. */
	readonly ended: () => void;
};

export const createShutdownSlice =
	({now}: Deps): Slice<ShutdownSlice> =>
	(_, get, store) => {
		const orders = new Map<string, Order>();
		store.subscribe((state, old) => {
			if (state.servers === old.servers || state.servers.status !== 'ready') return;
			for (const [name, {at, rate, ended}] of orders) {
				const status = findServer(state, name)?.status;
				if (status === 'offline') {
					ended();
					const money = rate === undefined ? 'what it cost is not known' : `${perHour(rate)} no longer runs`;
					state.notify('good', `${label(name, 60)} is offline: ${money}, its files are kept`);
				} else if (status !== undefined && now() - at < LATE_MS) continue;
				else if (status !== undefined)
					state.notify(
						'bad',
						`${label(name, 60)} was shut down, and the service still lists it as ${label(status, 20)}: ":addresses" leads to its page`,
					);
				orders.delete(name);
			}
		});
		const noStop = (server: string): string => {
			if (findServer(get(), server)?.url) get().openDialog({kind: 'addresses', server, at: 'url'});
			return `The interface has no stop, and that of the server itself cannot be used: ${whyNoLink(get().links.get(server))}. Its own page may have one`;
		};
		return {
			askShutDown(server) {
				const status = findServer(get(), server)?.status;
				if (status === 'offline') return `${label(server, 60)} is offline already`;
				get().seekLink(server);
				return get().withKernels(
					server,
					() => noStop(server),
					() => get().openDialog({kind: 'shutdown', server}),
				);
			},
			async shutDownServer(server) {
				const live = await get().linkOf(server);
				if (live === null) return get().notify('bad', noStop(server));
				const found = findServer(get(), server);
				const ended = get().endKernel(server);
				orders.set(server, {at: now(), rate: found && rateOf(get(), found), ended});
				const done = await live.shutDown();
				if (done.ok) {
					ended();
					get().notify('info', `${label(server, 60)} shuts down: the list says when it is offline`);
				} else {
					const isLost = done.failure.ambiguous === true;
					if (!isLost) orders.delete(server);
					const name = label(server, 60);
					const what = isLost ? `Whether ${name} was shut down is not known` : `${name} was not shut down`;
					get().notify('bad', orderFailed(what, done.failure));
				}
				get().doubtServers();
			},
		};
	};
