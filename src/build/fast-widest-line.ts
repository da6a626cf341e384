// Replaces widest-line in the bundle: Ink calls it for every text of every frame.
import stringWidth from 'string-width';
import {plainLine} from './plain-line.ts';

export default function widestLine(text: string): number {
	const {text: bare, isSimple} = plainLine(text);
	if (isSimple) return bare.length;
	// No spread, because a text may have more lines than a call can have arguments.
	return text.split('\n').reduce((widest, line) => Math.max(widest, stringWidth(line)), 0);
}
