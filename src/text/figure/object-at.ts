import {jsonIn} from '../record.ts';

/** JSON object at the start of a script. Undefined if the script does not start with one. */
export const objectAt = (text: string): unknown => {
	let depth = 0;
	for (const {0: mark, index} of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
		if (mark === '{') depth++;
		else if (mark === '}' && --depth === 0) return jsonIn(text.slice(0, index + 1));
	}
	return undefined;
};
