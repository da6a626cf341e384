import {isOver, meaningOf} from '../text/server-states.ts';
import {commandName} from '../settings/command-name.ts';
import type {Failure, FailureKind, Reply} from '../api/failure.ts';
import type {Client, Live} from '../api/client-types.ts';
import {spanWords} from '../text/clock.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {findServer, lastSettings, statusReason, startLine} from './find-server.ts';
import {printNotice} from './print.ts';
import {untilReady} from './until-ready.ts';

/** Said once by a command that started both the service and a server on it. */
export const printLifetimeNotice = async (
	context: Context,
	service: Service,
	name: string,
	{runsCode = false}: {readonly runsCode?: boolean} = {},
): Promise<void> => {
	if (!service.started) return;
	if (runsCode && service.keeps > 0)
		await printNotice(
			context,
			`${label(name, 40)} stays for ${spanWords(service.keeps)} after this command, with what the code made; ${commandName()} local stop ends it. Its files stay.`,
		);
	else
		await printNotice(
			context,
			`${label(name, 40)} ends with this command, since the local service was started for it; ${commandName()} serve keeps one running. Its files stay.`,
		);
};

const startLocal = async (
	context: Context,
	service: Service,
	name: string,
	how: {readonly runsCode?: boolean},
): Promise<void> => {
	const server = await findServer(context, service, name);
	if (server.status === 'ready') return;
	if (server.status === 'offline') {
		const {signal} = context;
		const reply = await service.client.startServer(name, lastSettings(server), {signal});
		if (!reply.ok) {
			// Another program may have started it in the meantime.
			const now = reply.failure.kind === 'conflict' ? await findServer(context, service, name) : undefined;
			if (now === undefined || now.status === 'offline') throw failed(reply.failure);
		}
		await printLifetimeNotice(context, service, name, how);
	}
	await untilReady(context, service, name);
};

/** Kinds that a service may answer when the server is offline or not there: errors are not specified. */
const UNCLEAR: ReadonlySet<FailureKind> = new Set([
	'not-found',
	'conflict',
	'refused',
	'server',
	'timeout',
	'off-contract',
]);

/** What to do next, where the command knows better than the general advice. */
export type Advice = (failure: Failure) => string | undefined;
const NONE: Advice = () => undefined;

/** Of what is asked for, when the service has nothing by that name. */
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
	// 403 is about what may be done, not about the server's state.
	if (service.isLocal || failure.status === 403 || !UNCLEAR.has(failure.kind))
		return failed(failure, advice(failure));
	try {
		const server = await findServer(context, service, name);
		const state = `${JSON.stringify(name)} is ${label(server.status, 40)}.${statusReason(server)}`;
		if (server.status === 'offline')
			return new CommandError('server-offline', state, `Start it first: ${startLine(context, name)}`);
		// The meaning of any other state is a guess: it may not be the reason.
		if (isOver(server.status))
			return failed(failure, `${state} If that is why, start it: ${startLine(context, name)}`);
	} catch (error) {
		if (error instanceof CommandError && error.code === 'not-found') return error;
	}
	return failed(failure, advice(failure));
};

export type OnServer = {
	readonly service: Service;
	/** The failure as a command reports it: one that only means that the server is offline says so, and what to type. */
	explain(failure: Failure): Promise<CommandError>;
};

/**
 * Reaches a server. One of the local service is started when it is offline; on any other service nothing is started. `before` throws where that
 * would be for nothing.
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

/** Asks something of a server. @throws {CommandError} */
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

/** `hasStopped`: true if the service lists the server as stopped. */
export type ServerLink = Live & {readonly hasStopped: () => Promise<boolean>};

/** The server's own Jupyter interface, where its address answers as one; else null, and code goes over the service. */
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
			async hasStopped() {
				const list = await service.client.servers({signal: context.signal});
				const found = list.ok ? list.value.items.find(each => each.name === name) : undefined;
				return found !== undefined && isOver(found.status);
			},
		});
	} catch (error) {
		// The service says it again to whoever runs the code there.
		if (error instanceof CommandError) return null;
		throw error;
	}
};
