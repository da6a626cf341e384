import fc from 'fast-check';

const SURROGATES = {from: 0xd800, count: 0x800};

/**
 * Any character of Unicode. The unit "binary" of fast-check is the same, but makes a table of all
 * of them first, which takes two seconds.
 */
export const codePoint = fc
	.nat({max: 0x10_ff_ff - SURROGATES.count})
	.map(index => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count));
