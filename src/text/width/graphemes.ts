/**
 * Width of a UTF-16 unit in cells if it never joins another such unit into one grapheme. 0 for all
 * other units, which need the segmenter. A test compares each unit with string-width.
 */
export const unitCells = (unit: number): 0 | 1 | 2 => {
	if (unit < 0x7f) return unit >= 0x20 ? 1 : 0;
	if (unit < 0x1100)
		return (unit >= 0xa0 && unit <= 0x2ff && unit !== 0xad) ||
			(unit >= 0x370 && unit <= 0x482) ||
			(unit >= 0x48a && unit <= 0x52f)
			? 1
			: 0;
	if (unit < 0x2e80) {
		return (unit >= 0x2010 && unit <= 0x2027) ||
			(unit >= 0x2030 && unit <= 0x205e) ||
			(unit >= 0x2190 && unit <= 0x21ff) ||
			(unit >= 0x2500 && unit <= 0x25fc) ||
			(unit >= 0x2800 && unit <= 0x28ff) ||
			unit === 0x23ce ||
			unit === 0x2713 ||
			unit === 0x2717
			? 1
			: 0;
	}

	return (unit >= 0x4e00 && unit <= 0x9fff) ||
		(unit >= 0xac00 && unit <= 0xd7a3) ||
		(unit >= 0x3041 && unit <= 0x3096) ||
		(unit >= 0x30a0 && unit <= 0x30ff) ||
		(unit >= 0x3001 && unit <= 0x3029) ||
		(unit >= 0x3400 && unit <= 0x4dbf) ||
		(unit >= 0xff01 && unit <= 0xff60)
		? 2
		: 0;
};

const isControl = (unit: number): boolean => unit < 0x20 || (unit >= 0x7f && unit <= 0x9f);

// Units that join the next character (UAX 29, Prepend). Includes surrogates, because some of these
// characters are beyond the BMP.
const mayPrepend = (unit: number): boolean =>
	(unit >= 0x600 && unit <= 0x605) ||
	unit === 0x6dd ||
	unit === 0x70f ||
	unit === 0x890 ||
	unit === 0x891 ||
	unit === 0x8e2 ||
	unit === 0xd4e ||
	(unit >= 0xd800 && unit <= 0xdfff);

/** True if the units before and after `at` suffice to prove a grapheme boundary. */
const isPlainBoundary = (text: string, at: number): boolean => {
	const before = text.charCodeAt(at - 1);
	const after = text.charCodeAt(at);
	if (isControl(before) || isControl(after)) return before !== 0x0d || after !== 0x0a;
	if (unitCells(after) === 0) return false;
	return unitCells(before) !== 0 || (after === 0x20 && !mayPrepend(before));
};

const boundaryAfter = (text: string, from: number, to: number): number => {
	let at = from + 1;
	while (at < to && !isPlainBoundary(text, at)) at++;
	return Math.min(at, to);
};

let segmenter: Intl.Segmenter | undefined;
const segment = (text: string): Intl.Segments => {
	// Created on first use, because most texts do not need it.
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return segmenter.segment(text);
};

/** Called with the offsets of a grapheme. Returning `false` ends the iteration. */
export type VisitGrapheme = (start: number, end: number) => boolean | void;

/**
 * Calls `visit` for each grapheme of a range, in linear time. Returns false if `visit` ended the
 * iteration.
 */
export const eachGrapheme = (text: string, visit: VisitGrapheme, from = 0, to = text.length): boolean => {
	let at = from;
	while (at < to) {
		const end = boundaryAfter(text, at, to);
		if (end === at + 1) {
			if (visit(at, end) === false) return false;
			at = end;
			continue;
		}

		for (const part of segment(text.slice(at, end))) {
			const start = at + part.index;
			if (visit(start, start + part.segment.length) === false) return false;
		}

		at = end;
	}

	return true;
};

/** First grapheme boundary after the boundary `at`, or the end of the text. */
export const nextBoundary = (text: string, at: number): number => {
	let next = text.length;
	eachGrapheme(
		text,
		(_, end) => {
			next = end;
			return false;
		},
		at,
	);
	return next;
};

const plainBoundaryAtOrBefore = (text: string, at: number): number => {
	let start = Math.min(at, text.length - 1);
	while (start > 0 && !isPlainBoundary(text, start)) start--;
	return Math.max(0, start);
};

export const previousBoundary = (text: string, at: number): number => {
	let previous = 0;
	eachGrapheme(
		text,
		start => {
			if (start >= at) return false;
			previous = start;
		},
		plainBoundaryAtOrBefore(text, at - 1),
	);
	return previous;
};

/** Returns `at` if it is a grapheme boundary, else the next boundary. */
export const snapToBoundary = (text: string, at: number): number => {
	if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
	let snapped = at;
	eachGrapheme(
		text,
		(start, end) => {
			if (end < at) return;
			snapped = start === at ? at : end;
			return false;
		},
		plainBoundaryAtOrBefore(text, at),
	);
	return snapped;
};
