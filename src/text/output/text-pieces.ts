/**
 * Key of the property that returns an output's text in pieces. A registered symbol, because the
 * live link's bundle has its own copy of this module.
 */
export const TEXT_PIECES = Symbol.for('svc-tui.text-pieces');

/**
 * Pieces of an output's `text`, for callers that do not need a single string. Null if the text is
 * not stored in pieces.
 */
export const textPieces = (value: unknown): Iterable<string> | null => {
	const pieces: unknown =
		typeof value === 'object' && value !== null ? Reflect.get(value, TEXT_PIECES) : undefined;
	return typeof pieces === 'function' ? (pieces as () => Iterable<string>)() : null;
};
