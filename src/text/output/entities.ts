// Our own decoder, for speed: the package `entities` costs the first frame 20 ms, 4 MB and 30 KB.

/** Entity names of the Latin-1 characters in code order, starting with the no-break space. */
const LATIN =
	`nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml
Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave
aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde
ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s/);
const FIRST_LATIN = 0xa0;

const NAMED = new Map([
	...LATIN.map((name, index): [string, string] => [name, String.fromCharCode(FIRST_LATIN + index)]),
	['nbsp', ' '],
	...`amp & lt < gt > quot " apos ' ndash – mdash — hellip … lsquo ‘ rsquo ’ ldquo “ rdquo ” bull • trade ™ infin ∞ le ≤ ge ≥ ne ≠ euro €
rarr → larr ← uarr ↑ darr ↓ alpha α beta β gamma γ delta δ mu μ sigma σ pi π`
		.split(/ (?=[a-z])|\n/)
		.map(pair => pair.split(' ') as [string, string]),
]);

/** Decodes HTML entities. Leaves an unknown entity unchanged. */
export const decodeEntities = (text: string): string =>
	text.replaceAll(
		/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,9}));/gi,
		(whole, decimal?: string, hex?: string, name?: string) => {
			if (name !== undefined) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole;
			const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
			return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
				? String.fromCodePoint(point)
				: whole;
		},
	);

const ESCAPED: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

export const escapeHtml = (text: string): string =>
	text.replaceAll(/[&<>"']/g, found => ESCAPED[found] ?? '');
