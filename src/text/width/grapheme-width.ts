import {eastAsianWidth} from 'get-east-asian-width';

// Rules of string-width 8.3 (MIT, Sindre Sorhus), which Ink uses for layout. Reimplemented because
// that package compiles \p{RGI_Emoji} on import, which takes 25 to 40 ms before the first frame.
// These patterns are compiled on first use.
const makePatterns = () => ({
	// No quantifier, because one would overflow the regex stack on a cluster of a million marks.
	visible:
		/[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/v,
	// Lists only the RGI emoji that are not wide by another rule. Others are wide by East Asian
	// Width, and joined ones by `isJoinedEmoji`.
	emoji:
		/^(?:[\p{Emoji}--[\d#*\p{Regional_Indicator}]]\u{FE0F}|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|[\d#*]\u{FE0F}?\u{20E3}|\p{RGI_Emoji_Flag_Sequence})$/v,
	pictographic: /\p{Extended_Pictographic}/gu,
	spacingMark: /\p{Spacing_Mark}/v,
});

let made: ReturnType<typeof makePatterns> | undefined;
const patterns = () => (made ??= makePatterns());

// Maximum length of an emoji in UTF-16 units. No real emoji is longer.
const MAX_EMOJI_UNITS = 50;

/** True for emoji joined by ZWJ, even in sequences that Unicode does not recommend. */
const isJoinedEmoji = (cluster: string): boolean =>
	cluster.includes('\u200d') &&
	cluster.length <= MAX_EMOJI_UNITS &&
	(cluster.match(patterns().pictographic)?.length ?? 0) >= 2;

const isBetween = (point: number | undefined, low: number, high: number): boolean =>
	point !== undefined && point >= low && point <= high;
const isLeadingJamo = (point: number | undefined): boolean =>
	isBetween(point, 0x1100, 0x115f) || isBetween(point, 0xa960, 0xa97c);
const isVowelJamo = (point: number | undefined): boolean =>
	isBetween(point, 0x1160, 0x11a7) || isBetween(point, 0xd7b0, 0xd7c6);
const isTrailingJamo = (point: number | undefined): boolean =>
	isBetween(point, 0x11a8, 0x11ff) || isBetween(point, 0xd7cb, 0xd7fb);
const isJamo = (point: number | undefined): boolean =>
	isLeadingJamo(point) || isVowelJamo(point) || isTrailingJamo(point);

/**
 * Width of jamo in cells. A syllable has two cells. Jamo that form no syllable are counted
 * individually.
 */
const jamoCells = (points: readonly number[]): number => {
	let cells = 0;
	for (let at = 0; at < points.length; at++) {
		const point = points[at] ?? 0;
		if (isLeadingJamo(point) && isVowelJamo(points[at + 1])) {
			cells += 2;
			at += isTrailingJamo(points[at + 2]) ? 2 : 1;
			continue;
		}

		cells += eastAsianWidth(point);
		// After a character other than jamo, all further characters are counted individually.
		if (!isJamo(point))
			return cells + points.slice(at + 1).reduce((sum, next) => sum + eastAsianWidth(next), 0);
	}

	return cells;
};

const baseCells = (shown: string): number => {
	let cells = 0;
	for (const character of shown) {
		const isBase = cells === 0;
		const isFullOrHalfWidthForm = character >= '\uff00' && character <= '\uffef';
		if (isBase || isFullOrHalfWidthForm || patterns().spacingMark.test(character))
			cells += eastAsianWidth(character.codePointAt(0) ?? 0);
	}

	return cells;
};

const measure = (cluster: string): number => {
	const {visible, emoji} = patterns();
	const base = cluster.search(visible);
	if (base === -1) return 0;
	if (emoji.test(cluster) || isJoinedEmoji(cluster)) return 2;
	const shown = cluster.slice(base);
	if (!isJamo(shown.codePointAt(0))) return baseCells(shown);
	return jamoCells(
		[...shown].filter(character => visible.test(character)).map(character => character.codePointAt(0) ?? 0),
	);
};

const measured = new Map<string, number>();

/** Width of a grapheme in terminal cells. 0 for controls and for zero-width characters. */
export const graphemeCells = (grapheme: string): number => {
	const known = measured.get(grapheme);
	if (known !== undefined) return known;
	const cells = measure(grapheme);
	if (grapheme.length <= 16) {
		if (measured.size >= 4096) measured.clear();
		measured.set(grapheme, cells);
	}

	return cells;
};
