/** Under which an output has its text in pieces; known by its name, since the live link is bundled apart from the screens. */
export const TEXT_PIECES = Symbol.for('svc-tui.text-pieces');

/** The `text` of an output piece by piece, for whoever writes megabytes that nobody needs in one string; null where it is one already. */
export const textPieces = (value: unknown): Iterable<string> | null => {
	const pieces: unknown =
		typeof value === 'object' && value !== null ? Reflect.get(value, TEXT_PIECES) : undefined;
	return typeof pieces === 'function' ? (pieces as () => Iterable<string>)() : null;
};
