// Pieces of a parsed formula, and the text that they form.

/**
 * Piece of a formula. `kind` decides about space and brackets around it. `part`: a fraction, which
 * needs brackets beside other operators.
 */
export type Piece = {
	readonly text: string;
	readonly kind: 'letter' | 'operator' | 'open' | 'close' | 'word' | 'space' | 'part' | 'break';
};

export const OPEN = /^[([{⟨⌊⌈]$/;
export const CLOSE = /^[)\]}⟩⌋⌉]$/;
const SIMPLE = /^[\p{L}\p{N}\p{M}.∞∂∇′%°]+$/u;
export const BRACKETED = /^\([^()]*\)$/;

/** Adds brackets around a denominator such as `2a`, because 1/2a is ambiguous. */
export const bracketed = (text: string): string =>
	(SIMPLE.test(text) && !/^\p{N}.*\p{L}/u.test(text)) || BRACKETED.test(text) ? text : `(${text})`;

export const script = (text: string, map: ReadonlyMap<string, string>, mark: string): string => {
	const tight = text.replaceAll(' ', '');
	const all = [...tight].map(character => map.get(character));
	if (tight !== '' && all.every(each => each !== undefined && each !== '')) return all.join('');
	return [...tight].length === 1 ? `${mark}${tight}` : `${mark}(${text})`;
};

/** Text of the pieces, with spaces around binary operators but not after a sign. */
export const joined = (pieces: readonly Piece[]): string => {
	let text = '';
	let before: Piece['kind'] = 'open';
	for (const [index, piece] of pieces.entries()) {
		const next = pieces[index + 1]?.kind;
		const isSign = piece.kind === 'operator' && /^[−+±∓]$/.test(piece.text);
		if (piece.kind === 'space' || piece.kind === 'break') {
			if (piece.kind === 'break') text = text.trimEnd();
			text += piece.text;
			if (piece.kind === 'break') before = 'open';
			continue;
		}
		if (piece.kind === 'operator') {
			const isUnary: boolean = isSign && (before === 'open' || before === 'operator');
			text += isUnary ? piece.text : `${text.endsWith(' ') || text === '' ? '' : ' '}${piece.text} `;
			before = isUnary ? 'open' : 'operator';
			continue;
		}
		const touches = (kind: Piece['kind'] | undefined): boolean =>
			kind === 'letter' || kind === 'part' || kind === 'close';
		const isAfterWord = before === 'word' && (text.endsWith(')') || piece.kind !== 'open');
		if ((isAfterWord || (piece.kind === 'word' && touches(before))) && /\S$/.test(text)) text += ' ';
		const isLoose =
			piece.kind === 'part' &&
			(touches(before) || before === 'word' || touches(next) || next === 'open' || next === 'word');
		text += isLoose ? `(${piece.text})` : piece.text;
		before = piece.kind;
	}
	return text;
};
