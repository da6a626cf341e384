/** Compares by UTF-8 bytes, i.e. by code points, unlike `<` on characters beyond U+FFFF. */
export const compareBytes = (a: string, b: string): number => {
	let at = 0;
	while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
	if (at === a.length || at === b.length) return a.length - b.length;
	// Ranks surrogates above all other units, because they encode characters beyond U+FFFF.
	const rank = (unit: number): number =>
		unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
	return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
};
