/** Byte order of UTF-8, which is code point order: JavaScript's own `<` puts characters beyond U+FFFF before some others. */
export const compareBytes = (a: string, b: string): number => {
	let at = 0;
	while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
	if (at === a.length || at === b.length) return a.length - b.length;
	// The halves of such a character are moved behind every other unit.
	const rank = (unit: number): number =>
		unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
	return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
};
