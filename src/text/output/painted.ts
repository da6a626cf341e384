import {redrawsLines, output} from './output.ts';
import {cellWidth} from '../width/width.ts';
import {pieces} from '../width/pieces.ts';

/** Number of last lines that can still change, unless the text moves the cursor further up. */
const OPEN_LINES = 20;
/**
 * Limits for text and lines that are rendered again from their start on each change, in UTF-16
 * units.
 */
const MOST_OPEN = 1 << 18;
const MOST_LINE = 1 << 12;

const COLOURS = /(?:\u001b\[|\u009b)[\d;:]*m/g;
const RESET = /^(?:\u001b\[|\u009b)0*m$/;
/** Maximum number of colour sequences that are repeated to restore the active colours. */
const MOST_COLOURS = 16;

/** Colour sequences that are active at the end of a text. */
const coloursAfter = (text: string): string => {
	const found = text.match(COLOURS) ?? [];
	return found
		.slice(found.findLastIndex(each => RESET.test(each)) + 1)
		.slice(-MOST_COLOURS)
		.join('');
};

/**
 * Writer that shows growing program output on a terminal. Each method returns the text to write to
 * the terminal.
 */
export type PaintedText = {
	push(text: string): string;
	/** Replaces the text that was pushed last. Null if other text follows it. */
	replaceEnd(old: string, text: string): string | null;
	/** Erases the lines that can still change. */
	clear(): string;
	/** Call after the user typed a line below the output. Later output is drawn below that line. */
	typed(): void;
	/** Last line of the output, as shown. */
	lastLine(): string;
};

/**
 * Shows growing output on a terminal. Progress bars and redrawn lines are updated in place. Colours
 * are the only control sequences that reach the terminal.
 */
export const createPaintedText = ({
	columns,
	colour,
}: {
	readonly columns: number;
	readonly colour: boolean;
}): PaintedText => {
	let before = '';
	let open = '';
	let shown: readonly string[] = [''];

	const rows = (line: string): number => Math.max(1, Math.ceil(cellWidth(line) / columns));
	/** Escape sequence that moves to the start of a shown line and erases everything from there. */
	const backTo = (index: number): string => {
		const up = shown.slice(index).reduce((sum, line) => sum + rows(line), -1);
		return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
	};
	const forget = (to: number): void => {
		before = coloursAfter(before + open.slice(0, to));
		open = open.slice(to);
	};
	const startAnew = (): void => {
		before = '';
		open = '';
		shown = [''];
	};
	const shorten = (): void => {
		if (redrawsLines(open)) {
			if (open.length > MOST_OPEN) forget(open.lastIndexOf('\n') + 1);
		} else {
			let from = open.length;
			for (let lines = 0; lines < OPEN_LINES && from > 0; lines++) from = open.lastIndexOf('\n', from - 1);
			if (from > 0) forget(from + 1);
			const start = open.lastIndexOf('\n') + 1;
			const back = open.lastIndexOf('\r');
			// A line that was overwritten many times is reduced to what is visible.
			if (open.length - start > MOST_LINE && back > start)
				open = `${open.slice(0, start)}${shown.at(-1)}${coloursAfter(open.slice(0, back))}${open.slice(back)}`;
		}
		const lines = open.split('\n').length;
		shown = shown.slice(-lines);
		if (open.length > 2 * MOST_OPEN) startAnew();
	};
	const paint = (): string => {
		const next = output(before + open, {colour}).text.split('\n');
		const last = shown.length - 1;
		let same = 0;
		while (same < last && same < next.length - 1 && shown[same] === next[same]) same++;
		const isLonger = same === last && next[same]?.startsWith(shown[last] ?? '');
		const text = isLonger
			? next.slice(same).join('\n').slice(shown[last]?.length)
			: backTo(same) + next.slice(same).join('\n');
		shown = next;
		shorten();
		return text;
	};

	return {
		push: text =>
			pieces(text)
				.map(piece => {
					open += piece;
					return paint();
				})
				.join(''),
		replaceEnd(old, text) {
			if (old === '' || !open.endsWith(old)) return null;
			open = open.slice(0, -old.length) + text;
			return paint();
		},
		clear() {
			const text = shown.length === 1 && shown[0] === '' ? '' : backTo(0);
			startAnew();
			return text;
		},
		typed: startAnew,
		lastLine: () => shown.at(-1) ?? '',
	};
};
