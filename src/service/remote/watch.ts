import {existsSync} from 'node:fs';
import {callJupyter} from '../../engines/jupyter/rest.ts';
import type {Connection} from '../../engines/ssh/connection.ts';
import {HostFault, needsUser} from '../../engines/ssh/fault.ts';
import type {Verdict} from '../../engines/ssh/found.ts';
import type {NodeWays} from '../../engines/ssh/node-way.ts';
import type {Launches} from '../../engines/ssh/launcher.ts';
import {clockTime} from '../../text/clock.ts';
import {backoff, pauseAfter, SLOW_MS} from './pauses.ts';
import type {StoredServer} from './store.ts';
import {addressOf, type Listening, type RemoteState, type Watched} from './watched.ts';

/**
 * Interval at which a host that needs the user to sign in is checked for a connection that the user
 * opened, in ms.
 */
const LOCKED_MS = 1000;
const STOP_MS = 30_000;
const STATUS_MS = 5000;
const SHUTDOWN_MS = 3000;
/** Change of the wall clock from which the service infers that the machine was asleep, in ms. */
const JUMP_MS = 5000;
const TICK_MS = 2000;
const TEST_MS = 4000;
/**
 * Time limit for the first HTTP response at a new socket, in ms. Jupyter creates the socket only
 * when it is ready.
 */
const MUTE_MS = 2 * 60_000;

export type WatchOptions = {
	readonly host: string;
	readonly control: string;
	readonly connection: Connection;
	readonly launches: Launches;
	readonly ways: NodeWays;
	/** Path of the local socket that leads to a server. */
	nearOf(id: string): string;
	/** Path of the local socket that leads to a port of a server's machine. */
	portOf(id: string, port: number): string;
	/** Stores a record that has changed. */
	keep(record: StoredServer): void;
	/** Called when the state of a server changes. */
	onChange(): void;
	onFailure(error: unknown): void;
};

/**
 * Watches the servers of a host and keeps them reachable. A single loop performs all actions, so
 * that starts, checks and stops never overlap.
 */
export const createWatch = ({
	host,
	control,
	connection,
	launches,
	ways,
	nearOf,
	portOf,
	keep,
	onChange,
	onFailure,
}: WatchOptions) => {
	const servers = new Map<string, Watched>();
	let isRunning = false;
	let isClosed = false;
	let wake: (() => void) | null = null;
	let isAwake = false;
	let isLaunching = false;
	/** Functions to call when no launch is pending. */
	const waiting: (() => void)[] = [];
	let failures = 0;
	/** Number of consecutive failures to reach a job's node. */
	let wayFailures = 0;
	/** Set if the user must act before the host can be used: sign in, or accept a host key. */
	let blocked: HostFault | null = null;
	let lastFault: HostFault | null = null;

	const change = (server: Watched, fields: Partial<StoredServer>): void => {
		server.record = {...server.record, ...fields};
		keep(server.record);
	};
	/** Stores the state, so that the next service knows it. */
	const remember = (server: Watched): void => {
		const {state, since, earlier} = server;
		if (earlier === null && state !== 'offline' && state !== 'stopping')
			change(server, {seen: {state, since, at: Date.now()}});
	};
	const set = (server: Watched, state: RemoteState, reason = ''): void => {
		const {earlier} = server;
		server.earlier = null;
		const isNew = server.state !== state;
		if (isNew) server.since = earlier?.state === state ? earlier.since : Date.now();
		server.state = state;
		server.reason = reason;
		const {answered, mute_since: muteSince} = server.record;
		if (state === 'ready' && (!answered || muteSince !== null))
			change(server, {answered: true, mute_since: null});
		if (!isNew) return;
		remember(server);
		onChange();
	};
	const loseWay = (server: Watched): void => {
		server.near = null;
		server.tunnel.cut();
	};
	const end = (server: Watched, why: string, failed = false): void => {
		// Removes the token, because the reason may quote a log.
		const reason = why.replaceAll(server.record.token, '…');
		loseWay(server);
		ways.close(server.record.id);
		server.tunnel.close();
		servers.delete(server.record.id);
		change(server, {started: false, ended_reason: reason, failed});
		set(server, 'offline', reason);
	};
	const awayText = (server: Watched): string =>
		`No connection to ${host} since ${clockTime(server.since)}. Its kernel keeps running; trying again.`;
	const away = (server: Watched, fault: HostFault | null): void => {
		loseWay(server);
		if (server.record.mute_since !== null) change(server, {mute_since: null});
		if (server.state === 'stopping') return;
		if (fault?.kind === 'locked') {
			set(server, 'locked', fault.message);
			return;
		}
		// The host can only run what was launched, so without a sent launch the start has failed.
		if (!server.record.launched && fault !== null) {
			end(server, fault.message);
			return;
		}
		const wasRunning = server.state !== 'starting' || server.reason !== '';
		set(server, 'unreachable');
		server.reason = fault !== null && (needsUser(fault) || !wasRunning) ? fault.message : awayText(server);
	};

	const isPending = (): boolean =>
		isLaunching || [...servers.values()].some(({record, state}) => !record.launched && state !== 'locked');
	const launch = async (server: Watched): Promise<void> => {
		set(server, 'starting', `Starting on ${host}.`);
		change(server, {launched: true});
		isLaunching = true;
		try {
			const job = await launches.launch(server.order);
			if (job !== null) change(server, {job});
		} catch (error) {
			if (!(error instanceof HostFault) || error.kind === 'away') throw error;
			end(server, error.message);
		} finally {
			isLaunching = false;
		}
	};
	const stop = async (server: Watched): Promise<void> => {
		const {url, token} = addressOf(server);
		if (server.near !== null)
			await callJupyter({url, token}, 'POST', 'api/shutdown', {limit: SHUTDOWN_MS}).catch(() => undefined);
		try {
			await launches.end(server.record.id);
			end(server, 'Shut down. Files are kept.');
		} catch (error) {
			if (!(error instanceof HostFault) || error.kind === 'away') throw error;
			server.stopAt = null;
			set(server, 'unreachable', error.message);
		}
	};
	const isUp = async (server: Watched): Promise<boolean> => {
		const {url, token} = addressOf(server);
		const answer = await callJupyter({url, token}, 'GET', 'api/status', {limit: STATUS_MS}).catch(() => null);
		return answer?.status === 200;
	};
	/**
	 * Opens the forwarding to a server's socket. Returns false if its node cannot be reached now.
	 */
	const openWay = async (server: Watched, {socket, node}: Listening): Promise<boolean> => {
		if (server.near !== null) return true;
		const {id} = server.record;
		const near = nearOf(id);
		try {
			await (node ? ways.forward(id, node, near, socket) : connection.forward(near, socket));
		} catch (error) {
			if (!node || !(error instanceof HostFault)) throw error;
			ways.close(id);
			// The connection to the host has broken, and with it the connections to its nodes.
			if (!connection.isOpen()) return false;
			set(
				server,
				(server.earlier ?? server).state === 'starting' ? 'starting' : 'unreachable',
				error.message,
			);
			wayFailures++;
			return false;
		}
		server.near = near;
		wayFailures = 0;
		return true;
	};
	/**
	 * Reopens the forwardings that a broken connection has closed, before checking the servers on
	 * the host, because they have usually not changed. Servers on the host itself come first,
	 * because nodes may not respond.
	 */
	const resume = async (all: readonly Watched[]): Promise<void> => {
		const cut = all.filter(
			({near, state, stopAt}) => near === null && state === 'unreachable' && stopAt === null,
		);
		const isOnNode = ({listened}: Watched): number => (listened?.node ? 1 : 0);
		for (const server of cut.sort((one, other) => isOnNode(one) - isOnNode(other)))
			if (server.listened !== null && (await openWay(server, server.listened)) && (await isUp(server)))
				set(server, 'ready');
	};
	/** Called if the socket of a server exists, but the server does not respond over HTTP. */
	const wasMute = async (server: Watched): Promise<void> => {
		const {answered, id} = server.record;
		const since = server.record.mute_since ?? Date.now();
		if (server.record.mute_since === null) change(server, {mute_since: since});
		if (answered) {
			set(server, 'unreachable', `Jupyter Server on ${host} does not answer; trying again.`);
			return;
		}
		set(server, 'starting', 'Starting Jupyter.');
		if (Date.now() - since < MUTE_MS) return;
		await launches.end(id);
		end(
			server,
			`Jupyter Server on ${host} opened its socket, but did not answer within ${MUTE_MS / 60_000} minutes, and was ended. Its log there: ~/.local/share/svc-tui/remote/servers/${id}/log`,
			true,
		);
	};
	const apply = async (server: Watched, verdict: Verdict): Promise<void> => {
		// Ignores the result if the user stopped the server during the check.
		if (servers.get(server.record.id) !== server || (server.stopAt !== null && verdict.state !== 'ended'))
			return;
		switch (verdict.state) {
			case 'absent':
				end(server, `${host} no longer knows this server.`);
				return;
			case 'ended':
				await launches.end(server.record.id);
				if (server.stopAt === null) end(server, verdict.reason, verdict.failed);
				else end(server, 'Shut down. Files are kept.');
				return;
			case 'unknown':
				// Slurm's controller may be down while the server is running, so the server itself
				// is checked.
				if (server.near !== null && (await isUp(server))) return;
				loseWay(server);
				set(server, 'unreachable', verdict.reason);
				return;
			case 'starting':
				server.isQueued = verdict.isQueued === true;
				// The job may have been requeued, so that its server will start again.
				if (server.isQueued) {
					loseWay(server);
					server.listened = null;
					if (server.record.answered) change(server, {answered: false});
				}
				if (server.state !== 'ready' || server.isQueued) set(server, 'starting', verdict.reason);
				return;
			case 'listens':
				server.isQueued = false;
				// Undefined while Slurm does not respond.
				if (verdict.endsAt !== undefined) server.endsAt = verdict.endsAt;
				server.listened = verdict;
				if (!(await openWay(server, verdict))) return;
				const answers = await isUp(server);
				if (server.stopAt !== null) return;
				if (answers) {
					server.hasMissed = false;
					set(server, 'ready');
					return;
				}
				// A busy server may fail to respond once.
				if (server.state === 'ready' && !server.hasMissed) {
					server.hasMissed = true;
					return;
				}
				await wasMute(server);
				if (!verdict.node || server.state === 'offline') return;
				loseWay(server);
				ways.missed(server.record.id);
		}
	};

	/** Performs one round of checks and actions. Returns the pause before the next round, in ms. */
	const round = async (): Promise<number> => {
		const all = (): readonly Watched[] => [...servers.values()];
		if (blocked !== null && !existsSync(control)) return blocked.kind === 'locked' ? LOCKED_MS : SLOW_MS;
		blocked = null;
		try {
			await connection.open();
			lastFault = null;
			await resume(all());
			if (!connection.isOpen()) return backoff(failures++);
			for (const server of all()) {
				if (server.stopAt !== null) await stop(server);
				else if (!server.record.launched) await launch(server);
			}
			if (servers.size === 0) return 0;
			// A server that was added during this round has not been launched, so the host cannot
			// have a state for it.
			const sent = all().filter(({record}) => record.launched);
			if (sent.length === 0) return 0;
			const verdicts = await launches.look(sent.map(({record: {id, order}}) => ({id, order})));
			for (const server of sent) {
				const verdict = verdicts.get(server.record.id);
				if (verdict) await apply(server, verdict);
			}
			failures = 0;
		} catch (error) {
			if (!(error instanceof HostFault)) throw error;
			// If this program closed the connection, the error says nothing about the host.
			if (isClosed) return 0;
			lastFault = error;
			if (needsUser(error)) blocked = error;
			for (const server of all()) {
				away(server, error);
				if (server.stopAt !== null && Date.now() - server.stopAt > STOP_MS) {
					server.stopAt = null;
					set(server, 'unreachable', `The server could not be stopped: ${error.message}`);
				}
			}
			return backoff(failures++);
		}
		return Math.min(SLOW_MS, ...all().map(server => pauseAfter(server, wayFailures)));
	};
	const pauseFor = async (time: number): Promise<void> => {
		if (!isAwake) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const timer = setTimeout(resolve, time);
			wake = resolve;
			await promise;
			clearTimeout(timer);
			wake = null;
		}
		isAwake = false;
	};
	const kick = (): void => {
		if (wake) wake();
		else isAwake = true;
	};
	const loop = async (): Promise<void> => {
		while (servers.size > 0 && !isClosed) {
			const pause = await round().catch((error: unknown) => {
				onFailure(error);
				return SLOW_MS;
			});
			if (!isPending()) for (const resolve of waiting.splice(0)) resolve();
			if (servers.size > 0 && !isClosed) await pauseFor(pause);
		}
	};
	const run = (): void => {
		if (isRunning || isClosed || servers.size === 0) return;
		isRunning = true;
		void loop().finally(() => {
			isRunning = false;
			run();
		});
	};

	let [wall, steady] = [Date.now(), performance.now()];
	const tick = setInterval(() => {
		const slept = Date.now() - wall - (performance.now() - steady);
		[wall, steady] = [Date.now(), performance.now()];
		if (Math.abs(slept) > JUMP_MS && connection.isOpen()) void connection.test(TEST_MS);
	}, TICK_MS);
	tick.unref();

	return {
		add(server: Watched): void {
			servers.set(server.record.id, server);
			kick();
			run();
		},
		find: (id: string): Watched | undefined => servers.get(id),
		all: (): readonly Watched[] => [...servers.values()],
		/** Fault of the last failed attempt to connect. Null if there is none. */
		fault: (): HostFault | null => blocked ?? lastFault,
		/** Resolves when no launch is pending. */
		launched: (): Promise<void> =>
			isPending() ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve(),
		stop(server: Watched): void {
			server.stopAt = Date.now();
			if (!server.record.launched) {
				end(server, 'The start was cancelled.');
				return;
			}
			set(server, 'stopping');
			kick();
		},
		/**
		 * Opens a local socket that leads to a port of a server's machine.
		 * @throws {HostFault} if that fails.
		 */
		async openPort({record: {id}, listened}: Watched, port: number): Promise<string> {
			const near = portOf(id, port);
			if (listened?.node) await ways.forward(id, listened.node, near, port);
			else await connection.forward(near, port);
			return near;
		},
		/**
		 * Call when the connection to the host broke. No server is reachable until the next round.
		 */
		broke(): void {
			if (isClosed) return;
			ways.closeAll();
			for (const server of servers.values()) if (server.near !== null) away(server, null);
			kick();
		},
		/** Call when the connection to a server's node broke. */
		brokeNode(id: string): void {
			const server = servers.get(id);
			if (!isClosed && server && server.near !== null) away(server, null);
			kick();
		},
		/** Tries immediately, even if the host rejected the last attempt. */
		retry(): void {
			blocked = null;
			kick();
		},
		/**
		 * Call when the connection to a server does not work. The next round checks its host again.
		 */
		doubt(server: Watched): void {
			if (server.near === null || server.state !== 'ready') return;
			server.near = null;
			kick();
		},
		close(): void {
			isClosed = true;
			clearInterval(tick);
			kick();
			for (const server of servers.values()) {
				remember(server);
				server.tunnel.close();
			}
			ways.closeAll();
			connection.close();
		},
	};
};

export type Watch = ReturnType<typeof createWatch>;
