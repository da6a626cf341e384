import type {InputRequest} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {END_OF_INPUT} from '../../contract/names.ts';
import type {CellRun, RunEnd, CodeRoute} from '../../run/event.ts';
import {openKernel, type Document, type DocumentKernel} from '../../run/open-kernel.ts';
import {CommandError} from '../command-error.ts';
import type {Context, Service} from '../context.ts';
import type {ServerLink} from '../on-server.ts';
import {watchLink} from '../watch-link.ts';
import {printOutputs, stoppedCode} from './cell-text.ts';
import {createLivePrinter} from './printer.ts';

/** Kernel of a document. Uses the live link if there is one. */
export const commandKernel = (
	{client, isLocal}: Service,
	live: ServerLink | null,
	server: string,
	document: Document,
): DocumentKernel =>
	openKernel({live: async () => live, client: async () => client, isLocal}, server, document);

type Printed = {
	readonly live: ServerLink | null;
	/**
	 * Called once the code was sent. Code that is sent over the link after this call runs after the
	 * code.
	 */
	readonly onSent?: (way: CodeRoute) => void;
	readonly onRun?: (run: CellRun) => void;
	/**
	 * Prints a sentence about the connection. By default it is printed on standard error, between
	 * the outputs.
	 */
	readonly report?: ((text: string) => void) | undefined;
	/** Called instead of `report` once the connection is lost for a while, and once it is back. */
	readonly onBroken?: (isBroken: boolean) => void;
};

/**
 * Runs code and prints its output: as it arrives, or at the end if it runs through the service. A
 * signal stops the code.
 */
export const runPrinted = async (
	context: Context,
	kernel: Pick<DocumentKernel, 'run'>,
	source: string,
	{live, onSent, onRun, report, onBroken}: Printed,
): Promise<RunEnd> => {
	const {signal} = context;
	let way: CodeRoute | null = null;
	const printer = createLivePrinter(context, () => run.interrupt());
	const say = report ?? printer.note;
	let wasBroken = false;
	const watch =
		live &&
		watchLink(live, (words, isBroken) => {
			if (!onBroken) return say(words);
			if (isBroken !== wasBroken) onBroken(isBroken);
			wasBroken = isBroken;
		});
	/** Answers `input()`. Ctrl-D ends the input. */
	const answer = async ({prompt, isSecret}: InputRequest): Promise<void> => {
		try {
			run.answer(await printer.ask(prompt, isSecret));
		} catch {
			if (!signal.aborted) run.answer(END_OF_INPUT);
		}
	};
	const run = kernel.run(
		source,
		{signal, answers: context.ask !== undefined, taker: printer.taker, ...(watch && {onLink: watch.onLink})},
		event => {
			if (event.type === 'asks' && event.question !== null) void answer(event.question);
			if (event.type !== 'sent') return;
			({way} = event);
			onSent?.(way);
		},
	);
	onRun?.(run);
	try {
		const end = await run.ended;
		await printer.end();
		if (way === 'service' && 'result' in end && end.result !== null) await printOutputs(context, end.result);
		return end;
	} finally {
		watch?.end();
	}
};

/**
 * Result of code that ran to its end. `explain`: error for a failed call. @throws {CommandError} if
 * the code did not run to its end.
 */
export const resultOf = async (
	{signal}: Context,
	end: RunEnd,
	explain: (failure: Failure) => CommandError | Promise<CommandError>,
): Promise<ExecutedCell> => {
	if (signal.aborted) throw stoppedCode(hasEnded(end));
	if (end.how === 'failed') throw await explain(end.failure);
	if (end.how === 'not-run')
		throw new CommandError(
			'server-failed',
			'The code did not run: its kernel has ended.',
			'Run the code again.',
		);
	if (end.result === null) throw stoppedCode(hasEnded(end));
	return end.result;
};

/** True if the code has certainly ended. */
export const hasEnded = ({how}: RunEnd): boolean => how !== 'gave-up' && how !== 'failed';
