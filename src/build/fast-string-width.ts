// Replaces string-width in the bundle, with the same results (test/build/start-patches.test.ts).
// Compiles the package's expressions for emoji when a string first needs them.
import {makeOriginal} from 'original:string-width';
import {unitCells} from '../text/width/graphemes.ts';

type Options = {readonly ambiguousIsNarrow?: boolean; readonly countAnsiEscapeCodes?: boolean};

const MOST_KEPT = 500;
let kept = new Map<string, number>();
const sgr = /\u001B\[[\d;]*m/g;
let original: ((input: string, options?: Options) => number) | undefined;

export default function stringWidth(input: string, options?: Options): number {
	if (typeof input !== 'string' || input.length === 0) return 0;
	const text = !options?.countAnsiEscapeCodes && input.includes('\u001B') ? input.replaceAll(sgr, '') : input;
	let index = 0;
	while (index < text.length && unitCells(text.charCodeAt(index)) === 1) index++;
	if (index === text.length && options?.ambiguousIsNarrow !== false) return text.length;
	original ??= makeOriginal();
	if (options !== undefined) return original(input, options);
	let width = kept.get(input);
	if (width === undefined) {
		width = original(input);
		if (kept.size >= MOST_KEPT) kept = new Map();
		kept.set(input, width);
	}
	return width;
}
