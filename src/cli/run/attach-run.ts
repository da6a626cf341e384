import {hostOf} from '../../query/own-hosts.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {openKernel, sessionOf, type Document} from '../../run/open-kernel.ts';
import {resumedKernel} from '../../run/resumed-kernel.ts';
import {sentCells} from '../../run/sent-cells.ts';
import {checkWritable} from '../../machine/local-file.ts';
import {detachedRuns, recordEnd, type DetachedRun} from '../../storage/detached-runs.ts';
import {openRunLogs, type DetachedDocument} from '../../storage/run-log.ts';
import {readNotebook} from '../../text/notebook/notebook.ts';
import {clockTime} from '../../text/clock.ts';
import {joinNames} from '../../text/join-names.ts';
import {label} from '../../text/safe.ts';
import {isOver} from '../../text/server-states.ts';
import {CommandError, failed, usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {findServer, statusReason} from '../find-server.ts';
import {liveLink, type ServerLink} from '../on-server.ts';
import {printJson} from '../print.ts';
import {storageFor} from '../storage-for.ts';
import {untilReady} from '../until-ready.ts';
import {exitOfCell} from './cell-text.ts';
import {runOpened} from './notebook-cells.ts';
import type {RunOptions} from './run-options.ts';
import {resultOf, runPrinted} from './run-printed.ts';

const called = ({id, name}: DetachedDocument): string => `Run ${label(id, 40)} (${label(name, 100)})`;

const inUse = (document: DetachedDocument): CommandError =>
	new CommandError(
		'conflict',
		`${called(document)} is in use by another command, which sends its cells or prints its outputs.`,
		'End that command with Ctrl-C, and try again: the run continues.',
	);

const endedText = (document: DetachedDocument, now: number): string => {
	const {ended, output} = document;
	if (ended === null) return '';
	const at = clockTime(ended.at, now);
	if (ended.exit === null) return `${called(document)} has ended: its kernel was gone at ${at}.`;
	const where = output === null ? 'were printed then' : `are in ${label(output)}`;
	return `${called(document)} ended with exit code ${ended.exit}; --attach reported it at ${at}, and its outputs ${where}.`;
};

/**
 * Finds a detached run. @throws {CommandError} if there is no such run, or if its outputs cannot be
 * collected.
 */
const find = (context: Context, all: readonly DetachedRun[], id: string): DetachedRun => {
	const found = all.find(({document}) => document.id === id);
	if (found === undefined) {
		const left = all.filter(({state}) => state !== 'ended');
		const list = joinNames(
			left.map(
				({document, log}) => `${document.id} (${label(document.name, 60)} on ${label(log.server, 40)})`,
			),
		);
		throw new CommandError(
			'not-found',
			`There is no detached run ${JSON.stringify(label(id, 60))} of this service.`,
			list === '' ? `${context.typed('run', 'SERVER', 'FILE')} --detach starts one.` : `There is ${list}.`,
		);
	}
	if (found.state === 'ended')
		throw new CommandError('not-found', endedText(found.document, Date.now()), 'Run the file again.');
	if (found.state === 'in-use') throw inUse(found.document);
	return found;
};

/**
 * Checks the options beside `--attach`. @throws {CommandError} if another option of `run` was
 * given.
 */
const proveOptions = (server: string | undefined, options: RunOptions): void => {
	const {attach: _, output: __, progress: ___, ...others} = options;
	if (server === undefined && Object.values(others).every(each => each === undefined)) return;
	throw usageError(
		'--attach takes the id of a detached run, and besides it only -o FILE and --progress.',
		'Its server, file and parameters were given with --detach.',
	);
};

/** Connects to the server of a run. @throws {CommandError} if its own address cannot be reached. */
const reach = async (context: Context, run: DetachedRun): Promise<ServerLink> => {
	const {document, log} = run;
	const service = await context.connect();
	const server = await findServer(context, service, log.server);
	const name = label(log.server, 60);
	if (isOver(server.status))
		throw new CommandError(
			'server-offline',
			`${name} is ${label(server.status, 40)}, and the kernel of ${called(document)} ended with it.${statusReason(server)}`,
			'Run the file again.',
		);
	// Waits, because the host may be unreachable at the moment.
	if (hostOf(server) !== null) await untilReady(context, service, log.server);
	const live = await liveLink(context, service, log.server);
	if (live !== null) return live;
	throw new CommandError(
		'unreachable',
		`${name} (${label(server.status, 40)}) does not respond at its own address, which ${called(document)} needs.`,
		'Try again: the run continues.',
	);
};

/**
 * Attaches to a detached run: prints all its outputs, waits for its end, and returns its exit code.
 * A signal ends only the wait.
 */
export const attachRun = async (
	context: Context,
	id: string,
	server: string | undefined,
	options: RunOptions,
): Promise<number> => {
	proveOptions(server, options);
	const storage = storageFor(context);
	const runs = openRunLogs(storage);
	const run = find(context, detachedRuns(runs), id);
	const {document, log: left} = run;
	const {name, allowErrors} = document;
	const output = options.output ?? document.output;
	const notebook = document.notebook === null ? null : readNotebook(document.notebook);
	if (typeof notebook === 'string')
		throw new CommandError('internal', `${called(document)}: ${notebook}.`, '');
	if (notebook === null && options.output !== undefined)
		throw usageError('-o is for notebooks, and this run is a script.', 'Leave it out.');
	if (output === '-' && context.json)
		throw usageError(
			'With --json the result is on standard output.',
			'Give a file with -o, or leave -o out.',
		);
	if (output !== null && output !== '-') await checkWritable(output);
	const live = await reach(context, run);
	let exit: number | null = null;
	let isGone = false;
	try {
		const log = runs.resume(left);
		if (log === null) throw inUse(document);
		const channels = sentCells(left, log);
		const numbers = left.cells.map(({number}) => number);
		const kernelId = channels[0]?.recording.kernel ?? null;
		const source: Document = {kind: 'script', id, name, kernel: left.cells[0]?.kernel ?? ''};
		const listed = await live.kernels.list(sessionOf(source));
		isGone = listed.ok && !listed.value.some(each => each.id === kernelId);
		const opened = openKernel(
			{
				live: async () => live,
				async client() {
					throw new Error('a resumed run sends nothing');
				},
				isLocal: false,
			},
			left.server,
			source,
		);
		const kernel = resumedKernel(opened, channels, numbers);
		const explain = async (failure: Parameters<typeof failed>[0]): Promise<CommandError> => failed(failure);
		try {
			if (notebook === null) {
				const end = context.json
					? await kernel.run('', {signal: context.signal}).ended
					: await runPrinted({...context, ask: undefined}, kernel, '', {live});
				const cell: ExecutedCell = await resultOf(context, end, explain);
				if (context.json) await printJson(context, cell);
				exit = exitOfCell(cell);
			} else
				exit = await runOpened(context, {
					notebook,
					name,
					output,
					allowErrors,
					progress: options.progress ?? false,
					kernel,
					live,
					timeout: undefined,
					explain,
				});
		} finally {
			if (exit !== null || isGone) {
				recordEnd(storage, left.server, {...document, output}, {at: Date.now(), exit});
				log.landed(numbers);
			}
		}
		if (kernelId !== null) await live.kernels.shutDown(kernelId);
		return exit;
	} catch (error) {
		if (!context.signal.aborted) throw error;
		throw new CommandError(
			'cancelled',
			`${called(document)} continues without this command.`,
			`${context.typed('run', '--attach', id)} prints its outputs again from the start.`,
		);
	} finally {
		live.close();
	}
};
