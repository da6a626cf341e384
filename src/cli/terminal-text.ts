import {pieces} from '../text/width/pieces.ts';
import {block} from '../text/safe.ts';

/** A file or an answer, whole, with nothing that acts on the terminal. */
export const terminalBlock = (text: string): string =>
	pieces(text)
		.map(piece => block(piece))
		.join('');

// How these are shown depends on what follows: the rest of a CRLF, of a character, of an emoji that is cut behind its joiner or in the character after it.
const undecided = /(?:\r|\u200d?[\ud800-\udbff]?)$/;
const LONGEST_LINE = 16_384;

/** Makes a text safe that arrives in fragments: all that it answered, joined, is that of all that it was given. */
export const createSafeStream = (): {push(fragment: string): string; end(): string} => {
	let line = '';
	let written = 0;
	const take = (final: boolean): string => {
		const held = final ? '' : (undecided.exec(line)?.[0] ?? '');
		const safe = terminalBlock(line.slice(0, line.length - held.length));
		const fresh = safe.slice(written);
		written = safe.length;
		return fresh;
	};
	const next = (rest: string): void => {
		line = rest;
		written = 0;
	};
	return {
		push(fragment) {
			line += fragment;
			let text = '';
			const end = line.lastIndexOf('\n') + 1;
			if (end > 0) {
				const rest = line.slice(end);
				line = line.slice(0, end);
				text = take(true);
				next(rest);
			}
			text += take(false);
			// Each fragment looks at its line from the start, so that a line without end would cost more and more.
			if (line.length > LONGEST_LINE) {
				const held = undecided.exec(line)?.[0] ?? '';
				next(held);
			}
			return text;
		},
		end() {
			const text = take(true);
			next('');
			return text;
		},
	};
};
