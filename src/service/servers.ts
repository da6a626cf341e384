import * as z from 'zod';
import type {CellOutput, ExecutedCell, RunRequest} from '../contract/cells.ts';
import type {ComputeOption} from '../contract/compute.ts';
import type {Environment} from '../contract/environments.ts';
import {PENDING} from '../contract/names.ts';
import type {
	CreatedServer,
	CreateRequest,
	ServerItem,
	StartedServer,
	StartRequest,
} from '../contract/servers.ts';
import {UnknownKernelError, UnreachableSessionError, type RunResult} from '../engines/engine.ts';
import type {Files} from '../engines/files.ts';
import type {About, LastError} from './assistant/about.ts';
import {ServiceFault} from './http/fault.ts';
import type {RunQueue} from './run-queue.ts';

/**
 * User who sends a request. `since`: start of the request's authentication, on the clock of
 * `performance.now()`.
 */
export type Caller = {readonly user: string; readonly key: string; readonly since?: number};

type Awaitable<T> = T | Promise<T>;

/** Operations on a user's servers. Independent of HTTP. All throw {@link ServiceFault}. */
export type Servers = {
	list(caller: Caller): Awaitable<readonly ServerItem[]>;
	/** Compute options, with their availability for the caller. */
	compute(caller: Caller): readonly ComputeOption[];
	environments(caller: Caller): readonly Environment[];
	create(caller: Caller, request: CreateRequest): Awaitable<CreatedServer>;
	start(caller: Caller, name: string, request: StartRequest): Awaitable<StartedServer>;
	/** Port of the last start, which is the default for the next start. */
	portOf(caller: Caller, name: string): Awaitable<number>;
	run(caller: Caller, name: string, request: RunRequest, signal: AbortSignal): Promise<ExecutedCell>;
	files(caller: Caller, name: string): Awaitable<Files>;
	about(caller: Caller, name: string): Awaitable<About>;
};

export const refusals = {
	unknown: (name: string) =>
		new ServiceFault(404, `You have no server ${name}. Create it, or list your servers to see their names.`),
	nameTaken: (name: string) =>
		new ServiceFault(409, `You already have a server ${name}; choose another name, or start that one.`),
	notOffline: (name: string, state: string) =>
		new ServiceFault(409, `The server ${name} is already ${state}.`),
	notReady: (name: string, state: string) =>
		new ServiceFault(
			409,
			state === 'offline'
				? `The server ${name} is offline; start it first.`
				: `The server ${name} is still ${state}; wait until it is ready.`,
		),
};

/** Fields that are common to the responses to create and start. */
export const orderAnswer = (
	server_name: string,
	settings: StartRequest,
	{hourly_price: hourly_rate}: ComputeOption,
	{url, assistant_editor_url}: {readonly url: string; readonly assistant_editor_url: string},
) => ({
	...settings,
	assistant_editor_url,
	hourly_rate,
	port_forward_url: PENDING,
	server_name,
	status: 'success' as const,
	url,
});

const errorOutput = z.object({
	output_type: z.literal('error'),
	ename: z.string(),
	evalue: z.string(),
	traceback: z.array(z.string()),
});

/** Exception that a cell raised, for the assistant. Undefined if it raised none. */
export const lastErrorOf = (outputs: readonly CellOutput[], source: string): LastError | undefined => {
	const {data} = errorOutput.safeParse(outputs.findLast(output => output.output_type === 'error'));
	return data && {ename: data.ename, evalue: data.evalue, traceback: data.traceback, source};
};

/**
 * Runs a cell after the earlier cells of the server. `onRaised` is called with the exception if the
 * cell raises one.
 */
export const runCell = async (
	{queue, name, signal}: {readonly queue: RunQueue; readonly name: string; readonly signal: AbortSignal},
	source: string,
	run: () => Promise<RunResult>,
	onRaised: (error: LastError) => void,
): Promise<ExecutedCell> => {
	const release = await queue.acquire(signal);
	if (!release)
		throw new ServiceFault(
			429,
			`Too many runs are queued on ${name}. Wait for one to finish, then try again.`,
			{'retry-after': '1'},
		);
	try {
		const {execution_count, outputs} = await run();
		const raised = lastErrorOf(outputs, source);
		if (raised && !signal.aborted) onRaised(raised);
		return {cell_type: 'code', execution_count, metadata: {}, source, outputs: [...outputs]};
	} catch (error) {
		if (error instanceof UnknownKernelError) throw new ServiceFault(404, error.message);
		if (error instanceof UnreachableSessionError)
			throw new ServiceFault(503, `The server ${name} does not respond. Check its status again in a moment.`);
		throw error;
	} finally {
		release();
	}
};
