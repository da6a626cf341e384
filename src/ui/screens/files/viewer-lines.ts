import type {FileEntry} from '../../../contract/files.ts';
import {block, label} from '../../../text/safe.ts';
import {cellWidth, fit, slice} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {paint} from '../../theme/theme.ts';

/** The lines of a text file as they came; a final newline adds no line. Null when it is no text. */
export const textLines = (file: FileEntry): readonly string[] | null => {
	if (typeof file.content !== 'string' || file.format === 'base64') return null;
	const lines = file.content.split('\n');
	if (lines.length > 1 && lines.at(-1) === '') lines.pop();
	return lines;
};

/** What is said in place of a file that is no text. */
export const notText = (file: FileEntry): readonly string[] => [
	`${label(file.name)} is not text${file.mimetype ? ` but ${label(file.mimetype, 60)}` : ''}${typeof file.size === 'number' ? `, ${file.size} bytes` : ''}.`,
	'svc-tui files get SERVER PATH -o FILE brings it here as it is.',
];

/** A line is cut here before anything measures it: a file may be one line of 100 MB. */
const LONGEST = 4000;

type Place = {readonly wrapped: boolean; readonly width: number; readonly height: number};
type Options = Place & {readonly top: number; readonly left: number};

const textOf = (line: string | undefined, upTo: number): string => block((line ?? '').replace(/\r$/, '').slice(0, upTo));
const roomBeside = (digits: number, width: number): number => width - digits - 3;

/** Greatest first line: the one from which the last line is still in view. */
export const lastTopOf = (lines: readonly string[], {wrapped, width, height}: Place): number => {
	if (!wrapped) return Math.max(0, lines.length - height);
	const room = roomBeside(String(lines.length).length, width);
	let left = height;
	let top = lines.length;
	while (top > 0 && left > 0) {
		left -= wrap(textOf(lines[top - 1], LONGEST), room).length;
		if (left >= 0) top--;
	}
	return Math.max(0, Math.min(top, lines.length - 1));
};

/** The lines in view, numbered, scrolled to the side or wrapped. */
export const viewerLines = (lines: readonly string[], {top, left, wrapped, width, height}: Options): readonly string[] => {
	const digits = String(Math.min(lines.length, top + height)).length;
	const room = roomBeside(digits, width);
	const shown: string[] = [];
	for (let index = top; index < lines.length && shown.length < height; index++) {
		const number = paint('dim', ` ${String(index + 1).padStart(digits)}  `);
		const text = textOf(lines[index], wrapped ? LONGEST : left + LONGEST);
		if (!wrapped) {
			shown.push(number + (left === 0 ? fit(text, room).trimEnd() : slice(text, left, room)));
			continue;
		}
		for (const [part, piece] of wrap(text, room).entries()) shown.push((part === 0 ? number : ' '.repeat(cellWidth(number))) + piece);
	}
	return shown.slice(0, height);
};
