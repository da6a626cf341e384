import {hostOf} from '../query/own-hosts.ts';
import {isOver, meaningOf} from '../text/server-states.ts';
import type {ServerItem} from '../contract/servers.ts';
import {billText} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {findServer} from './find-server.ts';
import {needLink} from './link-to.ts';
import {createPoller, spanText} from './poller.ts';
import {printResult} from './print.ts';
import {offersNow, ratesOf} from './costs/rates.ts';

const LIMIT = 90_000;
/** Shortest and longest pause between two polls, in ms. The pause grows from poll to poll. */
const PAUSES = [50, 2000] as const;

/**
 * Asks the user to confirm the shutdown of an attached server. @throws {CommandError} if the user
 * does not.
 */
const allowed = async (context: Context, {name, url}: ServerItem): Promise<void> => {
	const host = label(URL.parse(url ?? '')?.host ?? '?', 100);
	const whose = `${label(name, 60)} is an attached server at ${host}, started by someone else. Shutting it down stops it for everyone.`;
	if (context.ask === undefined)
		throw usageError(
			whose,
			`--yes shuts it down; ${context.typed('detach', name)} only removes it from your list.`,
		);
	const answer = await context.ask(`${whose} Shut it down? [y/N] `, {masked: false});
	if (!/^y(?:es)?$/i.test(answer.trim()))
		throw new CommandError('cancelled', `${label(name, 60)} was not shut down.`, '');
};

/**
 * Waits until the server has stopped, and returns its state. `isHeard`: true if the server
 * confirmed the request. `check`: throws if the state shows a failure.
 * @throws {CommandError} `timeout` if the server has not stopped in time.
 */
const untilOffline = async (
	context: Context,
	{client}: Service,
	name: string,
	isHeard: boolean,
	check: (server: ServerItem) => void = () => {},
): Promise<string> => {
	const poller = createPoller(context, {limit: LIMIT});
	const [first, longest] = PAUSES;
	for (let pause: number = first; ; pause = Math.min(pause * 1.5, longest)) {
		const list = await poller.poll(signal => client.servers({signal}));
		const found = list?.items.find(server => server.name === name);
		const state = found?.status;
		if (state !== undefined && isOver(state)) return state;
		if (found) check(found);
		if (poller.isOver) {
			const was = isHeard ? 'was shut down' : 'was asked to shut down, but did not confirm';
			const seen =
				list === undefined
					? 'The service does not respond, so the server may or may not be offline.'
					: state === undefined
						? 'It is no longer in the list, so you may or may not still be charged.'
						: `After ${spanText(LIMIT)} the service still lists it as ${JSON.stringify(state)}.`;
			throw new CommandError(
				'timeout',
				`${label(name, 60)} ${was}. ${seen}`,
				`${context.typed('servers')} shows its state; ${context.typed('server', 'open', name)} opens its page.`,
			);
		}
		await poller.pause(pause);
	}
};

/** Stops a server on a host of the user, also while it starts or cannot be reached. */
const stopThere = async (context: Context, service: Service, {name}: ServerItem): Promise<void> => {
	const reply = await service.client.stopOnHost(name, {signal: context.signal});
	if (!reply.ok) throw failed(reply.failure);
	const state = await untilOffline(context, service, name, true, ({status, status_reason: reason}) => {
		// If the host refuses, the state of the server is unchanged.
		if (meaningOf(status) === 'ending') return;
		const why = typeof reason === 'string' ? ` ${label(reason, 400)}` : '';
		throw new CommandError(
			'refused',
			`${label(name, 60)} was not stopped.${why}`,
			`${context.typed('servers')} shows its state.`,
		);
	});
	await printResult(
		context,
		{server_name: name, status: state},
		`${label(name, 60)} is ${label(state, 40)}: its files are kept.\n`,
	);
};

/**
 * Runs `server stop`: shuts the server down at its own address, and waits until the list shows it
 * as stopped.
 */
export const stopServer = async (
	context: Context,
	name: string,
	{yes = false}: {readonly yes?: boolean},
): Promise<void> => {
	const service = await context.connect();
	const server = await findServer(context, service, name);
	const done = (status: string) => ({server_name: name, status});
	if (isOver(server.status))
		return printResult(
			context,
			done(server.status),
			`${label(name, 60)} is already ${label(server.status, 40)}.\n`,
		);
	if (server['attached'] === true && !yes) await allowed(context, server);
	if (hostOf(server) !== null) return stopThere(context, service, server);
	const live = await needLink(context, service, name, {
		verb: 'shutdown',
		next: `Its web page may offer a shutdown: ${context.typed('server', 'open', name)}`,
	});
	const rate = ratesOf(context, [server], await offersNow(service, context.signal))(server);
	const reply = await live.shutDown();
	live.close();
	// Ignored if the response was lost: the server may be shutting down, and the list will show
	// that.
	if (!reply.ok && reply.failure.ambiguous !== true) throw failed(reply.failure);
	const state = await untilOffline(context, service, name, reply.ok);
	await printResult(
		context,
		done(state),
		`${label(name, 60)} is ${label(state, 40)}: ${billText(state, rate)}, its files are kept.\n`,
	);
};
