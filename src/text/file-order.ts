/** Sort key that compares numbers in a name by value: `file-2` comes before `file-10`. */
const keyOf = (name: string): string =>
	name.replaceAll(/\d+/g, digits => {
		const number = digits.replace(/^0+(?=\d)/, '');
		return String(number.length).padStart(3, '0') + number;
	});

/** Sorts folder entries: folders first, then by name. */
export const inFileOrder = <Entry extends {readonly name: string; readonly isFolder: boolean}>(
	entries: readonly Entry[],
): readonly Entry[] =>
	entries
		.map(entry => ({entry, key: keyOf(entry.name)}))
		.sort(
			(a, b) =>
				Number(b.entry.isFolder) - Number(a.entry.isFolder) ||
				(a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.name < b.entry.name ? -1 : 1),
		)
		.map(({entry}) => entry);
