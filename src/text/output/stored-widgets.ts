// Replaces widgets in outputs that are saved, because a program that loads them lacks the widgets'
// state.
import {isRecord} from '../record.ts';
import {formText} from './form-text.ts';
import {widgetOf} from './widget.ts';

/** Outputs in which each widget is replaced by its text. */
export const withWidgetTexts = <Output extends Readonly<Record<string, unknown>>>(
	outputs: readonly Output[],
): Output[] =>
	outputs.map(output => {
		const {data} = output;
		return isRecord(data) && widgetOf(data) !== undefined
			? {...output, data: {'text/plain': formText(data).text}}
			: output;
	});
