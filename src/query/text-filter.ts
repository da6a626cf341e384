type Texts = {readonly text: string; readonly lower: string};

/** A test for texts that contain each typed word, ignoring case. */
export const wordsTest = (typed: string): ((text: string) => boolean) => {
	const words = typed.toLowerCase().trim().split(/\s+/);
	return text => {
		const lower = text.toLowerCase();
		return words.every(word => lower.includes(word));
	};
};

/**
 * Creates a filter for a list, which keeps items whose text contains each typed word. Case matters
 * only if the typed text has capitals. An empty text keeps all items. The texts of a list are
 * cached per array.
 */
export const listFilter = <Item>(
	textOf: (item: Item) => string,
): ((items: readonly Item[], typed: string) => readonly Item[]) => {
	const known = new WeakMap<readonly Item[], readonly Texts[]>();
	const textsOf = (items: readonly Item[]): readonly Texts[] => {
		const found =
			known.get(items) ??
			items.map(item => {
				const text = textOf(item);
				return {text, lower: text.toLowerCase()};
			});
		known.set(items, found);
		return found;
	};
	return (items, typed) => {
		const wanted = typed.trim();
		if (wanted === '') return items;
		const texts = textsOf(items);
		const field = wanted === wanted.toLowerCase() ? 'lower' : 'text';
		const words = wanted.split(/\s+/);
		return items.filter((_, index) => words.every(word => texts[index]?.[field].includes(word) === true));
	};
};
