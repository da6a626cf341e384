import {eastAsianWidth} from 'get-east-asian-width';

// The rules of string-width 9 (MIT, Sindre Sorhus), which the screen's layout uses. Written again because that package compiles
// \p{RGI_Emoji} and more while it is imported, 25 to 40 ms before the first frame; here each pattern is made when first needed.
const makePatterns = () => {
	const prepended = String.raw`\u{600}-\u{605}\u{6DD}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}`;
	return {
		prepended: new RegExp(`^[${prepended}]+`, 'v'),
		// One negated class without a quantifier: a quantified one overflows the regex stack on a cluster of a million marks.
		visible: new RegExp(String.raw`[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Enclosing_Mark}\p{Nonspacing_Mark}[\p{Format}--[${prepended}]]]`, 'v'),
		// The beginnings of all RGI emoji; what follows in the same cluster adds no width (except stray modifiers), so the whole set is not needed.
		emoji: /^(?:\p{Regional_Indicator}{1,2}|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|[\d#*]\u{FE0F}|\p{Emoji}\u{FE0F}|\p{Emoji_Presentation})/v,
		textStyle: /^[\p{Emoji_Presentation}--[\u{10000}-\u{10FFFF}]]\u{FE0E}/v,
		joined: /\u{200D}\p{Extended_Pictographic}/v,
		strayModifier: /(?<![\p{Emoji_Modifier_Base}\u{200D}])\p{Emoji_Modifier}/gv,
		kiratRaiVowels: /(?<=[\u{16D63}-\u{16D6A}])[\u{16D63}-\u{16D6A}]+/gv,
	};
};

let made: ReturnType<typeof makePatterns> | undefined;
const patterns = () => (made ??= makePatterns());

const strayModifierCells = (cluster: string, from: number): number => {
	if (from >= cluster.length) return 0;
	const {strayModifier} = patterns();
	strayModifier.lastIndex = from;
	let count = 0;
	while (strayModifier.test(cluster)) count++;
	return count * 2;
};

const isHangul = (point: number): boolean =>
	(point >= 0x1100 && point <= 0x11ff) || (point >= 0xa960 && point <= 0xa97c) || (point >= 0xac00 && point <= 0xd7a3)
	|| (point >= 0xd7b0 && point <= 0xd7c6) || (point >= 0xd7cb && point <= 0xd7fb);

const sumOfVisible = (cluster: string): number => {
	let cells = 0;
	for (const character of cluster) {
		if (character === '\u200d') break;
		if (patterns().visible.test(character)) cells += eastAsianWidth(character.codePointAt(0) ?? 0);
	}

	return cells;
};

const measure = (cluster: string): number => {
	const {prepended, visible, emoji, textStyle, joined, kiratRaiVowels} = patterns();
	const first = cluster.codePointAt(0) ?? 0;
	const signs = prepended.exec(cluster)?.[0];
	if (signs !== undefined) {
		// A number sign and its like span what follows: a wide glyph takes them into its own cells.
		const rest = cluster.slice(signs.length);
		const restCells = rest === '' ? 0 : measure(rest);
		const shown = rest.slice(Math.max(0, rest.search(visible)));
		const isWide = restCells >= 2 && (eastAsianWidth(shown.codePointAt(0) ?? 0) === 2 || emoji.test(shown) || joined.test(shown));
		return isWide ? restCells : [...signs].length + restCells;
	}

	const base = cluster.search(visible);
	if (base === -1) return 0;
	if (isHangul(first)) return eastAsianWidth(first) + strayModifierCells(cluster, 1);
	const shown = cluster.slice(base);
	if (textStyle.test(shown)) return 1;
	const start = emoji.exec(shown) ?? joined.exec(shown);
	if (start !== null) return 2 + strayModifierCells(shown, start.index + start[0].length);
	return sumOfVisible(first >= 0x16d63 && first <= 0x16d6a ? shown.replaceAll(kiratRaiVowels, '') : shown);
};

const measured = new Map<string, number>();

/** Terminal cells of one grapheme: 0 for controls and for what has no width of its own. */
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
