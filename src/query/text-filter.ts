type Texts = {readonly text: string; readonly lower: string};

/**
 * Makes the filter of a list: the items that hold what was typed, in their order. Letter case counts only when a capital was typed;
 * nothing typed passes everything. The texts of a list are joined once for each array.
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
		return items.filter((_, index) => texts[index]?.[field].includes(wanted) === true);
	};
};
