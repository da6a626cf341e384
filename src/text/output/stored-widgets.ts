// Widgets in outputs that are stored: a later program does not know their state.
import {isRecord} from '../record.ts';
import {formText} from './form-text.ts';
import {widgetOf} from './widget.ts';

/** Outputs in which the text of each widget takes its place. */
export const withWidgetTexts = <Output extends Readonly<Record<string, unknown>>>(
	outputs: readonly Output[],
): Output[] =>
	outputs.map(output => {
		const {data} = output;
		return isRecord(data) && widgetOf(data) !== undefined
			? {...output, data: {'text/plain': formText(data).text}}
			: output;
	});
