import {randomUUID} from 'node:crypto';
import {basename, resolve} from 'node:path';
import {openKernel, type Document, type DocumentKernel} from '../../run/open-kernel.ts';
import {handOver} from '../../run/hand-over.ts';
import {localPath} from '../../machine/local-file.ts';
import {detachedRuns} from '../../storage/detached-runs.ts';
import {openRunLogs} from '../../storage/run-log.ts';
import type {Notebook} from '../../text/notebook/notebook.ts';
import {notebookText} from '../../text/notebook/serialize.ts';
import {joinNames} from '../../text/join-names.ts';
import {label} from '../../text/safe.ts';
import {CommandError, EXIT, usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {liveLink, reachServer, whenNotFound, type ServerLink} from '../on-server.ts';
import {printNotice, printResult} from '../print.ts';
import {storageFor} from '../storage-for.ts';
import {isWanted, mayRaise} from './notebook-cells.ts';
import {endKernel} from './run-document.ts';

/** Time in ms for which a local service retains the outputs of an ended run. */
const KEEP_MS = 24 * 3_600_000;

type Cell = {readonly source: string; readonly index: number; readonly mayRaise: boolean};

type Detached = {
	/** Name of the local file. */
	readonly name: string;
	/** Name of the kernel. */
	readonly kernel: string;
	readonly cells: readonly Cell[];
	/** Text of a notebook with its parameters. Null for a script. */
	readonly notebook: string | null;
	readonly output: string | null;
	readonly allowErrors: boolean;
	/** Runs setup code in the kernel before the cells. */
	readonly before?: (kernel: DocumentKernel) => Promise<void>;
};

/**
 * Checks that a script has its own kernel, which a detached run needs. @throws {CommandError} if
 * the kernel is shared.
 */
const proveOwnKernel = async (context: Context, kernel: DocumentKernel, name: string): Promise<void> => {
	const ownership = await kernel.ownership();
	if (ownership.kind === 'own') return;
	const others = joinNames(ownership.with.map(each => label(each, 100)));
	throw new CommandError(
		'server-failed',
		`${label(name, 100)} would share its kernel with ${others}, so it cannot run detached. ${ownership.why}`,
		`${context.typed('run', 'SERVER', 'FILE')} without --detach runs it in that kernel.`,
	);
};

const record = (context: Context, server: string, id: string, run: Detached) => {
	const runs = openRunLogs(storageFor(context));
	const {name, kernel, cells, notebook, output, allowErrors} = run;
	const path = output === null ? null : resolve(localPath(output));
	const log = runs.open(server, {
		kind: 'detached',
		id,
		name,
		notebook,
		output: path,
		allowErrors,
		ended: null,
	});
	const numbers = log.want(cells.map(({source, index}) => ({place: {cell: null, index}, source, kernel})));
	// A log that could not be written has been removed.
	if (!detachedRuns(runs).some(({document}) => document.id === id))
		throw new CommandError(
			'local-file',
			'The run cannot be recorded: the folder of stored data is not writable. Nothing was run.',
			`${context.typed('info')} shows the folder.`,
		);
	return {log, numbers};
};

/** Hands the cells over to a separate kernel, and prints the id of the run. */
const detach = async (context: Context, server: string, run: Detached): Promise<number> => {
	const {name, kernel: kernelName, cells, before} = run;
	const {service} = await reachServer(
		{...context, connect: async () => context.connect({keep: KEEP_MS})},
		server,
		whenNotFound('Choose another kernel with --kernel.'),
		{runsCode: true},
	);
	const live: ServerLink | null = await liveLink(context, service, server);
	if (live === null)
		throw new CommandError(
			'unsupported',
			`${label(server, 60)} has no Jupyter API at an address of its own, and code that runs through the service ends with its request.`,
			`Leave out --detach, or run a program: ${context.typed('job', 'run', server)} -- COMMAND`,
		);
	const id = randomUUID().slice(0, 8);
	const called = basename(name);
	const document: Document = {kind: 'script', id, name: `svc-tui run ${called}`, kernel: kernelName};
	const kernel = openKernel(
		{
			live: async () => live,
			async client() {
				throw new CommandError(
					'server-failed',
					`The kernel of ${label(called, 100)} does not respond.`,
					'Repeat the command.',
				);
			},
			isLocal: service.isLocal,
		},
		server,
		document,
	);
	let isHandedOver = false;
	try {
		await proveOwnKernel(context, kernel, called);
		await before?.(kernel);
		const {log, numbers} = record(context, server, id, run);
		const stopped = Promise.withResolvers<never>();
		const stop = (): void => stopped.reject(new CommandError('cancelled', 'Stopped: nothing runs.', ''));
		context.signal.addEventListener('abort', stop, {once: true});
		try {
			const handed = cells.map((cell, at) => ({...cell, record: log.record(numbers[at] ?? 0)}));
			isHandedOver = await Promise.race([handOver(kernel, handed), stopped.promise]);
			if (!isHandedOver)
				throw new CommandError(
					'server-failed',
					'The kernel did not accept all cells.',
					'Repeat the command.',
				);
		} finally {
			context.signal.removeEventListener('abort', stop);
			if (!isHandedOver) log.landed(numbers);
		}
	} finally {
		if (!isHandedOver) await endKernel(context, kernel);
		// The server has read all requests by then, because it has confirmed that the connection is
		// closed.
		live.close();
	}
	await printResult(context, {id, server, name, cells: cells.length}, `${id}\n`);
	if (context.stderr.isTTY && !context.json)
		await printNotice(
			context,
			`${label(called, 100)} runs on ${label(server, 60)} without this command. For its outputs: ${context.typed('run', '--attach', id)}`,
		);
	return EXIT.ok;
};

/**
 * Starts a notebook without waiting for its end. @throws {CommandError} if it cannot run detached.
 */
export const detachNotebook = async (
	context: Context,
	server: string,
	notebook: Notebook,
	{name, kernel, output, allowErrors}: Pick<Detached, 'name' | 'kernel' | 'output' | 'allowErrors'>,
): Promise<number> => {
	if (output === '-')
		throw usageError(
			'With --detach there is no standard output to write to.',
			'Name an output file with -o; --attach writes it.',
		);
	const cells = notebook.cells.flatMap((cell, index): readonly Cell[] =>
		isWanted(cell) ? [{source: cell.source, index, mayRaise: mayRaise(cell, allowErrors)}] : [],
	);
	if (cells.length === 0)
		throw usageError(`${label(name)} has no cell to run.`, 'Give a notebook with code.');
	return detach(context, server, {
		name,
		kernel,
		cells,
		notebook: notebookText(notebook),
		output,
		allowErrors,
	});
};

/**
 * Starts a script without waiting for its end. @throws {CommandError} if it cannot run detached.
 */
export const detachScript = async (
	context: Context,
	server: string,
	source: string,
	{name, kernel, before}: Pick<Detached, 'name' | 'kernel' | 'before'>,
): Promise<number> =>
	detach(context, server, {
		name,
		kernel,
		cells: [{source, index: 0, mayRaise: false}],
		notebook: null,
		output: null,
		allowErrors: false,
		...(before && {before}),
	});
