// For Ink's comparison of two frames: each line is looked at as the next one, and a frame later as the one before.
import {unitCells} from '../text/width/graphemes.ts';

type PlainLine = {
	/** Without its SGR codes. */
	readonly text: string;
	/** Every UTF-16 unit is one grapheme of one cell, and none a control. */
	readonly isSimple: boolean;
	readonly codes: readonly RegExpExecArray[];
};

const MOST_KEPT = 400;
const sgr = /\u001B\[[\d;]*m/gu;
let kept = new Map<string, PlainLine>();

const isSimple = (text: string): boolean => {
	for (let index = 0; index < text.length; index++) if (unitCells(text.charCodeAt(index)) !== 1) return false;
	return true;
};

export const plainLine = (line: string): PlainLine => {
	const known = kept.get(line);
	if (known !== undefined) return known;
	const codes = [...line.matchAll(sgr)];
	const text = codes.length === 0 ? line : line.replaceAll(sgr, '');
	const made = {text, isSimple: isSimple(text), codes};
	if (kept.size >= MOST_KEPT) kept = new Map();
	kept.set(line, made);
	return made;
};
