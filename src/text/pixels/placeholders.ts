// Pictures within text by kitty's graphics protocol. Each cell contains U+10EEEE. Its colour is the
// picture's number, and its combining marks are the row and the column.
import {kittyCommand} from './overlay.ts';
import type {Size} from './size.ts';

const CELL = '\u{10EEEE}';
/**
 * Code point ranges of the marks for the numbers from 0 on, in hexadecimal.
 * @see https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
 */
const MARKS =
	'305 30D-30E 310 312 33D-33F 346 34A-34C 350-352 357 35B 363-36F 483-487 592-595 597-599 59C-5A1 5A8-5A9 5AB-5AC 5AF 5C4 610-617 657-65B 65D-65E ' +
	'6D6-6DC 6DF-6E2 6E4 6E7-6E8 6EB-6EC 730 732-733 735-736 73A 73D 73F-741 743 745 747 749-74A 7EB-7F1 7F3 816-819 81B-823 825-827 829-82D 951 ' +
	'953-954 F82-F83 F86-F87 135D-135F 17DD 193A 1A17 1A75-1A7C 1B6B 1B6D-1B73 1CD0-1CD2 1CDA-1CDB 1CE0 1DC0-1DC1 1DC3-1DC9 1DCB-1DCC 1DD1-1DE6 1DFE';

const marks = MARKS.split(' ').flatMap(range => {
	const [first = 0, last = first] = range.split('-').map(each => Number.parseInt(each, 16));
	return Array.from({length: last - first + 1}, (_, at) => String.fromCodePoint(first + at));
});

/** Largest numbers of rows and columns that the marks can encode. */
export const MOST_PLACED: Size = {width: marks.length, height: marks.length};

/** Rows of cells that show a transmitted picture. `id`: less than 2^24. */
export const placeholderRows = (id: number, {width, height}: Size): readonly string[] =>
	Array.from({length: height}, (_, row) => {
		const cells = Array.from({length: width}, (__, column) => `${CELL}${marks[row]}${marks[column]}`);
		return `\u001B[38;2;${(id >> 16) & 255};${(id >> 8) & 255};${id & 255}m${cells.join('')}\u001B[39m`;
	});

/** Transmits a PNG, which the terminal draws in the cells of its placeholders. */
export const sentPicture = (id: number, base64: string, {width, height}: Size): string =>
	kittyCommand(`a=T,U=1,q=2,f=100,i=${id},c=${width},r=${height}`, base64);

export const deletedPicture = (id: number): string => `\u001B_Ga=d,d=I,q=2,i=${id}\u001B\\`;
