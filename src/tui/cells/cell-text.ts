import type {CellOutput} from '../../contract/cells.ts';
import {formText} from '../../text/output/form-text.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {withoutPrintedErrors} from '../../text/output/printed-error.ts';
import {wholeOutput} from '../../text/output/whole.ts';
import {fieldsOf} from '../../text/record.ts';
import {label} from '../../text/safe.ts';
import type {Cell} from './cell.ts';

type Raised = {readonly error: string; readonly traceback: string};

const plain = (text: string): string => wholeOutput(text, {colour: false});

/** An error among the outputs in words, without colours. */
const raisedBy = (fields: Readonly<Record<string, unknown>>): Raised => {
	const error = `${joinMultiline(fields['ename'])}: ${joinMultiline(fields['evalue'])}`;
	return {error: plain(error), traceback: plain(joinMultiline(fields['traceback'], '\n') || error)};
};

/** What a cell raised; null when it did not. */
export const errorOfCell = ({result}: Cell): Raised | null => {
	const found = result?.outputs.findLast(each => each.output_type === 'error');
	return found ? raisedBy(found) : null;
};

const textOf = (output: CellOutput): string => {
	if (output.output_type === 'error') return `${raisedBy(output).traceback}\n`;
	if (output['data'] === undefined) return plain(joinMultiline(output['text']));
	const {text, note} = formText(fieldsOf(output['data']));
	return text !== '' ? `${plain(text)}\n` : note === null ? '' : `[${label(note.what)}]\n`;
};

/** As they were read last: outputs never change, and a cell that runs is looked at again and again. */
const texts = new WeakMap<CellOutput, string>();

/** What a cell printed, gave and raised: all of it, without colours and whatever else acts on a terminal. */
export const outputOfCell = ({result}: Pick<Cell, 'result'>): string =>
	withoutPrintedErrors(result?.outputs ?? [])
		.map(output => {
			const text = texts.get(output) ?? textOf(output);
			texts.set(output, text);
			return text;
		})
		.join('');
