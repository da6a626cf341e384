import {createdName, DEFAULT_PORT} from '../../contract/names.ts';
import {isStartedState} from '../../text/server-states.ts';
import type {StartRequest} from '../../contract/servers.ts';
import {priceOf} from '../../query/offers.ts';
import {perHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {CommandError} from '../command-error.ts';
import {findServer, lastSettings, startLine} from '../find-server.ts';
import {offersNow, currentPrice, rent} from '../costs/rates.ts';
import {stopServer} from '../server-stop.ts';
import {rentErrorText} from '../rent-error.ts';
import {untilReady} from '../until-ready.ts';
import {confirmSpending} from './money.ts';
import * as z from './sdk.ts';
import {serverName, tool, type ToolAnswer, type Call, type Tool} from './tool.ts';

/** Default wait in seconds, shorter than clients wait for a tool. */
const WAIT_SECONDS = 45;
const waiting = z
	.int()
	.min(0)
	.max(600)
	.default(WAIT_SECONDS)
	.describe('Seconds to wait until it is ready; 0 does not wait');

const output = z.object({
	server: z.string(),
	status: z.string(),
	hourly_rate: z
		.number()
		.nullable()
		.describe('Price per hour that the service reported; null if it reported none'),
});

/** Sends the request once, and waits for a while until the server is ready. */
const rented = async (
	call: Call,
	server: string,
	settings: StartRequest,
	{isThere, quoted, wait}: {readonly isThere: boolean; readonly quoted: number | null; readonly wait: number},
): Promise<ToolAnswer> => {
	const {context, service, allowed, maxPrice = 0} = call;
	const reply = await rent(context, service, server, settings, {isThere, quoted});
	if (!reply.ok) throw await rentErrorText(context, service, reply.failure, settings);
	const {hourly_rate: rate} = reply.value;
	const name = isThere ? server : createdName(reply.value, server);
	const most = allowed.has('spend') ? maxPrice : 0;
	const tooMuch =
		rate !== null && rate > most && rate !== quoted
			? {facts: `It costs ${perHour(rate)}, more than allowed. Tell the user. stop_server stops it.`}
			: {};
	const answer = (status: string): ToolAnswer => ({
		...tooMuch,
		value: {server: name, status, hourly_rate: rate},
	});
	if (wait === 0) return answer('starting');
	call.tell(`${label(name, 40)} is starting`);
	try {
		return answer((await untilReady(context, service, name, {limit: wait * 1000})).status);
	} catch (error) {
		// Not an error: the server is still starting, and list_servers will show when it is ready.
		if (error instanceof CommandError && error.code === 'timeout') return answer('starting');
		throw error;
	}
};

const startServer = tool({
	name: 'start_server',
	title: 'Start a server',
	description:
		'Starts a server that is not running with the settings of its last start. A paid server needs the spend permission, must not exceed the maximum price, and the user is asked each time.',
	needs: ['run', 'spend'],
	hints: {readOnly: false, idempotent: true},
	input: z.strictObject({server: serverName, wait_seconds: waiting}),
	output,
	async run(call, {server, wait_seconds: wait}) {
		const {context, service} = call;
		const found = await findServer(context, service, server);
		if (isStartedState(found.status))
			return {
				facts: `${label(server, 60)} is ${label(found.status, 40)}: nothing was sent.`,
				value: {server, status: found.status, hourly_rate: null},
			};
		const compute = found.server_request;
		const quoted = await confirmSpending(
			call,
			{verb: 'Start', server, compute, act: startLine(context, server)},
			async () => priceOf(compute, await offersNow(service, context.signal)) ?? null,
		);
		return rented(call, server, lastSettings(found), {isThere: true, quoted, wait});
	},
});

const createServer = tool({
	name: 'create_server',
	title: 'Create a server',
	description:
		'Creates and starts a server. A paid server must not exceed the maximum price, and the user is asked each time. The request is sent once. If the response is lost, call list_servers to see the outcome.',
	needs: ['spend'],
	hints: {readOnly: false},
	input: z.strictObject({
		name: z.string().min(1),
		environment: z.string().min(1).describe('Environment id from list_environments'),
		compute: z.string().min(1).describe('Compute option id from list_compute'),
		port: z.int().min(1).max(65_535).default(DEFAULT_PORT),
		wait_seconds: waiting,
	}),
	output,
	async run(call, {name, environment, compute, port, wait_seconds: wait}) {
		const {context, service} = call;
		const words = ['server', 'create', name, '--environment', environment, '--compute', compute];
		const quoted = await confirmSpending(
			call,
			{verb: 'Create', server: name, compute, act: context.typed(...words)},
			async () => currentPrice(context, service, compute),
		);
		const settings = {environment, port, server_request: compute};
		return rented(call, name, settings, {isThere: false, quoted, wait});
	},
});

const stopServerTool = tool({
	name: 'stop_server',
	title: 'Stop a server',
	description:
		'Shuts down a server and waits until it is offline. Kernels stop and their variables are lost; files are kept.',
	needs: ['spend'],
	hints: {readOnly: false, destructive: true, idempotent: true},
	input: z.strictObject({server: serverName}),
	async run(call, {server}) {
		await stopServer(call.context, server, {});
		return {facts: call.printed()};
	},
});

export const SPEND_TOOLS: readonly Tool[] = [startServer, createServer, stopServerTool];
