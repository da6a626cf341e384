import {decodeEntities} from './entities.ts';
import type {HtmlCell, HtmlPart, HtmlTable} from './html-parts.ts';

const MOST_SPAN = 100;
const MOST_CELLS = 100_000;

const plainText = (source: string): string => decodeEntities(source).replaceAll(/\s+/g, ' ').trim();

const SPANS = {columns: /\bcolspan\s*=\s*["']?(\d{1,6})/i, rows: /\browspan\s*=\s*["']?(\d{1,6})/i} as const;

const spanOf = (attributes: string, which: keyof typeof SPANS): number =>
	Number(SPANS[which].exec(attributes)?.[1] ?? 1);

/** Builds a table. Places the cells by the table model of the HTML standard. */
export class TableReader {
	isInHead = false;
	readonly #rows: HtmlCell[][] = [];
	#headRows = 0;
	#columns = 0;
	#cells = 0;
	#isExact = true;
	/** First row of the current row group. */
	#group = 0;
	/** Number of rows, from the current one on, that a cell from above still covers, by column. */
	#covered: number[] = [];
	#cell: {text: string; readonly isHead: boolean; readonly span: number; readonly rowSpan: number} | null =
		null;
	/** Null until a caption starts. */
	#caption: string | null = null;
	#isInCaption = false;
	/** Nested tables by row index. */
	readonly #inner = new Map<number, HtmlPart[]>();

	/**
	 * Adds text to the caption or the current cell. Drops other text, which is only white space for
	 * layout.
	 */
	add(text: string): void {
		if (this.#isInCaption) this.#caption += text;
		else if (this.#cell !== null) this.#cell.text += text;
	}

	/** Starts a caption. The text of a second caption is appended to the first. */
	openCaption(): void {
		this.endCell();
		this.#caption = this.#caption === null ? '' : `${this.#caption} `;
		this.#isInCaption = true;
	}

	openRow(): void {
		this.endCell();
		this.#covered = this.#covered.map(rows => Math.max(0, rows - 1));
		this.#rows.push([]);
	}

	/** Starts a row group. Row spans end with their group. */
	changeGroup(isInHead: boolean): void {
		this.endCell();
		this.#clip();
		this.#covered = [];
		this.isInHead = isInHead;
	}

	/** Limits row spans to the rows of the group. Rows in which no cell starts are not counted. */
	#clip(): void {
		const {length} = this.#rows;
		for (let at = this.#group; at < length; at++)
			this.#rows[at] = (this.#rows[at] ?? []).map(cell =>
				cell.rowSpan === 1
					? cell
					: {...cell, rowSpan: this.#rows.slice(at, at + cell.rowSpan).filter(row => row.length > 0).length},
			);
		this.#group = length;
	}

	openCell(isHead: boolean, attributes: string): void {
		this.endCell();
		const span = spanOf(attributes, 'columns');
		if (span > MOST_SPAN) this.#isExact = false;
		const rowSpan = spanOf(attributes, 'rows');
		this.#cell = {
			text: '',
			isHead,
			span: Math.max(1, Math.min(MOST_SPAN, span)),
			rowSpan: rowSpan === 0 ? Number.POSITIVE_INFINITY : rowSpan,
		};
	}

	endCell(): void {
		this.#isInCaption = false;
		const cell = this.#cell;
		this.#cell = null;
		if (cell === null) return;
		const {text, isHead, span, rowSpan} = cell;
		if (this.#cells + span > MOST_CELLS) {
			this.#isExact = false;
			return;
		}
		this.#cells += span;
		if (this.#rows.length === 0) this.#rows.push([]);
		if (this.isInHead) this.#headRows = this.#rows.length;
		const row = this.#rows.at(-1) ?? [];
		const before = row.at(-1);
		let column = before === undefined ? 0 : before.column + before.span;
		while ((this.#covered[column] ?? 0) > 0) column++;
		for (let at = column; at < column + span; at++) {
			if ((this.#covered[at] ?? 0) > 0) this.#isExact = false;
			this.#covered[at] = rowSpan;
		}
		this.#columns = Math.max(this.#columns, column + span);
		row.push({text: plainText(text), isHead, column, span, rowSpan});
	}

	/** Adds tables that are nested in the current cell. They are output after the row's text. */
	putInner(parts: readonly HtmlPart[]): void {
		const row = Math.max(0, this.#rows.length - 1);
		const all = this.#inner.get(row) ?? [];
		for (const part of parts) all.push(part);
		this.#inner.set(row, all);
	}

	/**
	 * Ends the table. Returns the caption and the table. Rows with nested tables become text and
	 * split the table.
	 */
	end(): readonly HtmlPart[] {
		this.endCell();
		this.#clip();
		const all = [...this.#rows.keys()].filter(at => (this.#rows[at] ?? []).length > 0);
		const parts: HtmlPart[] = [];
		const caption = plainText(this.#caption ?? '');
		if (caption !== '') parts.push({kind: 'text', text: caption});
		let group: number[] = [];
		const flush = (): void => {
			if (group.length > 0 && this.#columns > 0) parts.push(this.#tableOf(group));
			group = [];
		};
		for (const at of all) {
			const inner = this.#inner.get(at);
			if (inner === undefined) {
				group.push(at);
				continue;
			}
			flush();
			const text = (this.#rows[at] ?? [])
				.map(cell => cell.text)
				.filter(each => each !== '')
				.join('  ');
			if (text !== '') parts.push({kind: 'text', text});
			for (const part of inner) parts.push(part);
		}
		flush();
		// The table has no rows with cells, so its nested tables are in none.
		if (all.length === 0) for (const inner of this.#inner.values()) parts.push(...inner);
		return parts;
	}

	#tableOf(places: readonly number[]): HtmlTable {
		const isWhole = this.#inner.size === 0;
		const rows = places.map((at, index) =>
			(this.#rows[at] ?? []).map(cell =>
				isWhole ? cell : {...cell, rowSpan: Math.min(cell.rowSpan, places.length - index)},
			),
		);
		return {
			kind: 'table',
			rows,
			columns: this.#columns,
			headRows: isWhole || places[0] === 0 ? Math.min(this.#headRows, rows.length) : 0,
			isExact: this.#isExact,
		};
	}
}
