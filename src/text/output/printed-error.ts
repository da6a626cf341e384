import {withoutColours} from '../width/width.ts';
import {joinMultiline} from './multiline.ts';

type Output = {readonly output_type: string; readonly [field: string]: unknown};

/** Length of the end of stderr that is searched for an error, in UTF-16 units. */
const LONGEST = 4096;

/** Last part of stderr, after `text` was appended, that is searched for an error. */
export const endOfErrors = (before: string, text: string): string => (before + text).slice(-LONGEST);

/** True if the code already printed this error, as a failed magic does. `before`: stderr so far. */
export const isPrintedError = (output: Output, before: string): boolean => {
	if (output.output_type !== 'error' || before === '') return false;
	const named = `${joinMultiline(output['ename'])}: ${joinMultiline(output['evalue'])}`;
	const text = withoutColours(joinMultiline(output['traceback'], '\n') || named).trimEnd();
	return text !== '' && withoutColours(before).trimEnd().endsWith(text);
};

/** Removes errors that the code itself already printed, so that each error is shown once. */
export const withoutPrintedErrors = <O extends Output>(outputs: readonly O[]): readonly O[] => {
	if (!outputs.some(output => output.output_type === 'error')) return outputs;
	let errors = '';
	return outputs.filter(output => {
		if (output.output_type === 'stream' && output['name'] === 'stderr')
			errors = endOfErrors(errors, joinMultiline(output['text']));
		return !isPrintedError(output, errors);
	});
};
