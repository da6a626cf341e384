import {NO_STYLE, applySgr, closeStyle, openStyle, type Style} from './sgr.ts';
import {cellWidth, eachToken, isColour, plainCells, withoutColours} from './width.ts';

export type WrapOptions = {
	/** Indentation, in cells, of all rows of a line except the first. */
	readonly hang?: number;
};

/** Maximum length of an address that is broken at its separators, in UTF-16 units. */
const READABLE = 2000;

/**
 * Parts of an address between which a row may break. Within a part, a row breaks only if it would
 * otherwise be less than half full.
 */
const stepsOf = (word: string): readonly string[] =>
	word.length <= READABLE && word.includes('://') ? (word.match(/[^/?&=]*[/?&=]+|[^/?&=]+/g) ?? []) : [word];

class Rows {
	readonly #done: string[] = [];
	readonly #width: number;
	readonly #hang: number;
	#row = '';
	#used = 0;
	#style: Style = NO_STYLE;

	constructor(width: number, hang: number) {
		this.#width = width;
		this.#hang = hang;
	}

	/** Adds a word and the spaces before it. A word that is wider than a row is broken. */
	add(gap: string, word: string, cells: number): void {
		if (this.#used + gap.length + cells <= this.#width) return this.#append(gap + word, gap.length + cells);
		const isFirst = this.#used === 0;
		// Keeps the line's indentation even if the first word does not fit after it.
		if (isFirst) this.#append(gap.slice(0, this.#width), Math.min(gap.length, this.#width));
		if (!isFirst || cells <= this.#width - this.#hang) this.#breakRow();
		this.#place(word, cells);
	}

	finish(gap: string): string[] {
		this.#append(gap.slice(0, this.#width - this.#used), 0);
		this.#endRow();
		return this.#done;
	}

	#append(text: string, cells: number): void {
		this.#row += text;
		this.#used += cells;
		if (!text.includes('\u001b')) return;
		eachToken(text, token => {
			if (isColour(token)) this.#style = applySgr(this.#style, token.slice(2, -1)).style;
		});
	}

	#place(word: string, cells: number): void {
		if (this.#used + cells <= this.#width) return this.#append(word, cells);
		const room = this.#width - this.#hang;
		for (const step of stepsOf(word)) {
			const wanted = cellWidth(step);
			const isFull = this.#used + wanted > this.#width && this.#used - this.#hang >= room / 2;
			if (isFull && wanted <= room) this.#breakRow();
			this.#placeCharacters(step, room);
		}
	}

	#placeCharacters(word: string, room: number): void {
		eachToken(word, (token, width) => {
			if (width <= room) return this.#placeWhole(token, width);
			// A syllable of several characters may be wider than a row, so it is split into
			// characters.
			let part = '';
			for (const character of token) {
				if (cellWidth(part + character) > room) {
					this.#placeWhole(part, cellWidth(part));
					this.#breakRow();
					part = '';
				}
				part += character;
			}
			this.#placeWhole(part, cellWidth(part));
		});
	}

	#placeWhole(token: string, cells: number): void {
		if (this.#used + cells > this.#width) this.#breakRow();
		this.#append(token, cells);
	}

	#breakRow(): void {
		this.#endRow();
		this.#row = ' '.repeat(this.#hang) + openStyle(this.#style);
		this.#used = this.#hang;
	}

	#endRow(): void {
		this.#done.push(this.#row.includes('\u001b') ? closeStyle(this.#row) : this.#row);
	}
}

/** Adds the words of a line. Returns the spaces after the last word. */
const addWords = (rows: Rows, line: string): string => {
	let gap = '';
	let word = '';
	let wordCells = 0;
	const flush = (): void => {
		if (word === '') return;
		rows.add(gap, word, wordCells);
		gap = '';
		word = '';
		wordCells = 0;
	};

	eachToken(line, (token, tokenCells) => {
		if (token === ' ') {
			flush();
			gap += ' ';
			return;
		}

		if (tokenCells === 2) flush();
		word += token;
		wordCells += tokenCells;
		if (tokenCells === 2) flush();
	});
	flush();
	return gap;
};

/** Same as {@link addWords}, for a line in which every character is one cell wide. */
const addPlainWords = (rows: Rows, line: string): string => {
	let at = 0;
	for (;;) {
		let from = at;
		while (line.charAt(from) === ' ') from++;
		if (from === line.length) return line.slice(at);
		const next = line.indexOf(' ', from);
		const word = line.slice(from, next < 0 ? line.length : next);
		rows.add(line.slice(at, from), word, withoutColours(word).length);
		at = from + word.length;
	}
};

/**
 * Wraps a line at spaces and between wide characters. Breaks longer words. Drops the spaces at a
 * break, but keeps those at the start of the line. Resets colours at the end of a row and switches
 * them on again in the next. Rows have at most `cells` cells (at least 2). Pure, so a caller may
 * cache the rows of an unchanged line.
 */
export const wrapLine = (line: string, cells: number, {hang = 0}: WrapOptions = {}): string[] => {
	const bare = withoutColours(line);
	const plain = plainCells(bare);
	if (plain !== undefined && plain <= cells) return [line.includes('\u001b') ? closeStyle(line) : line];
	// A wide character needs two cells in any case.
	const width = Math.max(2, cells);
	const rows = new Rows(width, Math.max(0, Math.min(hang, width - 2)));
	return rows.finish(plain === bare.length ? addPlainWords(rows, line) : addWords(rows, line));
};

/**
 * Wraps each line of a text that is already safe for the screen (`block`, `output`). See
 * `wrapLine`.
 */
export const wrap = (text: string, cells: number, options: WrapOptions = {}): string[] =>
	text.split('\n').flatMap(line => wrapLine(line, cells, options));
