import type {CellOutput, ExecutedCell} from '../../contract/cells.ts';
import type {CellRun, RunEnd} from '../../run/event.ts';
import type {DocumentKernel} from '../../run/open-kernel.ts';
import type {Notebook, NotebookCell, Output} from '../../text/notebook/notebook.ts';
import {tagsOf} from '../../text/notebook/tags.ts';
import {withOutputs} from '../../text/notebook/edit.ts';
import {notebookText} from '../../text/notebook/serialize.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {label} from '../../text/safe.ts';
import {endSentence} from '../../text/sentence.ts';
import {CommandError, EXIT} from '../command-error.ts';
import type {Context, Sink} from '../context.ts';
import type {OnServer, ServerLink} from '../on-server.ts';
import {spanText} from '../poller.ts';
import {printJson, printNotice} from '../print.ts';
import {createTicker} from '../progress.ts';
import {exitOfCell, printOutputs} from './cell-text.ts';
import {createNotebookFile} from './notebook-file.ts';
import {hasEnded, resultOf, runPrinted} from './run-printed.ts';

/** Cell that was sent, with its number, counted from 1. */
type Ran = {readonly cell: NotebookCell; readonly number: number; readonly look: () => ExecutedCell};

/** Output stream that discards all data. */
const NOWHERE: Sink = {isTTY: false, columns: Infinity, async write() {}};

/**
 * True for a cell to run. Like nbclient, skips blank cells and cells with the tag `skip-execution`.
 */
export const isWanted = (cell: NotebookCell): boolean =>
	cell.kind === 'code' && cell.source.trim() !== '' && !tagsOf(cell).includes('skip-execution');

/** True if an error in the cell does not stop the cells below. */
export const mayRaise = (cell: NotebookCell, allowErrors: boolean): boolean =>
	allowErrors || tagsOf(cell).includes('raises-exception');

const errorIn = ({outputs}: ExecutedCell): CellOutput | undefined =>
	outputs.find(output => output.output_type === 'error');

const errorText = ({ename, evalue}: CellOutput): string =>
	label([joinMultiline(ename), joinMultiline(evalue)].filter(Boolean).join(': '), 300);

/**
 * Notebook with the outputs of all cells. All are set again, because a later cell may have changed
 * a display of an earlier cell.
 */
const withAll = (notebook: Notebook, ran: readonly Ran[]): Notebook =>
	ran.reduce((all, {cell, look}) => {
		const {outputs, execution_count: count} = look();
		return withOutputs(all, cell.key, outputs as readonly Output[], count ?? null);
	}, notebook);

type Place = Pick<OnServer, 'explain'> & {
	readonly kernel: Pick<DocumentKernel, 'run'>;
	readonly live: ServerLink | null;
	/** Time limit per cell, in ms. */
	readonly timeout: number | undefined;
	/** Prints a sentence about the connection, if outputs are not printed. */
	readonly report: ((text: string) => void) | undefined;
};

/**
 * Creates a function that runs a cell. `onCame`: receives a function that returns the outputs so
 * far. It is called even if a CommandError follows. `what`: name of the cell in messages.
 */
const createCellRunner =
	(context: Context, {kernel, live, timeout, report, explain}: Place) =>
	async (source: string, what: string, onCame: (look: () => ExecutedCell) => void): Promise<void> => {
		const late = new AbortController();
		const timer = timeout === undefined ? undefined : setTimeout(() => late.abort(), timeout);
		const signal = AbortSignal.any([context.signal, late.signal]);
		let run: CellRun | undefined;
		let end: RunEnd;
		try {
			end = await runPrinted({...context, signal}, kernel, source, {
				live,
				report,
				onRun: begun => (run = begun),
			});
		} finally {
			clearTimeout(timer);
			const now = run?.now();
			if (now) onCame(() => run?.now() ?? now);
		}
		if (end.how === 'not-run')
			throw new CommandError(
				'server-failed',
				`${what} did not run: the kernel of the cells above is gone.`,
				'Run the notebook again; a new kernel has none of its variables.',
			);
		if (late.signal.aborted && !context.signal.aborted)
			throw new CommandError(
				'timeout',
				`${what} took longer than ${spanText(timeout ?? 0)} and ${hasEnded(end) ? 'was interrupted' : 'may still be running'}.`,
				'Use a longer --timeout, or leave it out.',
			);
		await resultOf(context, end, explain);
	};

/**
 * Runs the cells in order, and stops at the first cell that raises an error. Returns this cell.
 * Null if there is none.
 */
const runCells = async (
	context: Context,
	{cells}: Notebook,
	{
		isQuiet,
		progress,
		allowErrors,
		ran,
		run,
		onRan,
	}: {
		/** True if outputs are not printed as they arrive. */
		readonly isQuiet: boolean;
		/** True to print the number of each cell even if the output is not a terminal. */
		readonly progress: boolean;
		readonly allowErrors: boolean;
		readonly ran: Ran[];
		readonly run: ReturnType<typeof createCellRunner>;
		/** Called after each cell. */
		readonly onRan: () => void;
	},
): Promise<Ran | null> => {
	const ticker = createTicker(context, {isQuiet, isAsked: progress});
	try {
		for (const [at, cell] of cells.entries()) {
			if (!isWanted(cell)) continue;
			const number = at + 1;
			const what = `Cell ${number} of ${cells.length}`;
			await ticker.begin(what);
			await run(cell.source, what, look => ran.push({cell, number, look}));
			const last = ran.at(-1);
			if (last === undefined) continue;
			onRan();
			const done = last.look();
			if (context.jsonl) await printJson(context, {number, ...done});
			const error = errorIn(done);
			const isAllowed = mayRaise(cell, allowErrors);
			// Stops, because a new kernel does not have the variables that the cells below need.
			if (error === undefined || (isAllowed && error['ename'] !== 'KernelDied')) continue;
			await ticker.end();
			if (isQuiet && !context.json) await printOutputs(context, {...done, outputs: [error]});
			if (context.json || exitOfCell(done) === EXIT.ok) return last;
			const rest = cells.slice(number).some(isWanted) ? ' The cells below it did not run.' : '';
			await printNotice(context, `${what} raised ${endSentence(errorText(error))}${rest}`);
			return last;
		}
		return null;
	} finally {
		await ticker.end();
	}
};

/** True if outputs are not printed as they arrive. */
export const isQuietRun = ({json}: Pick<Context, 'json'>, output: string | null): boolean =>
	json || output !== null;

type Opened = Omit<Place, 'report'> & {
	readonly notebook: Notebook;
	/** Name of the notebook's file. Null if the notebook was read from standard input. */
	readonly name: string | null;
	/** File for the notebook with its outputs, or `-`. */
	readonly output: string | null;
	readonly allowErrors: boolean;
	readonly progress: boolean;
};

/**
 * Runs the cells in an opened kernel, and prints or writes their outputs. Returns the exit code.
 * @throws {CommandError} if they do not run to their end.
 */
export const runOpened = async (
	context: Context,
	{notebook, name, output, allowErrors, progress, ...place}: Opened,
): Promise<number> => {
	const isQuiet = isQuietRun(context, output);
	const printing = isQuiet ? {...context, stdout: NOWHERE, stderr: NOWHERE, ask: undefined} : context;
	const report = isQuiet ? (said: string): void => void printNotice(context, said) : undefined;
	const run = createCellRunner(printing, {...place, report});
	const ran: Ran[] = [];
	const written = (): string => notebookText(withAll(notebook, ran));
	const file = output === null || output === '-' ? undefined : await createNotebookFile(output, written);
	let raised: Ran | null = null;
	try {
		const onRan = (): void => file?.changed();
		raised = await runCells(context, notebook, {isQuiet, progress, allowErrors, ran, run, onRan});
	} finally {
		await file?.end();
		if (output === '-') await context.stdout.write(written());
		if (context.json && !context.jsonl)
			await printJson(context, {
				notebook: name,
				output,
				raised: raised?.number ?? null,
				cells: ran.map(({number, look}) => ({number, ...look()})),
			});
	}
	if (raised !== null) return exitOfCell(raised.look());
	if (context.stderr.isTTY && output !== null && output !== '-')
		await printNotice(
			context,
			`${ran.length === 1 ? 'One cell' : `${ran.length} cells`} ran; ${label(output)} contains ${ran.length === 1 ? 'its' : 'their'} outputs.`,
		);
	return EXIT.ok;
};
