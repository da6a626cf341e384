import {joined} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import {output} from '../../text/safe.ts';
import type {Cell} from './cell.ts';

type Raised = {readonly error: string; readonly traceback: string};

/** An error among the outputs in words, without colours. */
const raisedBy = (fields: Readonly<Record<string, unknown>>): Raised => {
	const plain = (text: string): string => output(text, {colour: false}).text;
	const error = `${joined(fields['ename'])}: ${joined(fields['evalue'])}`;
	return {error: plain(error), traceback: plain(joined(fields['traceback'], '\n') || error)};
};

/** What a cell raised; null when it did not. */
export const errorOfCell = ({result}: Cell): Raised | null => {
	const found = result?.outputs.findLast(each => each.output_type === 'error');
	return found ? raisedBy(found) : null;
};

export const hasRaised = ({result}: Cell): boolean =>
	result?.outputs.some(each => each.output_type === 'error') ?? false;

/** What a cell printed, gave and raised, without colours. */
export const outputOfCell = ({result}: Cell): string =>
	(result?.outputs ?? [])
		.map(each => {
			if (each.output_type === 'error') return `${raisedBy(each).traceback}\n`;
			const data = joined(fieldsOf(each['data'])['text/plain']);
			return data === '' ? output(joined(each['text']), {colour: false}).text : `${data}\n`;
		})
		.join('');
