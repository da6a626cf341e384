/** Replacement of a text that occurs exactly once in a file. */
export type Edit = {readonly find: string; readonly replace: string};

const FIND = '<<<<<<< SEARCH';
const BETWEEN = '=======';
const END = '>>>>>>> REPLACE';

/** Format of an edit, for the model. */
export const EDIT_FORM = `${FIND}\nthe old lines, exactly as in the file\n${BETWEEN}\nthe new lines\n${END}`;

/** Edits in the text of a step. A string is a fault, worded as the end of a sentence. */
export const editsIn = (text: string): readonly Edit[] | string => {
	const edits: Edit[] = [];
	let part: 'none' | 'find' | 'replace' = 'none';
	let [find, replace]: string[] = ['', ''];
	for (const line of text.replace(/\n$/, '').split('\n')) {
		const word = line.trimEnd();
		if (part === 'none') {
			if (word === FIND) [part, find, replace] = ['find', '', ''];
			else if (word !== '') return `there is text outside of ${FIND} and ${END}`;
		} else if (part === 'find' && word === BETWEEN) part = 'replace';
		else if (part === 'replace' && word === END) {
			if (find === '') return `there is nothing between ${FIND} and ${BETWEEN}`;
			edits.push({find: find ?? '', replace: replace ?? ''});
			part = 'none';
		} else if (word === FIND || (word === END && part === 'find'))
			return `${word} appears where ${part === 'find' ? BETWEEN : END} is expected`;
		else if (part === 'find') find += `${line}\n`;
		else replace += `${line}\n`;
	}
	if (part !== 'none') return `${part === 'find' ? BETWEEN : END} is missing`;
	return edits.length === 0 ? `it holds no edit; one is written as ${FIND}, ${BETWEEN}, ${END}` : edits;
};

/** Offsets at which these lines occur as whole lines of a text. */
const placesOf = (text: string, lines: string): readonly number[] => {
	const places: number[] = [];
	for (let at = text.indexOf(lines); at !== -1; at = text.indexOf(lines, at + 1))
		if (at === 0 || text[at - 1] === '\n') places.push(at);
	return places;
};

/**
 * Applies edits in order, with the file's line ends. `says`: reason for a failure, as a sentence.
 */
export const edited = (
	before: string,
	edits: readonly Edit[],
): {readonly text: string} | {readonly says: string} => {
	const end = before.includes('\r\n') ? '\r\n' : '\n';
	// A missing newline at the end of the file is added during the edit.
	const isOpen = before !== '' && !before.endsWith('\n');
	let text = isOpen ? before + end : before;
	for (const [number, edit] of edits.entries()) {
		const [find = '', replace = ''] = [edit.find, edit.replace].map(each => each.replaceAll('\n', end));
		const [at, another] = placesOf(text, find);
		const says = (what: string) => ({says: `Edit ${number + 1} finds ${what}`});
		if (at === undefined)
			return says('nothing: the file does not contain its old lines exactly as given. Read the file again.');
		if (another !== undefined) return says('its old lines more than once: take more lines around them.');
		text = text.slice(0, at) + replace + text.slice(at + find.length);
	}
	return {text: isOpen && text.endsWith(end) ? text.slice(0, -end.length) : text};
};
