/** A name as a text that sorts numbers in it by their value: `file-2` stands before `file-10`. */
const keyOf = (name: string): string =>
	name.replaceAll(/\d+/g, digits => {
		const number = digits.replace(/^0+(?=\d)/, '');
		return String(number.length).padStart(3, '0') + number;
	});

/** Entries of a folder as they are listed: folders first, then by name. */
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
