import {pieces} from '../text/width/pieces.ts';
import {block} from '../text/safe.ts';

/** Escapes all characters of a whole file or answer that would control the terminal. */
export const terminalBlock = (text: string): string =>
	pieces(text)
		.map(piece => block(piece))
		.join('');

// Ends of a text whose display depends on the next fragment: half of a CRLF or of a character, or
// an emoji cut off at its joiner.
const undecided = /(?:\r|\u200d?[\ud800-\udbff]?)$/;
const LONGEST_LINE = 16_384;

/**
 * Escapes a text that arrives in fragments. The joined results are the same as for the whole text.
 */
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
			// Each fragment is checked from the start of its line, so a very long line would take
			// more and more time.
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
