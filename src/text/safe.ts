import {capped} from './width/cap.ts';
import {reveal} from './output/reveal.ts';
import {cellWidth} from './width/width.ts';

export {redrawsLines, output, type Output} from './output/output.ts';

const TAB = 8;

const needsLook = /[^\n\u0020-\u007e]/;

/**
 * Untrusted text as one safe line: a name, path, state, address or error. Writes out control
 * characters (`^[`, `<9b>`), and invisible and direction-changing characters (`<U+200B>`). A text
 * longer than `max` UTF-16 units is cut and ends in `…`.
 */
export const label = (text: string, max = 200): string => reveal(capped(text), max);

/** Same as `label` for text that starts at column `from`, except that tabs become spaces. */
export const lineFrom = (line: string, from: number): string => {
	if (!needsLook.test(line)) return line;
	let column = from;
	let out = '';
	const pieces = line.split('\t');
	for (const [index, piece] of pieces.entries()) {
		const shown = reveal(piece);
		out += shown;
		if (index === pieces.length - 1) break;
		column += cellWidth(shown);
		const spaces = TAB - (column % TAB);
		out += ' '.repeat(spaces);
		column += spaces;
	}

	return out;
};

/**
 * Same as `label` for several lines, such as a file or an answer. Keeps line ends (CRLF becomes LF)
 * and replaces tabs by spaces. A text longer than 1 MB is cut and ends in `…`.
 */
export const block = (text: string): string => {
	const seen = capped(text);
	const end = seen.length < text.length ? '…' : '';
	if (!needsLook.test(seen)) return seen + end;
	const lines = seen.replaceAll('\r\n', '\n').split('\n');
	return lines.map(line => (line.includes('\t') ? lineFrom(line, 0) : reveal(line))).join('\n') + end;
};
