import {eachGrapheme, unitCells} from '../width/graphemes.ts';
import {graphemeCells} from '../width/grapheme-width.ts';
import {NO_STYLE, changeStyle, closeStyle, type Style} from '../width/sgr.ts';
import {cellWidth} from '../width/width.ts';

const TAB = 8;

/** Line of output under construction. Its methods expect text that is safe for the screen. */
export interface OutputLine {
	write(text: string, style: Style): void;
	tab(style: Style): void;
	/** Carriage return. */
	toStart(): void;
	/** Backspace. */
	back(): void;
	/** `CSI K`: 0 erases from the cursor to the end, 1 from the start to the cursor, 2 all. */
	erase(what: number): void;
	/** Returns the line with its colours, reset at the end. */
	finish(): string;
}

const isRegionalIndicator = (point: number | undefined): boolean =>
	point !== undefined && point >= 0x1_f1e6 && point <= 0x1_f1ff;

/** First character with the marks that combine with it. */
const HALF_WITH_MARKS = /^.[\p{M}\u200d]*/u;
/** UTF-16 units of a regional indicator. */
const INDICATOR = 2;

/** True if the text ends with the first half of a flag: an odd number of regional indicators. */
const endsInHalfFlag = (text: string): boolean => {
	let at = text.length - INDICATOR;
	while (isRegionalIndicator(text.codePointAt(at))) at -= INDICATOR;
	return ((text.length - at) / INDICATOR) % 2 === 0;
};

class StyledText {
	#text = '';
	#style = NO_STYLE;

	append(text: string, style: Style): void {
		if (style === this.#style) {
			this.#text += text;
			return;
		}
		// Both halves of a flag must stay adjacent: a colour sequence between them would split the
		// character.
		const half =
			isRegionalIndicator(text.codePointAt(0)) && endsInHalfFlag(this.#text)
				? (HALF_WITH_MARKS.exec(text)?.[0].length ?? 0)
				: 0;
		this.#text += text.slice(0, half);
		if (text.length === half) return;
		this.#text += changeStyle(this.#style, style) + text.slice(half);
		this.#style = style;
	}

	toString(): string {
		return this.#text.includes('\u001b') ? closeStyle(this.#text) : this.#text;
	}
}

/** Line for output without carriage returns and backspaces: text is only appended. */
export class AppendedLine implements OutputLine {
	readonly #text = new StyledText();
	#sinceTab = '';

	write(text: string, style: Style): void {
		this.#text.append(text, style);
		this.#sinceTab += text;
	}

	tab(style: Style): void {
		this.#text.append(' '.repeat(TAB - (cellWidth(this.#sinceTab) % TAB)), style);
		this.#sinceTab = '';
	}

	toStart(): void {
		throw new Error('an appended line has no cursor to move');
	}

	back(): void {
		throw new Error('an appended line has no cursor to move');
	}

	erase(): void {
		// Does nothing: there is no text to the right of the cursor, and other erase commands are
		// ignored.
	}

	finish(): string {
		return this.#text.toString();
	}
}

const notPrintable = /[^\u0020-\u007e]/;

// Right half of a wide character.
const RIGHT_HALF = '';

/**
 * Line as an array of terminal cells, for output with carriage returns and backspaces, where later
 * text overwrites earlier text.
 */
export class CellLine implements OutputLine {
	#cells: string[] = [];
	#styles: Style[] = [];
	#cursor = 0;
	#hasWide = false;

	write(text: string, style: Style): void {
		if (!notPrintable.test(text)) return this.#writeUnits(text, style);
		eachGrapheme(text, (start, end) => {
			const grapheme = text.slice(start, end);
			const plain = end === start + 1 ? unitCells(text.charCodeAt(start)) : 0;
			this.#put(grapheme, plain === 0 ? graphemeCells(grapheme) : plain, style);
		});
	}

	get column(): number {
		return this.#cursor;
	}

	toColumn(column: number): void {
		this.#cursor = column;
	}

	tab(): void {
		this.#cursor += TAB - (this.#cursor % TAB);
	}

	toStart(): void {
		this.#cursor = 0;
	}

	back(): void {
		this.#cursor = Math.max(0, this.#cursor - 1);
	}

	erase(what: number): void {
		const from = what === 0 ? this.#cursor : 0;
		const to = what === 1 ? Math.min(this.#cursor + 1, this.#cells.length) : this.#cells.length;
		if (from >= to) return;
		this.#breakWide(from, to);
		if (to === this.#cells.length) {
			this.#cells.length = from;
			this.#styles.length = from;
		} else {
			this.#cells.fill(' ', from, to);
			this.#styles.fill(NO_STYLE, from, to);
		}
	}

	finish(): string {
		const text = new StyledText();
		for (let at = 0; at < Math.max(this.#cells.length, this.#cursor); at++)
			text.append(this.#cells[at] ?? ' ', this.#styles[at] ?? NO_STYLE);
		return text.toString();
	}

	/** Writes printable ASCII, one cell per UTF-16 unit. */
	#writeUnits(text: string, style: Style): void {
		if (this.#hasWide) this.#breakWide(this.#cursor, this.#cursor + text.length);
		this.#reachCursor();
		for (let at = 0; at < text.length; at++) {
			this.#cells[this.#cursor] = text.charAt(at);
			this.#styles[this.#cursor] = style;
			this.#cursor++;
		}
	}

	#put(grapheme: string, cells: number, style: Style): void {
		if (cells === 0) return;
		this.#reachCursor();
		this.#hasWide ||= cells > 1;
		const end = this.#cursor + cells;
		this.#breakWide(this.#cursor, end);
		for (let at = this.#cursor; at < end; at++) {
			this.#cells[at] = at === this.#cursor ? grapheme : RIGHT_HALF;
			this.#styles[at] = style;
		}

		this.#cursor = end;
	}

	/** Fills the cells skipped by a tab, because an array with holes is slow. */
	#reachCursor(): void {
		while (this.#cells.length < this.#cursor) {
			this.#cells.push(' ');
			this.#styles.push(NO_STYLE);
		}
	}

	/**
	 * Replaces wide characters that cross a boundary of the range `from` to `to`: their half
	 * outside the range becomes a space.
	 */
	#breakWide(from: number, to: number): void {
		let start = from;
		while (this.#cells[start] === RIGHT_HALF) start--;
		if (start < from) this.#cells.fill(' ', start, from);

		for (let at = to; this.#cells[at] === RIGHT_HALF; at++) this.#cells[at] = ' ';
	}
}
