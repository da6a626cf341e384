import {pieces} from '../width/pieces.ts';
import {output} from './output.ts';

/**
 * Program output of any length. Its colours are the only control sequences that reach the terminal.
 */
export const wholeOutput = (text: string, options: {readonly colour: boolean}): string =>
	pieces(text)
		.map(piece => output(piece, options).text)
		.join('');
