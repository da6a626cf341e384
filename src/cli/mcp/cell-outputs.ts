import type {CellOutput} from '../../contract/cells.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import {outputText} from '../run/cell-text.ts';
import type {Picture} from './tool.ts';

/** Limits of clients: number of pictures in a result, and UTF-16 units of base64 per picture. */
const PICTURES = 4;
const LARGEST = 2_000_000;

const pictureOf = (output: CellOutput): Picture | null => {
	const data = fieldsOf(output['data']);
	for (const type of ['image/png', 'image/jpeg']) {
		const base64 = joinMultiline(data[type]).replaceAll(/\s/g, '');
		if (base64 !== '' && base64.length <= LARGEST) return {type, data: base64};
	}
	return null;
};

/** Outputs for a client. `notes`: sentences about parts that neither text nor pictures show. */
export type ShownOutputs = {
	readonly text: string;
	readonly pictures: readonly Picture[];
	readonly notes: readonly string[];
};

export const cellOutputs = ({outputs}: {readonly outputs: readonly CellOutput[]}): ShownOutputs => {
	const pictures: Picture[] = [];
	const notes: string[] = [];
	let text = '';
	for (const output of outputs) {
		const picture = pictures.length < PICTURES ? pictureOf(output) : null;
		if (picture) pictures.push(picture);
		const shown = outputText(output);
		const note = shown.to === 'note' ? shown.text : shown.note;
		if (shown.to !== 'note') text += shown.text;
		if (note !== undefined && !picture) notes.push(note.replace('; use --json', ''));
	}
	return {text, pictures, notes};
};
