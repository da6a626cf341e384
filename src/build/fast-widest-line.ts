// Takes widest-line's place in the bundle: Ink asks for every text of every frame.
import stringWidth from 'string-width';
import {plainLine} from './plain-line.ts';

export default function widestLine(text: string): number {
	const {text: bare, isSimple} = plainLine(text);
	return isSimple ? bare.length : Math.max(...text.split('\n').map(line => stringWidth(line)));
}
