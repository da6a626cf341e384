import {DEFAULT_PORT} from '../contract/names.ts';
import {
	serverAsStated,
	serverItem,
	type CreatedServer,
	type ServerItem,
	type StartedServer,
} from '../contract/servers.ts';
import {priceOf} from '../query/offers.ts';
import {perHour, priceText} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {maskToken} from '../text/token.ts';
import {usageError, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {findServer} from './find-server.ts';
import {noteEnd} from './on-server.ts';
import {noteOdd, noteUnreadable, printJson, printNote} from './print.ts';
import {keepRate, offersNow, quoteOf, ratesOf} from './rates.ts';
import {secondsOf} from './seconds.ts';
import {NONE, tableText, type Column} from './table.ts';
import {whyNotRented} from './unknown-choice.ts';
import {untilReady} from './until-ready.ts';
import {knownText, numberText} from '../text/known.ts';

const rateText = (row: ServerItem, rate: number | undefined): string =>
	rate === undefined ? (row.status === 'offline' ? NONE : '?') : priceText(rate);

const columns = (rateOf: (server: ServerItem) => number | undefined): readonly Column<ServerItem>[] => [
	{head: 'NAME', value: row => label(row.name)},
	{head: 'STATE', value: row => label(knownText(row.status), 20)},
	{head: 'ENVIRONMENT', value: row => label(knownText(row.environment))},
	{head: 'COMPUTE', value: row => label(knownText(row.server_request))},
	{head: 'RATE /H', value: row => rateText(row, rateOf(row)), right: true, drop: 2},
	{head: 'PORT', value: row => numberText(row.port), right: true, drop: 1},
];

/** `servers` */
export const listServers = async (context: Context): Promise<number> => {
	const service = await context.connect();
	const {signal, json, stdout} = context;
	const [reply, offers] = await Promise.all([
		service.client.servers({signal}),
		json ? undefined : offersNow(service, signal),
	]);
	const {items, raw, unreadable} = valueOf(reply);
	if (json) await printJson(context, raw);
	else if (items.length > 0)
		await stdout.write(tableText(columns(ratesOf(context, items, offers)), items, stdout.columns));
	if (!json && raw.length === 0)
		await printNote(
			context,
			`No server yet. ${context.typed('server', 'create', 'NAME', '--environment', 'E', '--compute', 'C')} makes one.`,
		);
	if (!json) {
		await noteUnreadable(context, unreadable);
		await noteOdd(
			context,
			raw.filter(item => serverItem.safeParse(item).success),
			serverAsStated,
		);
	}
	return 0;
};

/** `NAME is ready, 2.49 /h, https://…`, as far as that is known. */
export const stateLine = (answer: CreatedServer | StartedServer | ServerItem, state: string): string => {
	const name = typeof answer['server_name'] === 'string' ? answer['server_name'] : String(answer['name']);
	const rate = typeof answer['hourly_rate'] === 'number' ? `, ${perHour(answer['hourly_rate'])}` : '';
	const url = answer.url
		? `, ${label(maskToken(answer.url, typeof answer['token'] === 'string' ? answer['token'] : null), 400)}`
		: '';
	return `${label(name)} is ${state}${rate}${url}\n`;
};

const tell = async (
	context: Context,
	answer: CreatedServer | StartedServer | ServerItem,
	state: string,
): Promise<void> =>
	context.json ? printJson(context, answer) : context.stdout.write(stateLine(answer, state));

export type CreateOptions = {
	readonly environment: string;
	readonly compute: string;
	readonly port?: string;
	readonly wait?: boolean;
};

const portOf = (text: string | undefined): number => {
	if (text === undefined) return DEFAULT_PORT;
	const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
	if (port < 1 || port > 65_535)
		throw usageError(`--port ${JSON.stringify(text)} is not a port: it is a whole number from 1 to 65535.`);
	return port;
};

const accepted = async (
	context: Context,
	service: Service,
	name: string,
	answer: CreatedServer | StartedServer,
	wait: boolean,
): Promise<number> => {
	await noteEnd(context, service, name);
	if (wait) await untilReady(context, service, name);
	await tell(context, answer, wait ? 'ready' : 'starting');
	return 0;
};

/** `server create` */
export const createServer = async (
	context: Context,
	name: string,
	{environment, compute, port, wait = false}: CreateOptions,
): Promise<number> => {
	const request = {server_name: name, environment, server_request: compute, port: portOf(port)};
	const service = await context.connect();
	const quoted = await quoteOf(context, service, compute);
	const since = Date.now();
	const reply = await service.client.createServer(request, {signal: context.signal});
	if (!reply.ok) throw await whyNotRented(context, service, reply.failure, request);
	await keepRate(context, name, reply.value, quoted, since);
	return accepted(context, service, name, reply.value, wait);
};

/** `server start`, with the settings of its last start. With `wait`, one that is ready or starting already is as good. */
export const startServer = async (
	context: Context,
	name: string,
	{wait = false}: {readonly wait?: boolean},
): Promise<number> => {
	const service = await context.connect();
	const server = await findServer(context, service, name);
	const {environment, port, server_request} = server;
	if (wait && server.status !== 'offline') {
		await tell(context, await untilReady(context, service, name), 'ready');
		return 0;
	}
	// What a server had before may still be had whatever the catalogue says: the service knows.
	const quoted = priceOf(server_request, await offersNow(service, context.signal)) ?? null;
	const since = Date.now();
	const reply = await service.client.startServer(
		name,
		{environment, port: port ?? DEFAULT_PORT, server_request},
		{signal: context.signal},
	);
	if (!reply.ok) throw await whyNotRented(context, service, reply.failure, {environment, server_request});
	await keepRate(context, name, reply.value, quoted, since);
	return accepted(context, service, name, reply.value, wait);
};

/** `server wait`: until it is ready. The server is told as it is then. */
export const waitForServer = async (
	context: Context,
	name: string,
	{timeout}: {readonly timeout?: string},
): Promise<number> => {
	const limit = secondsOf('--timeout', timeout, 'svc-tui server wait');
	const service = await context.connect();
	await tell(context, await untilReady(context, service, name, {limit, isKnown: true}), 'ready');
	return 0;
};
