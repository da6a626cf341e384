import type {CellOutput, ExecutedCell} from '../../contract/cells.ts';
import {formText} from '../../text/output/form-text.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {widgetOf} from '../../text/output/widget.ts';
import {withoutPrintedErrors} from '../../text/output/printed-error.ts';
import {wholeOutput} from '../../text/output/whole.ts';
import {shortTraceback} from '../../text/python/traceback-fold.ts';
import {fieldsOf} from '../../text/record.ts';
import {label} from '../../text/safe.ts';
import {withoutColours} from '../../text/width/width.ts';
import type {Context, Sink} from '../context.ts';
import {CommandError, EXIT} from '../command-error.ts';
import {printNotice} from '../print.ts';

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Output with its destination. `note`: sentence about the part that cannot be printed. */
export type OutputText =
	| {readonly to: 'stdout' | 'stderr'; readonly text: string; readonly note?: string}
	| {readonly to: 'note'; readonly text: string};

/**
 * Warning that IPython prints at every sys.exit(). Here it would be wrong, because sys.exit() ends
 * the command.
 */
const EXIT_WARNING = /^.*UserWarning: To exit: use 'exit', 'quit', or Ctrl-D\.\n(?: +warn\(.*\n)?/m;

/** Text of a stream without IPython's exit warning. */
export const streamText = (name: string, text: string): string =>
	name === 'stderr' && text.includes('To exit: use') ? text.replace(EXIT_WARNING, '') : text;

/** Exit status for a value of sys.exit(). Null for a text, which is printed and gives status 1. */
const exitStatus = (value: string): number | null =>
	['', 'None', 'False'].includes(value)
		? 0
		: value === 'True'
			? 1
			: /^-?\d+$/.test(value)
				? Number(BigInt(value) & 255n)
				: null;

/** Exit code of a cell: 0, the status of sys.exit(), or 6 if the code raised another error. */
export const exitOfCell = ({outputs}: Pick<ExecutedCell, 'outputs'>): number => {
	const error = outputs.find(output => output.output_type === 'error');
	if (error === undefined) return EXIT.ok;
	return error['ename'] === 'SystemExit'
		? (exitStatus(joinMultiline(error['evalue'])) ?? 1)
		: EXIT.codeRaised;
};

/**
 * Text of an output, for a terminal or a pipe. `colour`: true to keep Python's colours in
 * tracebacks. Colours that the code itself prints are always kept. `isShort`: true to print each
 * frame of a library in one line of a traceback. That line names its file and line, because users
 * cannot unfold it.
 */
export const outputText = (
	output: CellOutput,
	{colour = true, isShort = false}: {readonly colour?: boolean; readonly isShort?: boolean} = {},
): OutputText => {
	switch (output.output_type) {
		case 'stream':
			return output['name'] === 'stderr'
				? {to: 'stderr', text: streamText('stderr', joinMultiline(output['text']))}
				: {to: 'stdout', text: joinMultiline(output['text'])};
		case 'execute_result':
		case 'display_data': {
			const data = fieldsOf(output['data']);
			const {text, note} = formText(data);
			const why =
				note === null
					? `Output of type ${
							Object.keys(data)
								.map(type => label(type, 40))
								.join(', ') || 'unknown'
						} is not shown; use --json.`
					: note.isDrawn
						? note.how
						: `${label(note.what, 300)} is not drawn here; use --json. ${note.how}`;
			// Not an error, because a widget may be empty, or may have been closed.
			if (text === '' && widgetOf(data) !== undefined) return {to: 'stdout', text};
			if (text === '') return {to: 'note', text: why};
			return {to: 'stdout', text: ended(text), ...(note && {note: why})};
		}
		case 'error': {
			const value = joinMultiline(output['evalue']);
			if (output['ename'] === 'SystemExit')
				return {to: 'stderr', text: exitStatus(value) === null ? ended(value) : ''};
			const sent = joinMultiline(output['traceback'], '\n');
			const coloured = isShort ? shortTraceback(sent) : sent;
			const traceback = colour ? coloured : withoutColours(coloured);
			return {
				to: 'stderr',
				text: ended(traceback === '' ? `${joinMultiline(output['ename'])}: ${value}` : traceback),
			};
		}
		default:
			return {to: 'note', text: `Output of type ${label(output.output_type, 40)} is not shown; use --json.`};
	}
};

export const printOutputs = async (context: Context, {outputs}: ExecutedCell): Promise<void> => {
	const print = (sink: Sink, text: string): Promise<void> =>
		sink.write(sink.isTTY ? wholeOutput(text, {colour: context.colour}) : text);
	const noted = new Set<string>();
	const printOnce = async (note: string): Promise<void> => {
		if (!noted.has(note)) await printNotice(context, note);
		noted.add(note);
	};
	for (const output of withoutPrintedErrors(outputs)) {
		const shown = outputText(output, {colour: context.colour, isShort: context.stderr.isTTY});
		if (shown.to === 'note') {
			await printOnce(shown.text);
			continue;
		}
		await print(context[shown.to], shown.text);
		if (shown.note !== undefined) await printOnce(shown.note);
	}
};

/** Error for code that a signal has stopped. `hasEnded`: true if the code has certainly ended. */
export const stoppedCode = (hasEnded: boolean): CommandError =>
	new CommandError(
		'cancelled',
		hasEnded
			? 'Stopped: the code was interrupted.'
			: 'Stopped waiting: the server may still be running the code.',
		'',
	);
