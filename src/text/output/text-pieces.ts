/**
 * Key of an output's text in pieces. It is a registered symbol: the live link is bundled apart from
 * the screens.
 */
export const TEXT_PIECES = Symbol.for('svc-tui.text-pieces');

/** Pieces of an output's `text`, for callers that need no single string. Null if it is one. */
export const textPieces = (value: unknown): Iterable<string> | null => {
	const pieces: unknown =
		typeof value === 'object' && value !== null ? Reflect.get(value, TEXT_PIECES) : undefined;
	return typeof pieces === 'function' ? (pieces as () => Iterable<string>)() : null;
};
