import type {CellOutput, ExecutedCell} from '../contract/cells.ts';
import {DEFAULT_KERNEL} from '../contract/names.ts';
import {label} from '../text/safe.ts';
import {CommandError, EXIT, usageError} from './command-error.ts';
import type {Context, Sink} from './context.ts';
import {readInput, readText} from './input.ts';
import {reachServer, whenNotFound} from './on-server.ts';
import {printJson, printNote} from './print.ts';
import {terminalOutput} from './terminal-text.ts';
import {isRecord} from '../text/record.ts';
import {joined} from '../text/output/multiline.ts';

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const printOutput = async (context: Context, output: CellOutput): Promise<void> => {
	const print = (sink: Sink, text: string): Promise<void> =>
		sink.write(sink.isTTY ? terminalOutput(text, context.colour) : text);
	switch (output.output_type) {
		case 'stream':
			return print(output['name'] === 'stderr' ? context.stderr : context.stdout, joined(output['text']));
		case 'execute_result':
		case 'display_data': {
			const data = isRecord(output['data']) ? output['data'] : {};
			const plain = joined(data['text/plain']);
			if (plain !== '') return print(context.stdout, ended(plain));
			return printNote(
				context,
				`An output as ${
					Object.keys(data)
						.map(type => label(type, 40))
						.join(', ') || 'nothing'
				} is not shown; --json holds it.`,
			);
		}
		case 'error': {
			const traceback = joined(output['traceback'], '\n');
			return print(
				context.stderr,
				ended(traceback === '' ? `${joined(output['ename'])}: ${joined(output['evalue'])}` : traceback),
			);
		}
		default:
			return printNote(
				context,
				`An output of type ${label(output.output_type, 40)} is not shown; --json holds it.`,
			);
	}
};

/** Its outputs as a terminal or a pipe takes them. */
export const printOutputs = async (context: Context, {outputs}: ExecutedCell): Promise<void> => {
	for (const output of outputs) await printOutput(context, output);
};

export const exitOfCell = ({outputs}: ExecutedCell): number =>
	outputs.some(output => output.output_type === 'error') ? EXIT.codeRaised : EXIT.ok;

export type RunOptions = {readonly code?: string; readonly kernel?: string};

const codeOf = async (
	context: Context,
	file: string | undefined,
	code: string | undefined,
): Promise<string> => {
	if (code !== undefined && file !== undefined) throw usageError('Give either a file or -c CODE, not both.');
	if (code !== undefined) return code;
	if (file !== undefined && file !== '-') return readText(file);
	return readInput(
		context,
		file === '-',
		'Nothing to run: give a Python file, -c CODE, or pipe code into it.',
	);
};

export const stoppedCode = (isLocal: boolean): CommandError =>
	new CommandError(
		'cancelled',
		isLocal
			? 'Stopped: the code was interrupted.'
			: 'Stopped waiting: the server may still be running the code.',
		'',
	);

/** `run`: the code's stdout and results on stdout, its stderr and tracebacks on stderr. */
export const runCode = async (
	context: Context,
	server: string,
	file: string | undefined,
	{code, kernel = DEFAULT_KERNEL}: RunOptions,
): Promise<number> => {
	const source = await codeOf(context, file, code);
	const {service, explain} = await reachServer(
		context,
		server,
		whenNotFound('Name another kernel with --kernel.'),
		{runsCode: true},
	);
	const reply = await service.client.runCode(
		server,
		{code: source, kernel_name: kernel},
		{signal: context.signal},
	);
	if (!reply.ok)
		throw reply.failure.kind === 'cancelled' ? stoppedCode(service.isLocal) : await explain(reply.failure);
	if (context.json) await printJson(context, reply.value);
	else await printOutputs(context, reply.value);
	return exitOfCell(reply.value);
};
