// Ours: htmlparser2 costs the first frame 20 ms, 6 MB and 52 KB, and leaves the tables to us.
import {capped} from '../width/cap.ts';
import {decodeEntities} from './entities.ts';
import {withoutEnds} from '../ends.ts';
import {isMedia, mediaText} from './html-media.ts';

/** A cell of an HTML table: its text on one line, its first column (from 0), and how many columns and rows it covers. */
export type HtmlCell = {
	readonly text: string;
	readonly isHead: boolean;
	readonly column: number;
	readonly span: number;
	readonly rowSpan: number;
};
/**
 * Each row holds the cells that begin in it, from left to right; what a cell of a row above covers is left out. `headRows` stand at the
 * top. `isExact`: no two cells claim the same place, and none was left out.
 */
export type HtmlTable = {
	readonly kind: 'table';
	readonly rows: readonly (readonly HtmlCell[])[];
	readonly columns: number;
	readonly headRows: number;
	readonly isExact: boolean;
};
/** What HTML says without its looks: paragraphs and tables, in their order. Not made safe for the screen. */
export type HtmlPart = {readonly kind: 'text'; readonly text: string} | HtmlTable;

const BLOCKS = new Set(
	'p div br li ul ol h1 h2 h3 h4 h5 h6 pre section article details summary hr dl dt dd blockquote'.split(' '),
);
/** Their content is not text. */
const SILENT = new Set(['style', 'script', 'head', 'template', 'svg']);
const MOST_SPAN = 100;
const MOST_CELLS = 100_000;

const TAG = /<(\/?)([a-z][a-z\d]*)/iy;

const SPANS = {columns: /\bcolspan\s*=\s*["']?(\d{1,6})/i, rows: /\browspan\s*=\s*["']?(\d{1,6})/i} as const;

const spanOf = (attributes: string, which: keyof typeof SPANS): number =>
	Number(SPANS[which].exec(attributes)?.[1] ?? 1);

/** A table while it is read: cells are placed as HTML's table model says. */
class TableReader {
	isInHead = false;
	readonly #rows: HtmlCell[][] = [];
	#headRows = 0;
	#columns = 0;
	#cells = 0;
	#isExact = true;
	/** The row at which the group of rows began. */
	#group = 0;
	/** Rows, this one included, that a cell from above still covers in a column. */
	#covered: number[] = [];
	#cell: {text: string; readonly isHead: boolean; readonly span: number; readonly rowSpan: number} | null =
		null;

	/** Between the cells stands nothing but layout. */
	add(text: string): void {
		if (this.#cell !== null) this.#cell.text += text;
	}

	openRow(): void {
		this.endCell();
		this.#covered = this.#covered.map(rows => Math.max(0, rows - 1));
		this.#rows.push([]);
	}

	/** A cell covers no row beyond its group. */
	changeGroup(isInHead: boolean): void {
		this.endCell();
		this.#clip();
		this.#covered = [];
		this.isInHead = isInHead;
	}

	/** A row in which no cell begins is none of the table. */
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
		row.push({text: decodeEntities(text).replaceAll(/\s+/g, ' ').trim(), isHead, column, span, rowSpan});
	}

	end(): HtmlTable | null {
		this.endCell();
		this.#clip();
		if (this.#columns === 0) return null;
		const rows = this.#rows.filter(row => row.length > 0);
		return {
			kind: 'table',
			rows,
			columns: this.#columns,
			headRows: Math.min(this.#headRows, rows.length),
			isExact: this.#isExact,
		};
	}
}

class Reader {
	readonly #parts: HtmlPart[] = [];
	#text = '';
	#table: TableReader | null = null;

	get isInTable(): boolean {
		return this.#table !== null;
	}

	add(text: string): void {
		if (this.#table === null) this.#text += text.replaceAll(/\s+/g, ' ');
		else this.#table.add(text);
	}

	open(name: string, attributes: string): void {
		if (name === 'table') {
			this.#endTable();
			this.#endText();
			this.#table = new TableReader();
		} else if (this.#table === null) {
			if (BLOCKS.has(name)) this.#text += name === 'li' ? '\n- ' : '\n';
		} else if (name === 'thead') this.#table.changeGroup(true);
		else if (name === 'tbody' || name === 'tfoot') this.#table.changeGroup(false);
		else if (name === 'tr') this.#table.openRow();
		else if (name === 'td' || name === 'th') this.#table.openCell(name === 'th', attributes);
		else if (BLOCKS.has(name)) this.add(' ');
	}

	close(name: string): void {
		if (name === 'table') this.#endTable();
		else if (this.#table === null) {
			if (BLOCKS.has(name)) this.#text += '\n';
		} else if (name === 'tr' || name === 'td' || name === 'th') this.#table.endCell();
		else if (name === 'thead') this.#table.changeGroup(false);
	}

	end(): readonly HtmlPart[] {
		this.#endTable();
		this.#endText();
		return this.#parts;
	}

	#endTable(): void {
		const table = this.#table?.end() ?? null;
		this.#table = null;
		if (table !== null) this.#parts.push(table);
	}

	#endText(): void {
		const text = decodeEntities(this.#text)
			.split('\n')
			.map(line => withoutEnds(line, ' \t'))
			.join('\n')
			.replaceAll(/\n{3,}/g, '\n\n')
			.trim();
		this.#text = '';
		if (text !== '') this.#parts.push({kind: 'text', text});
	}
}

/** Reads HTML as a reader without a browser does. Linear in its length; never throws; looks at the first 1 MB. `media`: pictures and frames are named. */
export const readHtml = (
	source: string,
	{media = true}: {readonly media?: boolean} = {},
): readonly HtmlPart[] => {
	const html = capped(source);
	// Of ASCII only: some letters have lower-case forms of another length.
	const lower = html.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
	const reader = new Reader();
	const behind = (mark: string, from: number): number => {
		const found = lower.indexOf(mark, from);
		return found === -1 ? html.length : found + mark.length;
	};
	/** Elements that end nowhere behind this place. */
	const unclosed = new Set<string>();
	let from = 0;
	for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
		TAG.lastIndex = at;
		const [, slash, name] = TAG.exec(html) ?? [];
		const isRemark = html[at + 1] === '!' || html[at + 1] === '?';
		if (name === undefined && !isRemark) {
			at++;
			continue;
		}
		const start = at;
		at = html.startsWith('<!--', at) ? behind('-->', at) : behind('>', at);
		if (from < start) reader.add(html.slice(from, start));
		if (name !== undefined) {
			const tag = name.toLowerCase();
			if (slash === '' && media && isMedia(tag)) {
				const end =
					tag === 'img' || tag === 'embed' || unclosed.has(tag) ? -1 : lower.indexOf(`</${tag}`, at);
				if (end === -1) unclosed.add(tag);
				reader.add(` ${mediaText(tag, html.slice(start, end === -1 ? at : end), !reader.isInTable)} `);
				at = end === -1 ? at : behind('>', end);
			} else if (slash !== '') reader.close(tag);
			else if (SILENT.has(tag)) at = behind('>', behind(`</${tag}`, at));
			else reader.open(tag, html.slice(start, at));
		}
		from = at;
	}
	reader.add(html.slice(from));
	return reader.end();
};
