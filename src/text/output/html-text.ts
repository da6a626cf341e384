// Our own parser, for speed: htmlparser2 costs the first frame 20 ms, 6 MB and 52 KB, without
// tables.
import {capped} from '../width/cap.ts';
import {HtmlFlow} from './html-flow.ts';
import {isMedia, linkAddress, mediaText} from './html-media.ts';
import type {HtmlPart} from './html-parts.ts';
import {TableReader} from './html-table-reader.ts';

export type {HtmlCell, HtmlPart, HtmlTable} from './html-parts.ts';

/** Elements that start on a new line. Elements in `GAPS` also have empty lines around them. */
const BLOCKS = new Set(
	'div section article header footer main aside nav figure figcaption details summary address form fieldset dl dt dd center tr'.split(
		' ',
	),
);
const GAPS = new Set('p h1 h2 h3 h4 h5 h6'.split(' '));
/** Elements in which line ends are preserved. */
const LAID_OUT = new Set(['pre', 'textarea', 'listing']);
/** Elements whose content is not text. */
const SILENT = new Set(['style', 'script', 'head', 'template', 'svg']);
/** Maximum nesting depth of tables. A deeper table becomes text of its cell. */
const DEEPEST = 16;

const TAG = /<(\/?)([a-z][a-z\d:-]*)/iy;
const START = /(?<![\w-])start\s*=\s*["']?(-?\d{1,6})/i;

class Reader {
	readonly #parts: HtmlPart[] = [];
	readonly #flow = new HtmlFlow();
	/** Open tables, innermost last. */
	readonly #tables: TableReader[] = [];
	/** Number of open tables beyond the maximum depth. */
	#deeper = 0;

	get isInTable(): boolean {
		return this.#tables.length > 0;
	}

	add(text: string): void {
		const table = this.#tables.at(-1);
		if (table === undefined) this.#flow.add(text);
		else table.add(text);
	}

	open(name: string, attributes: string): void {
		if (name === 'table') return this.#openTable();
		const table = this.#tables.at(-1);
		if (table === undefined) this.#openInText(name, attributes);
		else if (name === 'thead') table.changeGroup(true);
		else if (name === 'tbody' || name === 'tfoot') table.changeGroup(false);
		else if (name === 'tr') table.openRow();
		else if (name === 'caption') table.openCaption();
		else if (name === 'td' || name === 'th') table.openCell(name === 'th', attributes);
		else if (separates(name)) table.add(' ');
	}

	#openInText(name: string, attributes: string): void {
		const flow = this.#flow;
		if (name === 'br') flow.breakLine();
		else if (name === 'hr') {
			flow.boundary(true);
			flow.add('---');
			flow.boundary(true);
		} else if (LAID_OUT.has(name)) flow.openPre();
		else if (name === 'blockquote') flow.openQuote();
		else if (name === 'ul' || name === 'ol' || name === 'menu')
			flow.openList(name === 'ol', Number(START.exec(attributes)?.[1] ?? 1));
		else if (name === 'li') flow.openItem();
		else if (BLOCKS.has(name) || GAPS.has(name)) flow.boundary(GAPS.has(name));
		else if (name === 'td' || name === 'th') flow.add(' ');
	}

	close(name: string): void {
		if (name === 'table') return this.#closeTable();
		const table = this.#tables.at(-1);
		if (table === undefined) this.#closeInText(name);
		else if (/^(?:tr|td|th|caption)$/.test(name)) table.endCell();
		else if (name === 'thead') table.changeGroup(false);
		else if (separates(name)) table.add(' ');
	}

	#closeInText(name: string): void {
		const flow = this.#flow;
		if (LAID_OUT.has(name)) flow.closePre();
		else if (name === 'blockquote') flow.closeQuote();
		else if (name === 'ul' || name === 'ol' || name === 'menu') flow.closeList();
		else if (name === 'li') flow.boundary(false);
		else if (BLOCKS.has(name) || GAPS.has(name)) flow.boundary(GAPS.has(name));
	}

	end(): readonly HtmlPart[] {
		while (this.#tables.length > 0) this.#endTable();
		this.#endText();
		return this.#parts;
	}

	#openTable(): void {
		if (this.#tables.length === DEEPEST) {
			this.#deeper++;
			return this.add(' ');
		}
		if (this.#tables.length === 0) this.#endText();
		this.#tables.push(new TableReader());
	}

	#closeTable(): void {
		if (this.#deeper > 0) this.#deeper--;
		else this.#endTable();
	}

	#endTable(): void {
		const parts = this.#tables.pop()?.end() ?? [];
		const around = this.#tables.at(-1);
		if (around !== undefined) {
			if (parts.length > 0) around.putInner(parts);
		} else for (const part of parts) this.#parts.push(part);
	}

	#endText(): void {
		const text = this.#flow.take();
		if (text !== '') this.#parts.push({kind: 'text', text});
	}
}

/** True for an element that separates words in a table cell, where all text is on one line. */
const separates = (name: string): boolean =>
	BLOCKS.has(name) || GAPS.has(name) || LAID_OUT.has(name) || /^(?:br|hr|li|ul|ol|blockquote)$/.test(name);

const QUOTED = /=\s*(["'])/g;

/**
 * Offset after the tag that starts at `from`. A `>` in quotes is part of the tag. Linear over a
 * whole page.
 */
const tagEnd = (html: string, from: number): number => {
	for (let at = from; ;) {
		const end = html.indexOf('>', at);
		if (end === -1) return html.length;
		QUOTED.lastIndex = 0;
		const quoted = QUOTED.exec(html.slice(at, end));
		if (quoted === null) return end + 1;
		const close = html.indexOf(quoted[1] ?? '', at + QUOTED.lastIndex);
		// An unclosed quote is not a quote.
		if (close === -1) return end + 1;
		at = close + 1;
	}
};

/**
 * Parses HTML into text and tables. Reads up to 1 MB. Linear; never throws. `media`: add
 * descriptions of media.
 */
export const readHtml = (
	source: string,
	{media = true}: {readonly media?: boolean} = {},
): readonly HtmlPart[] => {
	const html = capped(source);
	// Converts ASCII letters only, because other letters may change their length.
	const lower = html.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
	const reader = new Reader();
	const behind = (mark: string, from: number): number => {
		const found = lower.indexOf(mark, from);
		return found === -1 ? html.length : found + mark.length;
	};
	/** Elements that have no end tag after this position. */
	const unclosed = new Set<string>();
	let link: {readonly address: string; readonly from: number} | null = null;
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
		at = html.startsWith('<!--', at) ? behind('-->', at + 2) : isRemark ? behind('>', at) : tagEnd(html, at);
		if (from < start) reader.add(html.slice(from, start));
		if (name !== undefined) {
			const tag = name.toLowerCase();
			if (slash === '' && media && isMedia(tag)) {
				const end =
					tag === 'img' || tag === 'embed' || unclosed.has(tag) ? -1 : lower.indexOf(`</${tag}`, at);
				if (end === -1) unclosed.add(tag);
				reader.add(` ${mediaText(tag, html.slice(start, end === -1 ? at : end), !reader.isInTable)} `);
				at = end === -1 ? at : behind('>', end);
			} else if (tag === 'a' && media && !reader.isInTable) {
				if (slash === '') link = {address: linkAddress(html.slice(start, at)), from: at};
				else if (link !== null) {
					// Omits the address if the link's text already contains it.
					const isSaid = html.slice(link.from, start).includes(link.address);
					if (link.address !== '' && !isSaid) reader.add(` (${link.address})`);
					link = null;
				}
			} else if (slash !== '') reader.close(tag);
			else if (SILENT.has(tag)) at = behind('>', behind(`</${tag}`, at));
			else reader.open(tag, html.slice(start, at));
		}
		from = at;
	}
	reader.add(html.slice(from));
	return reader.end();
};
