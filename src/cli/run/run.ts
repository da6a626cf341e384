import type {Command} from 'commander';
import type {ExecutedCell} from '../../contract/cells.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {exitOfCell, printOutputs, stoppedCode} from './cell-text.ts';
import {failed, usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {readInput, readText} from '../input.ts';
import {reachServer, whenNotFound} from '../on-server.ts';
import {printJson} from '../print.ts';
import type {NotebookOptions} from './notebook.ts';
import {framedLive, liveLink, proveFrame} from './run-live.ts';
import {framesOf, readEnv} from './script-setup.ts';
import {fieldsOf, jsonIn} from '../../text/record.ts';

export type RunOptions = NotebookOptions & {readonly code?: string; readonly env?: readonly string[]};

/** What stands after `--` is the script's. @throws {CommandError} */
const wordsOf = (
	words: readonly string[],
	typed: readonly string[],
): {readonly file: string | undefined; readonly args: readonly string[] | null} => {
	const at = typed.indexOf('--');
	const args = at === -1 ? null : typed.slice(at + 1);
	const [file, another] = words.slice(0, words.length - (args?.length ?? 0));
	if (another !== undefined)
		throw usageError(
			`${JSON.stringify(another)} is one word too many.`,
			'What the script is to find in sys.argv stands after --, as in: svc-tui run SERVER a.py -- x y',
		);
	return {file, args};
};

const codeOf = async (
	context: Context,
	file: string | undefined,
	code: string | undefined,
): Promise<string> => {
	if (code !== undefined && file !== undefined) throw usageError('Give either a file or -c CODE, not both.');
	if (code !== undefined) return code;
	if (file !== undefined && file !== '-') return readText(file, {keepsMark: isNotebookFile(file)});
	return readInput(
		context,
		file === '-',
		'Nothing to run: give a Python file or a notebook, -c CODE, or pipe code into it.',
	);
};

const isNotebookFile = (file: string): boolean => file.toLowerCase().endsWith('.ipynb');

/** No code of Python that does anything is an object of JSON with these fields. */
const isNotebookText = (text: string): boolean => {
	const value = text.trimStart().startsWith('{') ? fieldsOf(jsonIn(text)) : {};
	return ('nbformat' in value && 'cells' in value) || Array.isArray(value['worksheets']);
};

/** What is only for notebooks, or for scripts. @throws {CommandError} */
const proveOptions = (isNotebook: boolean, framed: boolean, options: RunOptions): void => {
	const {output, parameter, rawParameter, timeout, allowErrors} = options;
	if (isNotebook && framed)
		throw usageError(
			'Arguments and --env are for scripts.',
			'A notebook takes -p NAME=VALUE: svc-tui run --help shows how.',
		);
	if (isNotebook || [output, parameter, rawParameter, timeout, allowErrors].every(each => each === undefined))
		return;
	throw usageError(
		'-o, -p, -r, --timeout and --allow-errors are for notebooks.',
		'Name a file that ends with .ipynb, or leave them out.',
	);
};

/** `run`: the code's stdout and results on stdout, its stderr and tracebacks on stderr; as they come, where the server has a live link. */
export const runCode = async (
	context: Context,
	server: string,
	name: string | undefined,
	more: readonly string[],
	options: RunOptions,
	command: Command,
): Promise<number> => {
	const {code, kernel = DEFAULT_KERNEL, env = []} = options;
	const typed = (command.parent as unknown as {readonly rawArgs: readonly string[]}).rawArgs;
	const {file, args} = wordsOf(name === undefined ? [] : [name, ...more], typed);
	const added = readEnv(env);
	const source = await codeOf(context, file, code);
	const path = file === '-' ? undefined : file;
	const isFramed = args !== null || env.length > 0;
	const isNotebook =
		code === undefined && (path === undefined ? isNotebookText(source) : isNotebookFile(path));
	proveOptions(isNotebook, isFramed, options);
	if (isNotebook) {
		const {runNotebook} = await import('./notebook.ts');
		return runNotebook(context, server, source, path ?? null, options);
	}
	const frames = !isFramed
		? null
		: framesOf({
				argv: [path ?? (code === undefined ? '-' : '-c'), ...(args ?? [])],
				file: path ?? null,
				env: added,
			});
	const {service, explain} = await reachServer(
		context,
		server,
		whenNotFound('Name another kernel with --kernel.'),
		{runsCode: true},
	);
	const live = context.json ? null : await liveLink(context, service, server);
	if (live !== null) {
		const run = await framedLive(context, live, source, kernel, frames).finally(() => live.close());
		if (run.kind === 'done') return exitOfCell(run.look());
		if (run.kind === 'stopped') throw stoppedCode(run.hasEnded);
		if (run.kind === 'failed') throw failed(run.failure);
	}
	const ask = async (part: string, signal?: AbortSignal): Promise<ExecutedCell> => {
		const reply = await service.client.runCode(
			server,
			{code: part, kernel_name: kernel},
			signal ? {signal} : {},
		);
		if (reply.ok) return reply.value;
		throw reply.failure.kind === 'cancelled' ? stoppedCode(service.isLocal) : await explain(reply.failure);
	};
	if (frames !== null) proveFrame(await ask(frames.before, context.signal));
	const cell = await ask(source, context.signal).finally(async () => frames && ask(frames.after));
	if (context.json) await printJson(context, cell);
	else await printOutputs(context, cell);
	return exitOfCell(cell);
};
