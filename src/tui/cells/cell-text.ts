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

/** An error output as text, without colours. */
const raisedBy = (fields: Readonly<Record<string, unknown>>): Raised => {
	const error = `${joinMultiline(fields['ename'])}: ${joinMultiline(fields['evalue'])}`;
	return {error: plain(error), traceback: plain(joinMultiline(fields['traceback'], '\n') || error)};
};

/** The error of a cell; null if it raised none. */
export const errorOfCell = ({result}: Cell): Raised | null => {
	const found = result?.outputs.findLast(each => each.output_type === 'error');
	return found ? raisedBy(found) : null;
};

/** Tracebacks of the errors of a cell, in order, without colours. */
export const tracebacksOf = ({result}: Pick<Cell, 'result'>): readonly string[] =>
	(result?.outputs ?? []).flatMap(output =>
		output.output_type === 'error' ? [raisedBy(output).traceback] : [],
	);

const textOf = (output: CellOutput): string => {
	if (output.output_type === 'error') return `${raisedBy(output).traceback}\n`;
	if (output['data'] === undefined) return plain(joinMultiline(output['text']));
	const {text, note} = formText(fieldsOf(output['data']));
	return text !== '' ? `${plain(text)}\n` : note === null ? '' : `[${label(note.what)}]\n`;
};

/** Cache of texts. Outputs never change, and a running cell is drawn many times. */
const texts = new WeakMap<CellOutput, string>();

/** Everything a cell printed, returned and raised, without colours and other terminal control. */
export const outputOfCell = ({result}: Pick<Cell, 'result'>): string =>
	withoutPrintedErrors(result?.outputs ?? [])
		.map(output => {
			const text = texts.get(output) ?? textOf(output);
			texts.set(output, text);
			return text;
		})
		.join('');
