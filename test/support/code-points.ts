import fc from 'fast-check';

const SURROGATES = {from: 0xd800, count: 0x800};

/**
 * Any character of Unicode, like fast-check's unit "binary". That unit first creates a table of all
 * characters, which takes two seconds.
 */
export const codePoint = fc
	.nat({max: 0x10_ff_ff - SURROGATES.count})
	.map(index => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count));

/**
 * Visible characters except jamo, flags and skin tones, which join with characters of the same
 * kind.
 */
const VISIBLE =
	/^(?![\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}])[\p{L}\p{N}\p{P}\p{S}\p{Zs}]$/u;
const segmenter = new Intl.Segmenter();
const isApart = (character: string): boolean => [...segmenter.segment(`a${character}a`)].length === 3;

/**
 * A visible character of one or several code points, like fast-check's unit "grapheme", but without
 * its table.
 */
export const grapheme = fc
	.tuple(
		codePoint.filter(character => VISIBLE.test(character) && isApart(character)),
		fc.boolean(),
	)
	.map(([character, isDecomposed]) => (isDecomposed ? character.normalize('NFD') : character));
