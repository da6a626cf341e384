// Takes string-width's place in the bundle: the same answers (test/build/fast-string-width.test.ts), but its emoji expressions
// are compiled when the first string needs them, not at start.
import {makeOriginal} from 'original:string-width';

type Options = {readonly ambiguousIsNarrow?: boolean; readonly countAnsiEscapeCodes?: boolean};

/** UTF-16 units that are one cell wide whatever follows: no marks, emoji, wide or ignorable characters. */
const isSimple = (unit: number): boolean =>
	(unit >= 0x20 && unit <= 0x7e) || (unit >= 0xa1 && unit <= 0x2ff && unit !== 0xad && unit !== 0xa9 && unit !== 0xae)
	|| (unit >= 0x370 && unit <= 0x482) || (unit >= 0x48a && unit <= 0x52f)
	|| (unit >= 0x2010 && unit <= 0x2027) || (unit >= 0x2030 && unit <= 0x203b) || (unit >= 0x2500 && unit <= 0x25a9);

const sgr = /\u001B\[[\d;]*m/g;
let original: ((input: string, options?: Options) => number) | undefined;

export default function stringWidth(input: string, options?: Options): number {
	if (typeof input !== 'string' || input.length === 0) return 0;
	const text = !options?.countAnsiEscapeCodes && input.includes('\u001B') ? input.replaceAll(sgr, '') : input;
	let index = 0;
	while (index < text.length && isSimple(text.charCodeAt(index))) index++;
	if (index === text.length && options?.ambiguousIsNarrow !== false) return text.length;
	original ??= makeOriginal();
	return original(input, options);
}
