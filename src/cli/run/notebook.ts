import {basename} from 'node:path';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {checkWritable} from '../../machine/local-file.ts';
import {readNotebook, type Notebook} from '../../text/notebook/notebook.ts';
import {withoutOutputs} from '../../text/notebook/edit.ts';
import {label} from '../../text/safe.ts';
import {CommandError, usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {unknownParameters, applyParameters} from './notebook-parameters.ts';
import {isWanted, runOpened} from './notebook-cells.ts';
import {liveLink, reachServer, whenNotFound} from '../on-server.ts';
import {documentOf, endKernel, printSharing} from './run-document.ts';
import {SHARED} from './shared-kernel.ts';
import {secondsOf} from '../option-values.ts';
import {printNotice} from '../print.ts';
import type {NotebookOptions} from './run-options.ts';
import {commandKernel} from './run-printed.ts';

/**
 * Parses a notebook, sets its parameters, and removes the outputs of earlier runs. `name`: as in
 * `runNotebook`.
 * @throws {CommandError} if the notebook cannot be run.
 */
const prepareNotebook = async (
	context: Context,
	text: string,
	name: string | null,
	options: NotebookOptions,
): Promise<Notebook> => {
	const {output} = options;
	const read = readNotebook(text);
	if (typeof read === 'string')
		throw new CommandError(
			'local-file',
			`${name === null ? 'The notebook' : label(name)} cannot be run: ${read}.`,
			'Save it as a notebook of nbformat 4, as JupyterLab and VS Code do.',
		);
	if (output === '-' && context.json)
		throw usageError(
			'With --json the result is on standard output.',
			'Give a file with -o, or leave -o out.',
		);
	const given = applyParameters(read, options);
	// If a cell fails, the cells below it must not show outputs of an earlier run. Cells that are
	// skipped keep their outputs.
	const notebook = given.cells
		.filter(isWanted)
		.reduce((cleared, {key}) => withoutOutputs(cleared, key), given);
	for (const warning of unknownParameters(read, options)) await printNotice(context, warning);
	if (notebook.upgradedFrom !== null && output !== undefined)
		await printNotice(
			context,
			`${name === null ? 'The notebook' : label(name)} uses nbformat ${notebook.upgradedFrom}; it is written in nbformat 4.`,
		);
	// Checked first, so that hours of work are not lost.
	if (output !== undefined && output !== '-') await checkWritable(output);
	return notebook;
};

/**
 * Runs a notebook. `name`: name of its file, null if it was read from standard input.
 * @throws {CommandError} if it cannot be run.
 */
export const runNotebook = async (
	context: Context,
	server: string,
	text: string,
	name: string | null,
	options: NotebookOptions,
): Promise<number> => {
	const {output = null, allowErrors = false, progress = false} = options;
	const timeout = secondsOf('--timeout', options.timeout, 'svc-tui run');
	const notebook = await prepareNotebook(context, text, name, options);
	const isShared = options.kernel === SHARED;
	const kernelName = (isShared ? undefined : options.kernel) ?? notebook.kernel ?? DEFAULT_KERNEL;
	if (options.detach && name !== null) {
		const {detachNotebook} = await import('./detach.ts');
		return detachNotebook(context, server, notebook, {name, kernel: kernelName, output, allowErrors});
	}
	const reached = await reachServer(context, server, whenNotFound('Choose another kernel with --kernel.'), {
		runsCode: true,
	});
	const live = await liveLink(context, reached.service, server);
	const called = name === null ? 'The notebook' : basename(name);
	const kernel = commandKernel(
		reached.service,
		live,
		server,
		documentOf(kernelName, {name: basename(name ?? '-'), isShared}),
	);
	const {explain} = reached;
	try {
		if (!isShared) await printSharing(context, kernel, called);
		return await runOpened(context, {
			notebook,
			name,
			output,
			allowErrors,
			progress,
			kernel,
			live,
			timeout,
			explain,
		});
	} finally {
		await endKernel(context, kernel);
		live?.close();
	}
};
