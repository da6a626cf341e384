import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {printOutputs, stoppedCode} from './cell-text.ts';
import {CommandError, failed} from '../command-error.ts';
import type {Context, Service} from '../context.ts';
import {spanText} from '../poller.ts';
import {runLive, type ServerLink} from './run-live.ts';

type Place = {
	readonly server: string;
	readonly service: Service;
	readonly explain: (failure: Failure) => Promise<CommandError>;
	readonly live: ServerLink | null;
	readonly kernel: string;
	/** Milliseconds for each cell. */
	readonly timeout: number | undefined;
	/** Prints a sentence about the connection, where nothing else is printed. */
	readonly report: ((text: string) => void) | undefined;
};

/**
 * Runs the cells of a notebook in one kernel: all over the link, or all over the service. `onCame` gets a function that looks at what came, before a
 * CommandError is thrown too. `what`: the cell's name in a sentence.
 */
export const createCellRunner = (
	context: Context,
	{server, service, explain, live, kernel, timeout, report}: Place,
) => {
	let usesLink: boolean | undefined;
	return async (code: string, what: string, onCame: (look: () => ExecutedCell) => void): Promise<void> => {
		const late = new AbortController();
		const timer = timeout === undefined ? undefined : setTimeout(() => late.abort(), timeout);
		const signal = AbortSignal.any([context.signal, late.signal]);
		const stopped = (hasEnded: boolean): CommandError =>
			context.signal.aborted
				? stoppedCode(hasEnded)
				: new CommandError(
						'timeout',
						`${what} took longer than ${spanText(timeout ?? 0)} and ${hasEnded ? 'was interrupted' : 'may still be running'}.`,
						'Give it more time with --timeout, or leave that out.',
					);
		try {
			if (live !== null && usesLink !== false) {
				const run = await runLive({...context, signal}, live, code, kernel, {report});
				if (run.kind === 'unsent' && usesLink)
					throw new CommandError(
						'server-failed',
						`${what} did not run: the kernel that ran those above it is gone.`,
						'Run the notebook again; a new kernel has none of its names.',
					);
				usesLink = run.kind !== 'unsent';
				if (run.kind !== 'unsent') {
					onCame(run.look);
					if (run.kind === 'stopped') throw stopped(run.hasEnded);
					if (run.kind === 'failed') throw failed(run.failure);
					return;
				}
			}
			const reply = await service.client.runCode(server, {code, kernel_name: kernel}, {signal});
			if (!reply.ok)
				throw reply.failure.kind === 'cancelled' ? stopped(service.isLocal) : await explain(reply.failure);
			onCame(() => reply.value);
			await printOutputs(context, reply.value);
		} finally {
			clearTimeout(timer);
		}
	};
};
