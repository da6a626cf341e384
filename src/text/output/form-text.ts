import {formOf, isBareName, type Bundle} from './forms.ts';
import {latexText} from '../latex/latex.ts';
import {htmlPlainText} from './html-plain.ts';
import {joinMultiline} from './multiline.ts';
import {isRecord} from '../record.ts';
import {pictureForm, WIDGET_NOTE} from './viewer-forms.ts';
import {widgetLines} from './widget-lines.ts';

/** Width in columns for content that adapts to a width. */
const WIDTH = 80;

/**
 * Value as plain text for a pipe, the clipboard or a search. `note`: for content that is not text,
 * a description and how to see it. Null if the text is complete. `isDrawn`: the text already shows
 * the value.
 */
export type FormText = {
	readonly text: string;
	readonly note: {readonly what: string; readonly how: string; readonly isDrawn?: true} | null;
};

/** Text of an output that is inside an Output widget. */
const innerText = (output: Readonly<Record<string, unknown>>): string => {
	const {data, text, traceback, evalue} = output;
	if (isRecord(data)) {
		const {text: own, note} = formText(data);
		return own === '' && note !== null ? `[${note.what}]` : own;
	}
	return joinMultiline(text) || joinMultiline(traceback, '\n') || joinMultiline(evalue);
};

export const formText = (data: Bundle): FormText => {
	const form = formOf(data);
	const picture =
		form.kind === 'none' || (form.kind === 'text' && isBareName(form.text)) ? pictureForm(data) : null;
	if (picture !== null) return {text: '', note: picture};
	switch (form.kind) {
		case 'text':
		case 'markdown':
			return {text: form.text, note: null};
		case 'latex':
			return {text: latexText(form.text), note: null};
		case 'html':
			return {text: htmlPlainText(form.parts), note: null};
		case 'json':
			return {text: JSON.stringify(form.value, null, 2) ?? '', note: null};
		case 'widget': {
			const {lines, isControl} = widgetLines(form.widget, WIDTH);
			const text = lines
				.map(line =>
					'text' in line
						? line.text
						: line.outputs
								.map(output => innerText(output).replace(/\n$/, ''))
								.join('\n')
								.replaceAll(/^/gm, ' '.repeat(line.indent)),
				)
				.join('\n');
			return {text, note: isControl ? WIDGET_NOTE : null};
		}
		case 'viewer':
			return {text: form.text, note: form};
		case 'none':
			return {text: '', note: null};
	}
};
