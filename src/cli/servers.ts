import {isCharged} from '../text/charged.ts';
import {createdName, DEFAULT_PORT} from '../contract/names.ts';
import {
	serverStrict,
	serverItem,
	type CreatedServer,
	type ServerItem,
	type StartedServer,
	type StartRequest,
} from '../contract/servers.ts';
import {priceOf} from '../query/offers.ts';
import {asSent} from '../text/as-sent.ts';
import {joined} from '../text/exact-json.ts';
import {perHour, priceText} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {maskToken} from '../text/token.ts';
import {isStartedState} from '../text/server-states.ts';
import type {ComputeOption} from '../contract/compute.ts';
import type {COLUMNS} from '../settings/columns.ts';
import type {ServerCost} from '../costs/daily-costs.ts';
import {costText} from '../costs/today.ts';
import {snapshotOf} from '../costs/observation-spans.ts';
import type {ReportedRate} from '../costs/reported-rates.ts';
import {columnsFor, type ColumnOptions} from './chosen-columns.ts';
import {usageError, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {allowBeforeStart} from './env.ts';
import {findServer, lastSettings} from './find-server.ts';
import {printLifetimeNotice} from './on-server.ts';
import {warnOffSpec, warnUnreadable, printJson, printNotice, printResult} from './print.ts';
import {
	currentPrice,
	hourlyRates,
	NO_COSTS,
	observedCosts,
	offersNow,
	rent,
	reportedRates,
	type ObservedCosts,
} from './costs/rates.ts';
import {portOf, secondsOf} from './option-values.ts';
import {NONE, tableText, type Column} from './table.ts';
import {rentErrorText} from './rent-error.ts';
import {untilReady} from './until-ready.ts';
import {inState, knownText, numberText, UNKNOWN} from '../text/known.ts';

const rateText = (row: ServerItem, rate: number | undefined): string =>
	rate === undefined ? (isCharged(row.status) === false ? NONE : UNKNOWN) : priceText(rate);

/** Today's estimate for a server, as in `cost`. The current list counts as the last observation. */
const todayCell = (row: ServerItem, cost: ServerCost | undefined): string =>
	cost === undefined ? (isCharged(row.status) === false ? NONE : UNKNOWN) : costText(cost);

const columnsOf = (
	held: ReadonlyMap<string, ReportedRate>,
	offers: readonly ComputeOption[] | undefined,
	{today, runs}: ObservedCosts,
): Readonly<Record<(typeof COLUMNS.servers)[number], Column<ServerItem>>> => {
	const stated = hourlyRates(held, offers);
	const rateOf = (row: ServerItem): number | undefined =>
		stated(row) ?? (runs.get(row.name)?.isStarting === true ? held.get(row.name)?.rate : undefined);
	return {
		name: {head: 'NAME', value: row => label(row.name)},
		state: {head: 'STATE', value: row => label(knownText(row.status), 20)},
		environment: {head: 'ENVIRONMENT', value: row => label(knownText(row.environment))},
		compute: {head: 'COMPUTE', value: row => label(knownText(row.server_request))},
		rate: {head: 'RATE /H', value: row => rateText(row, rateOf(row)), right: true, drop: 2},
		estimate: {head: 'TODAY', value: row => todayCell(row, today.get(row.name)), right: true, drop: 3},
		port: {head: 'PORT', value: row => numberText(row.port), right: true, drop: 1},
	};
};

export const listServers = async (context: Context, options: ColumnOptions): Promise<void> => {
	const chosen = (
		held: ReadonlyMap<string, ReportedRate>,
		offers?: readonly ComputeOption[],
		costs: ObservedCosts = NO_COSTS,
	): readonly Column<ServerItem>[] => {
		const all = columnsOf(held, offers, costs);
		const {estimate: _, ...usual} = all;
		return columnsFor(context, 'servers', options, all, Object.values(usual));
	};
	// Called early, so that an unknown column is rejected before any request.
	chosen(new Map());
	const service = await context.connect();
	const {signal, json, stdout} = context;
	const [reply, offers] = await Promise.all([service.client.servers({signal}), offersNow(service, signal)]);
	const {items, raw, unreadable} = valueOf(reply);
	if (json) return printJson(context, raw);
	if (items.length > 0) {
		const held = reportedRates(context, items);
		const costs = observedCosts(
			context,
			snapshotOf(items, unreadable, server => hourlyRates(held, offers)(server) ?? null),
		);
		await stdout.write(tableText(chosen(held, offers, costs), items, stdout.columns));
	}
	if (raw.length === 0)
		await printNotice(
			context,
			`No servers yet. ${context.typed('server', 'create', 'NAME', '--environment', 'E', '--compute', 'C')} creates one.`,
		);
	await warnUnreadable(context, unreadable);
	await warnOffSpec(
		context,
		raw.filter(item => serverItem.safeParse(item).success),
		serverStrict,
	);
};

/** Text such as `NAME is ready, 2.49 /h, https://…`, with the parts that are known. */
export const stateLine = (answer: CreatedServer | StartedServer | ServerItem, state: string): string => {
	const name = typeof answer['server_name'] === 'string' ? answer['server_name'] : String(answer['name']);
	const rate = typeof answer['hourly_rate'] === 'number' ? `, ${perHour(answer['hourly_rate'])}` : '';
	const url = answer.url
		? `, ${label(maskToken(answer.url, typeof answer['token'] === 'string' ? answer['token'] : null), 400)}`
		: '';
	return `${label(name)} is ${state}${rate}${url}\n`;
};

/** Fields of a listed server as the service sent them. Adds the name if it was missing. */
export const listedFields = (server: ServerItem): Readonly<Record<string, unknown>> => {
	const sent = asSent(server);
	return 'name' in sent ? sent : joined({name: server.name}, sent);
};

const sayListed = (context: Context, server: ServerItem): Promise<void> =>
	printResult(context, listedFields(server), stateLine(server, inState(server.status)));

export type CreateOptions = {
	readonly environment?: string;
	readonly compute?: string;
	/** Local folder that contains the server's files. */
	readonly folder?: string;
	readonly yes?: boolean;
	/** True to print only the name of the folder's server, without starting it. */
	readonly only?: boolean;
	readonly port?: string;
	/** Time limit, for a server that runs as a job. */
	readonly time?: string;
	readonly wait?: boolean;
	/** True to allow the download of the environment's packages. */
	readonly download?: boolean;
};

type Renting = {readonly isThere: boolean; readonly quoted: number | null; readonly wait: boolean};

const start = async (
	context: Context,
	service: Service,
	name: string,
	settings: StartRequest,
	{wait, ...how}: Renting,
): Promise<void> => {
	const reply = await rent(context, service, name, settings, how);
	if (!reply.ok) throw await rentErrorText(context, service, reply.failure, settings);
	await printLifetimeNotice(context, service, name);
	const started = how.isThere ? name : createdName(reply.value, name);
	const answer = {...reply.value, server_name: createdName(reply.value, name)};
	const sent = asSent(reply.value);
	const named = reply.value.server_name ? sent : joined(sent, {server_name: name});
	if (!wait) return printResult(context, named, stateLine(answer, 'starting'));
	// Reads the list again, because the response came before the addresses and the token were
	// known.
	const listed = await untilReady(context, service, started);
	await printResult(
		context,
		joined(named, asSent(listed)),
		stateLine({...answer, ...listed, server_name: answer.server_name}, inState(listed.status)),
	);
};

export const createServer = async (
	context: Context,
	name: string | undefined,
	{
		environment,
		compute,
		port,
		time,
		wait = false,
		folder,
		yes = false,
		only = false,
		download = false,
	}: CreateOptions,
): Promise<void> => {
	if (folder !== undefined) {
		if (name !== undefined)
			throw usageError('The server of a folder is named after the folder.', `Leave out ${label(name, 60)}.`);
		const {projectServer} = await import('./project.ts');
		const service = await context.connect();
		const project = await projectServer(context, service, folder, {yes});
		if (only) return printResult(context, {server_name: project}, `${project}\n`);
		return startServer(context, project, {wait: true});
	}
	if (name === undefined) throw usageError('A new server needs a name.');
	for (const [option, value] of Object.entries({environment, compute}))
		if (value === undefined)
			throw usageError(
				`Required option '--${option} <${option.charAt(0).toUpperCase()}>' not specified.`,
				'svc-tui server create --help shows how.',
			);
	if (environment === undefined || compute === undefined) return;
	const settings = {
		environment,
		port: portOf(port) ?? DEFAULT_PORT,
		server_request: compute,
		...(time !== undefined && {time_limit: time}),
	};
	const service = await context.connect();
	if (time !== undefined && !service.isLocal)
		throw usageError("Only the local service starts jobs in Slurm's queue, and another service is selected.");
	if (download) await allowBeforeStart(context, service, environment);
	const quoted = await currentPrice(context, service, compute);
	await start(context, service, name, settings, {isThere: false, quoted, wait});
};

/**
 * Runs `server start` with the settings of the last start. With `wait`, a server that is ready or
 * starting is accepted.
 */
export const startServer = async (
	context: Context,
	name: string,
	{wait = false, download = false}: {readonly wait?: boolean; readonly download?: boolean},
): Promise<void> => {
	const service = await context.connect();
	const server = await findServer(context, service, name);
	if (wait && isStartedState(server.status))
		return sayListed(context, await untilReady(context, service, name));
	if (download) await allowBeforeStart(context, service, server.environment);
	// Not checked first, because the server's earlier option may be available even if the catalogue
	// lists it as sold out. The service decides.
	const quoted = priceOf(server.server_request, await offersNow(service, context.signal)) ?? null;
	await start(context, service, name, lastSettings(server), {isThere: true, quoted, wait});
};

/** Runs `server wait`: waits until the server is ready, and prints its state. */
export const waitForServer = async (
	context: Context,
	name: string,
	{timeout}: {readonly timeout?: string},
): Promise<void> => {
	const limit = secondsOf('--timeout', timeout, 'svc-tui server wait');
	const service = await context.connect();
	await sayListed(context, await untilReady(context, service, name, {limit, isKnown: true}));
};
