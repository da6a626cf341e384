/**
 * UTF-16 units that are a grapheme of one cell whatever follows, unless a unit of another kind follows: no marks, emoji, wide or
 * ignorable characters. A text of these only needs no segmentation.
 */
export const isSimple = (unit: number): boolean =>
	(unit >= 0x20 && unit <= 0x7e) || (unit >= 0xa1 && unit <= 0x2ff && unit !== 0xad && unit !== 0xa9 && unit !== 0xae)
	|| (unit >= 0x370 && unit <= 0x482) || (unit >= 0x48a && unit <= 0x52f)
	|| (unit >= 0x2010 && unit <= 0x2027) || (unit >= 0x2030 && unit <= 0x203b) || (unit >= 0x2190 && unit <= 0x2193) || (unit >= 0x2500 && unit <= 0x25a9)
	|| unit === 0x25b8 || unit === 0x25be || unit === 0x25cb || unit === 0x25cc || unit === 0x25cf || unit === 0x25c9 || unit === 0x2713 || unit === 0x2717;
