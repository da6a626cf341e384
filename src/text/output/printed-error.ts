import {withoutColours} from '../width/width.ts';
import {joinMultiline} from './multiline.ts';

type Output = {readonly output_type: string; readonly [field: string]: unknown};

/** UTF-16 units at the end of stderr that are searched for an error. */
const LONGEST = 4096;

/** The end of stderr that is searched for an error, after more text has arrived. */
export const endOfErrors = (before: string, text: string): string => (before + text).slice(-LONGEST);

/** True if code printed this error itself, as a failed magic does. `before`: stderr so far. */
export const isPrintedError = (output: Output, before: string): boolean => {
	if (output.output_type !== 'error' || before === '') return false;
	const named = `${joinMultiline(output['ename'])}: ${joinMultiline(output['evalue'])}`;
	const text = withoutColours(joinMultiline(output['traceback'], '\n') || named).trimEnd();
	return text !== '' && withoutColours(before).trimEnd().endsWith(text);
};

/** Outputs without the errors that the code printed itself, so that each is shown once. */
export const withoutPrintedErrors = <O extends Output>(outputs: readonly O[]): readonly O[] => {
	if (!outputs.some(output => output.output_type === 'error')) return outputs;
	let errors = '';
	return outputs.filter(output => {
		if (output.output_type === 'stream' && output['name'] === 'stderr')
			errors = endOfErrors(errors, joinMultiline(output['text']));
		return !isPrintedError(output, errors);
	});
};
