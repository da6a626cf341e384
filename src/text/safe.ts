import {capped} from './width/cap.ts';
import {reveal} from './output/reveal.ts';
import {cellWidth} from './width/width.ts';

export {redrawsLines, output, type Output} from './output/output.ts';

const TAB = 8;

const needsLook = /[^\n\u0020-\u007e]/;

/**
 * One line for names, paths, states, addresses and error texts from outside: controls are written out (`^[`, `<9b>`), hidden and
 * direction-turning characters as `<U+200B>`. Longer than `max` UTF-16 units: cut with `…`.
 */
export const label = (text: string, max = 200): string => reveal(capped(text), max);

/** A line, or a part of one that stands at a column: as `label`, but tabs become spaces. */
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

/** Several lines, for files and answers: as `label`, but line ends stay (CRLF becomes LF) and tabs become spaces. Beyond 1 MB: cut with `…`. */
export const block = (text: string): string => {
	const seen = capped(text);
	const end = seen.length < text.length ? '…' : '';
	if (!needsLook.test(seen)) return seen + end;
	const lines = seen.replaceAll('\r\n', '\n').split('\n');
	return lines.map(line => (line.includes('\t') ? lineFrom(line, 0) : reveal(line))).join('\n') + end;
};
