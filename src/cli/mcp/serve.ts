import {setImmediate as setImmediatePromise} from 'node:timers/promises';
import {sharedConnection} from './calls.ts';
import type {Context} from '../context.ts';
import {createLineTransport} from './line-transport.ts';
import {createNotebookRuns} from './notebook-runs.ts';
import {createToolServer, type Setup} from './tool-server.ts';

/**
 * Time in ms for which running calls may continue after the client has closed its end. Then they
 * are interrupted.
 */
const LAST_CALLS_WITHIN = 60_000;

/** Serves the protocol until the client disconnects or a signal ends the command. */
export const serveStdio = async (context: Context, setup: Omit<Setup, 'allowedBy'>): Promise<void> => {
	const {input, output} = context.pipe();
	const gone = new AbortController();
	const closed = new AbortController();
	const ends = AbortSignal.any([context.signal, gone.signal]);
	const running = new Set<Promise<unknown>>();
	const runs = createNotebookRuns(context);
	const server = createToolServer(
		context,
		{...setup, allowedBy: needs => `the user starts svc-tui mcp with --allow ${needs.join(' or ')}`},
		{
			services: sharedConnection(context),
			runs,
			ends,
			closed: closed.signal,
			onCall(called) {
				running.add(called);
				void called.finally(() => running.delete(called));
			},
		},
	);

	const over = Promise.withResolvers<void>();
	server.onclose = () => gone.abort();
	ends.addEventListener('abort', () => over.resolve(), {once: true});
	const transport = createLineTransport(input, output);
	await server.connect(transport);
	if (ends.aborted) over.resolve();
	await Promise.race([over.promise, transport.ended]);
	closed.abort();
	// A client may close its end right after its last call, as `printf … | svc-tui mcp` does.
	const patience = setTimeout(() => gone.abort(), LAST_CALLS_WITHIN);
	await Promise.race([over.promise, transport.answered()]);
	clearTimeout(patience);
	gone.abort();
	// Waits for interrupted calls, because they must end before the server closes.
	await Promise.allSettled(running);
	await runs.leave(context.signal.aborted);
	await Promise.race([transport.answered(), setImmediatePromise()]);
	await server.close();
};
