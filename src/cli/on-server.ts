import {hostOf} from '../query/own-hosts.ts';
import {isOver, meaningOf} from '../text/server-states.ts';
import {commandName} from '../settings/command-name.ts';
import type {Failure, FailureKind, Reply} from '../api/failure.ts';
import type {Client, Live} from '../api/client-types.ts';
import {spanWords} from '../text/clock.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {findServer, isStale, lastSettings, statusReason, startLine} from './find-server.ts';
import {printNotice} from './print.ts';
import {untilReady} from './until-ready.ts';

/**
 * Prints a notice about the end of a server, if this command started both the service and the
 * server.
 */
export const printLifetimeNotice = async (
	context: Context,
	service: Service,
	name: string,
	{runsCode = false}: {readonly runsCode?: boolean} = {},
): Promise<void> => {
	if (!service.started) return;
	// Servers on hosts outlive the service.
	if (hostOf(await findServer(context, service, name)) !== null) return;
	if (runsCode && service.keeps > 0)
		await printNotice(
			context,
			`${label(name, 40)} stays up for ${spanWords(service.keeps)} after this command, with its variables. Stop it with: ${commandName()} local stop. Files are kept.`,
		);
	else
		await printNotice(
			context,
			`${label(name, 40)} stops with this command, because the local service was started for it. Use ${commandName()} serve to keep one running. Files are kept.`,
		);
};

const startLocal = async (
	context: Context,
	service: Service,
	name: string,
	how: {readonly runsCode?: boolean},
): Promise<void> => {
	const server = await findServer(context, service, name);
	if (server.status === 'ready' && !isStale(server)) return;
	if (server.status === 'offline') {
		// Not started, because a start there may cost money, or wait in a queue.
		const host = hostOf(server);
		if (host !== null)
			throw new CommandError(
				'server-offline',
				`${JSON.stringify(name)} is on ${label(host, 60)}, and offline.${statusReason(server)}`,
				`Start it first: ${startLine(context, name)}`,
			);
		const {signal} = context;
		const reply = await service.client.startServer(name, lastSettings(server), {signal});
		if (!reply.ok) {
			// Another program may have started the server in the meantime.
			const now = reply.failure.kind === 'conflict' ? await findServer(context, service, name) : undefined;
			if (now === undefined || now.status === 'offline') throw failed(reply.failure);
		}
		await printLifetimeNotice(context, service, name, how);
	}
	await untilReady(context, service, name);
};

/**
 * Failure kinds that may mean that the server is offline or missing. The API does not specify its
 * errors.
 */
const UNCLEAR: ReadonlySet<FailureKind> = new Set([
	'not-found',
	'conflict',
	'refused',
	'server',
	'timeout',
	'off-contract',
]);

/** Hint that replaces the general advice. Undefined if the general advice applies. */
export type Advice = (failure: Failure) => string | undefined;
const NONE: Advice = () => undefined;

/** Hint for an object that the service does not have. */
export const whenNotFound =
	(next: string): Advice =>
	({kind}) =>
		kind === 'not-found' ? next : undefined;

const explain = async (
	context: Context,
	service: Service,
	name: string,
	failure: Failure,
	advice: Advice,
): Promise<CommandError> => {
	// A 403 concerns permissions, not the state of the server.
	if (service.isLocal || failure.status === 403 || !UNCLEAR.has(failure.kind))
		return failed(failure, advice(failure));
	try {
		const server = await findServer(context, service, name);
		const state = `${JSON.stringify(name)} is ${label(server.status, 40)}.${statusReason(server)}`;
		if (server.status === 'offline')
			return new CommandError('server-offline', state, `Start it first: ${startLine(context, name)}`);
		// Both are shown, because the meaning of other states is guessed, and the state may not be
		// the reason.
		if (isOver(server.status))
			return failed(failure, `${state} If that is why, start it: ${startLine(context, name)}`);
	} catch (error) {
		if (error instanceof CommandError && error.code === 'not-found') return error;
	}
	return failed(failure, advice(failure));
};

export type OnServer = {
	readonly service: Service;
	/**
	 * Error for a failed call. If the server is offline, the error states this and how to start the
	 * server.
	 */
	explain(failure: Failure): Promise<CommandError>;
};

/**
 * Connects to a server. Starts an offline server of the local service, but none of other services.
 * `before`: throws if a start would be useless.
 */
export const reachServer = async (
	context: Context,
	name: string,
	advice: Advice = NONE,
	how: {readonly runsCode?: boolean; readonly before?: (service: Service) => Promise<void>} = {},
): Promise<OnServer> => {
	const service = await context.connect();
	await how.before?.(service);
	if (service.isLocal) await startLocal(context, service, name, how);
	return {service, explain: failure => explain(context, service, name, failure, advice)};
};

/** Result of a call about a server. @throws {CommandError} if the call fails. */
export const askServer = async <T>(
	context: Context,
	name: string,
	ask: (client: Client) => Promise<Reply<T>>,
	advice?: Advice,
): Promise<T> => {
	const server = await reachServer(context, name, advice);
	const reply = await ask(server.service.client);
	if (!reply.ok) throw await server.explain(reply.failure);
	return reply.value;
};

/**
 * `hasStopped`: the service lists the server as stopped, or has itself ended. `away`: reason why
 * its host cannot be reached now, or null.
 */
export type LinkState = {readonly hasStopped: boolean; readonly away: string | null};

export type ServerLink = Live & {readonly linkState: () => Promise<LinkState>};

/**
 * Link to the server's own Jupyter API. Null if its address does not offer that API. Code then runs
 * through the service.
 */
export const liveLink = async (
	context: Context,
	service: Service,
	name: string,
): Promise<ServerLink | null> => {
	try {
		const server = await findServer(context, service, name);
		if (['offline', 'over', 'coming'].includes(meaningOf(server.status))) return null;
		const linked = await service.client.live(server, new Set());
		if (!('live' in linked)) return null;
		return Object.assign(linked.live, {
			async linkState(): Promise<LinkState> {
				if (service.hasEnded()) return {hasStopped: true, away: null};
				const list = await service.client.servers({signal: context.signal});
				const found = list.ok ? list.value.items.find(each => each.name === name) : undefined;
				return {
					hasStopped: found !== undefined && isOver(found.status),
					away: found?.status === 'unreachable' ? statusReason(found).trim() || null : null,
				};
			},
		});
	} catch (error) {
		// Running the code through the service reports the same error.
		if (error instanceof CommandError) return null;
		throw error;
	}
};
