import {pieces} from '../width/pieces.ts';
import {output} from './output.ts';

/** What code printed, whole however long it is, with nothing that acts on the terminal but its colours. */
export const wholeOutput = (text: string, options: {readonly colour: boolean}): string =>
	pieces(text)
		.map(piece => output(piece, options).text)
		.join('');
