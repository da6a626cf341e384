import {capped} from './cap.ts';

/** A cell of an HTML table: its text on one line. */
export type HtmlCell = {readonly text: string; readonly isHead: boolean};
/** Rows may be of different lengths. `headRows` stand at the top. */
export type HtmlTable = {readonly kind: 'table'; readonly rows: readonly (readonly HtmlCell[])[]; readonly headRows: number};
/** What HTML says without its looks: paragraphs and tables, in their order. Not made safe for the screen. */
export type HtmlPart = {readonly kind: 'text'; readonly text: string} | HtmlTable;

const ENTITIES: Readonly<Record<string, string>> = {
	amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', times: '×', middot: '·', deg: '°', plusmn: '±',
	le: '≤', ge: '≥', ne: '≠', rarr: '→', larr: '←', uarr: '↑', darr: '↓', alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', mu: 'μ', sigma: 'σ', pi: 'π', copy: '©', euro: '€',
};
const BLOCKS = new Set(['p', 'div', 'br', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'section', 'article', 'details', 'summary', 'hr', 'dl', 'dt', 'dd', 'blockquote']);
/** Their content is not text. */
const SILENT = new Set(['style', 'script', 'head', 'template', 'svg']);
const MOST_SPAN = 100;
const MOST_CELLS = 100_000;

const decoded = (text: string): string => text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,10}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
	if (name !== undefined) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? whole;
	const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
	return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : whole;
});

const TAG = /<(\/?)([a-z][a-z\d]*)/iy;

const spanOf = (attributes: string): number => {
	const [, span = '1'] = /\bcolspan\s*=\s*["']?(\d{1,4})/i.exec(attributes) ?? [];
	return Math.max(1, Math.min(MOST_SPAN, Number(span)));
};

class Reader {
	readonly #parts: HtmlPart[] = [];
	#text = '';
	#rows: HtmlCell[][] | null = null;
	#headRows = 0;
	#isInHead = false;
	#cell: {text: string; readonly isHead: boolean; readonly span: number} | null = null;
	#cells = 0;

	add(text: string): void {
		if (this.#cell !== null) this.#cell.text += text;
		// Between the rows of a table stands nothing but layout.
		else if (this.#rows === null) this.#text += text.replaceAll(/\s+/g, ' ');
	}

	open(name: string, attributes: string): void {
		if (name === 'table') {
			this.#endTable();
			this.#endText();
			this.#rows = [];
			this.#headRows = 0;
		} else if (this.#rows === null) {
			if (BLOCKS.has(name)) this.#text += name === 'li' ? '\n- ' : '\n';
		} else if (name === 'thead') this.#isInHead = true;
		else if (name === 'tbody' || name === 'tfoot') this.#isInHead = false;
		else if (name === 'tr') {
			this.#endCell();
			this.#rows.push([]);
		} else if (name === 'td' || name === 'th') {
			this.#endCell();
			this.#cell = {text: '', isHead: name === 'th', span: spanOf(attributes)};
		} else if (BLOCKS.has(name)) this.add(' ');
	}

	close(name: string): void {
		if (name === 'table') this.#endTable();
		else if (name === 'tr' || name === 'td' || name === 'th') this.#endCell();
		else if (name === 'thead') {
			this.#endCell();
			this.#isInHead = false;
		} else if (this.#rows === null && BLOCKS.has(name)) this.#text += '\n';
	}

	end(): readonly HtmlPart[] {
		this.#endTable();
		this.#endText();
		return this.#parts;
	}

	#endCell(): void {
		const cell = this.#cell;
		this.#cell = null;
		if (cell === null || this.#rows === null) return;
		if (this.#rows.length === 0) this.#rows.push([]);
		if (this.#isInHead) this.#headRows = Math.max(this.#headRows, this.#rows.length);
		const row = this.#rows.at(-1) ?? [];
		for (let at = 0; at < cell.span && this.#cells < MOST_CELLS; at++, this.#cells++) row.push({text: at === 0 ? decoded(cell.text).replaceAll(/\s+/g, ' ').trim() : '', isHead: cell.isHead});
	}

	#endTable(): void {
		this.#endCell();
		const rows = this.#rows?.filter(row => row.length > 0) ?? [];
		this.#rows = null;
		this.#isInHead = false;
		if (rows.length > 0) this.#parts.push({kind: 'table', rows, headRows: Math.min(this.#headRows, rows.length)});
	}

	#endText(): void {
		const text = decoded(this.#text).replaceAll(/[ \t]*\n[ \t]*/g, '\n').replaceAll(/\n{3,}/g, '\n\n').trim();
		this.#text = '';
		if (text !== '') this.#parts.push({kind: 'text', text});
	}
}

/** Reads HTML as a reader without a browser does. Linear in its length; never throws; looks at the first 1 MB. */
export const readHtml = (source: string): readonly HtmlPart[] => {
	const html = capped(source);
	// Of ASCII only: some letters have lower-case forms of another length.
	const lower = html.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
	const reader = new Reader();
	const behind = (mark: string, from: number): number => {
		const found = lower.indexOf(mark, from);
		return found === -1 ? html.length : found + mark.length;
	};
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
			if (slash !== '') reader.close(tag);
			else if (SILENT.has(tag)) at = behind('>', behind(`</${tag}`, at));
			else reader.open(tag, html.slice(start, at));
		}
		from = at;
	}
	reader.add(html.slice(from));
	return reader.end();
};
