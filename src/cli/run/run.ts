import {basename} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Command} from 'commander';
import type {ExecutedCell} from '../../contract/cells.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import type {RunEnd, CodeRoute} from '../../run/event.ts';
import type {DocumentKernel} from '../../run/open-kernel.ts';
import {exitOfCell} from './cell-text.ts';
import {failed, usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {readInput, readText} from '../input.ts';
import {liveLink, reachServer, whenNotFound} from '../on-server.ts';
import {printJson} from '../print.ts';
import type {RunOptions} from './run-options.ts';
import {commandKernel, resultOf, runPrinted} from './run-printed.ts';
import {documentOf, endKernel, printSharing} from './run-document.ts';
import {SHARED} from './shared-kernel.ts';
import {setupAndTeardown, readEnv} from './script-setup.ts';
import {fieldsOf, jsonIn} from '../../text/record.ts';

/** Longest wait for the teardown after a signal, in ms. */
const AFTER_MS = 100;

/**
 * File, and arguments of the script after `--`. @throws {CommandError} if there are other words.
 */
const wordsOf = (
	words: readonly string[],
	typed: readonly string[],
): {readonly file: string | undefined; readonly args: readonly string[] | null} => {
	const at = typed.indexOf('--');
	const args = at === -1 ? null : typed.slice(at + 1);
	const [file, another] = words.slice(0, words.length - (args?.length ?? 0));
	if (another !== undefined)
		throw usageError(
			`${JSON.stringify(another)} is an unexpected argument.`,
			'Put script arguments after --: svc-tui run SERVER a.py -- x y',
		);
	return {file, args};
};

const codeOf = async (
	context: Context,
	file: string | undefined,
	code: string | undefined,
): Promise<string> => {
	if (code !== undefined && file !== undefined) throw usageError('Use either a file or -c CODE, not both.');
	if (code !== undefined) return code;
	if (file !== undefined && file !== '-') return readText(file, {keepsMark: isNotebookFile(file)});
	return readInput(
		context,
		file === '-',
		'Nothing to run. Give a .py or .ipynb file, -c CODE, or pipe code in.',
	);
};

const isNotebookFile = (file: string): boolean => file.toLowerCase().endsWith('.ipynb');

/** True for the JSON of a notebook. Python code of this form would do nothing. */
const isNotebookText = (text: string): boolean => {
	const value = text.trimStart().startsWith('{') ? fieldsOf(jsonIn(text)) : {};
	return ('nbformat' in value && 'cells' in value) || Array.isArray(value['worksheets']);
};

/**
 * Checks the options. @throws {CommandError} if a notebook has options of scripts, or a script
 * those of notebooks.
 */
const proveOptions = (isNotebook: boolean, framed: boolean, options: RunOptions): void => {
	const {output, parameter, rawParameter, timeout, allowErrors, progress} = options;
	if (isNotebook && framed)
		throw usageError(
			'Arguments and --env are for scripts.',
			'A notebook takes -p NAME=VALUE: svc-tui run --help shows how.',
		);
	const given = [output, parameter, rawParameter, timeout, allowErrors, progress];
	if (isNotebook || given.every(each => each === undefined)) return;
	throw usageError(
		'-o, -p, -r, --timeout, --allow-errors and --progress are for notebooks.',
		'Give a file that ends in .ipynb, or leave them out.',
	);
};

/** Checks that code can run detached. @throws {CommandError} if it cannot. */
const proveDetachable = (path: string | undefined, {code, kernel, timeout, progress}: RunOptions): void => {
	if (path === undefined || code !== undefined)
		throw usageError(
			'--detach is for files.',
			'Save the code in a .py or .ipynb file: other code shares the kernel of the REPL.',
		);
	if (kernel === SHARED)
		throw usageError('--detach needs a kernel of its own.', 'Leave out --kernel shared.');
	if (timeout !== undefined || progress !== undefined)
		throw usageError(
			'--timeout and --progress need a command that waits.',
			'Leave them out; --attach takes --progress.',
		);
};

const kernelName = (given: string | undefined): string =>
	given === undefined || given === SHARED ? DEFAULT_KERNEL : given;

/**
 * Options for setup and teardown code. `input()` raises an error in it, and it does not count as a
 * cell.
 */
const aside = {answers: false, silent: true};

/** Checks the result of setup code. @throws {CommandError} if the kernel did not accept it. */
const proveAccepted = ({outputs}: ExecutedCell): void => {
	if (outputs.some(output => output.output_type === 'error'))
		throw usageError(
			'This kernel did not accept the arguments and --env, which need Python.',
			'Leave them out, or choose a Python kernel with --kernel.',
		);
};

/** Runs the setup code of a script that has its own kernel, so that no teardown is needed. */
const prepare = async (context: Context, kernel: DocumentKernel, before: string): Promise<void> => {
	const end = await kernel.run(before, {...aside, signal: context.signal}).ended;
	proveAccepted(await resultOf(context, end, failed));
};

/** Runs a script between setup and teardown code. @throws {CommandError} if the setup fails. */
const betweenSetup = async (
	{signal}: Context,
	kernel: DocumentKernel,
	{before, after}: {readonly before: string; readonly after: string},
	result: (end: RunEnd) => Promise<ExecutedCell>,
	run: (onSent: (way: CodeRoute) => void) => Promise<RunEnd>,
): Promise<RunEnd> => {
	const takeBack = (): Promise<RunEnd> => kernel.run(after, aside).ended;
	/**
	 * Sent over the link now, so that the kernel runs the teardown after the code, even if this
	 * command no longer waits.
	 */
	let back: Promise<RunEnd> | undefined;
	proveAccepted(await result(await kernel.run(before, {...aside, signal}).ended));
	try {
		return await run(way => {
			if (way === 'link') back ??= takeBack();
		});
	} finally {
		if (back === undefined) await takeBack();
		else await (signal.aborted ? Promise.race([back, sleep(AFTER_MS)]) : back);
	}
};

/**
 * Runs `run`. Prints stdout and results to standard output, and stderr and tracebacks to standard
 * error. With a live link, prints them as they arrive.
 */
export const runCode = async (
	context: Context,
	server: string | undefined,
	name: string | undefined,
	more: readonly string[],
	options: RunOptions,
	command: Command,
): Promise<number> => {
	if (options.attach !== undefined) {
		const {attachRun} = await import('./attach-run.ts');
		return attachRun(context, options.attach, server, options);
	}
	if (server === undefined)
		throw usageError("Missing required argument 'SERVER'.", 'svc-tui run --help shows how.');
	const {code, env = []} = options;
	const typed = (command.parent as unknown as {readonly rawArgs: readonly string[]}).rawArgs;
	const {file, args} = wordsOf(name === undefined ? [] : [name, ...more], typed);
	const added = readEnv(env);
	const source = await codeOf(context, file, code);
	const path = file === '-' ? undefined : file;
	const isFramed = args !== null || env.length > 0;
	const isNotebook =
		code === undefined && (path === undefined ? isNotebookText(source) : isNotebookFile(path));
	proveOptions(isNotebook, isFramed, options);
	if (options.detach) proveDetachable(path, options);
	if (isNotebook) {
		const {runNotebook} = await import('./notebook.ts');
		return runNotebook(context, server, source, path ?? null, options);
	}
	const frames = !isFramed
		? null
		: setupAndTeardown({
				argv: [path ?? (code === undefined ? '-' : '-c'), ...(args ?? [])],
				file: path ?? null,
				env: added,
			});
	if (options.detach && path !== undefined) {
		const {detachScript} = await import('./detach.ts');
		const kernel = kernelName(options.kernel);
		return detachScript(context, server, source, {
			name: path,
			kernel,
			...(frames && {before: async opened => prepare(context, opened, frames.before)}),
		});
	}
	const {service, explain} = await reachServer(
		context,
		server,
		whenNotFound('Choose another kernel with --kernel.'),
		{runsCode: true},
	);
	/**
	 * True if the code runs in the kernel of the REPL. Only files have their own kernels, because
	 * other code uses variables of the REPL.
	 */
	const isShared = path === undefined || code !== undefined || options.kernel === SHARED;
	const live = context.json && isShared ? null : await liveLink(context, service, server);
	const called = basename(path ?? '-');
	const document = documentOf(kernelName(options.kernel), {name: called, isShared});
	const opened = commandKernel(service, live, server, document);
	const {signal} = context;
	const result = (end: RunEnd): Promise<ExecutedCell> => resultOf(context, end, explain);
	const run = (onSent?: (way: CodeRoute) => void): Promise<RunEnd> =>
		context.json
			? opened.run(source, {signal, answers: false}).ended
			: runPrinted(context, opened, source, {live, ...(onSent && {onSent})});
	try {
		if (!isShared) await printSharing(context, opened, called);
		const cell = await result(
			frames === null ? await run() : await betweenSetup(context, opened, frames, result, run),
		);
		if (context.json) await printJson(context, cell);
		return exitOfCell(cell);
	} finally {
		await endKernel(context, opened);
		live?.close();
	}
};
