import type {MarkdownOptions} from './inline.ts';
import {codeLine, countOn, putCodeTop, renderBlock, type Counting, type Sink, type Widths} from './layout.ts';
import {endsFence, fenceIn, LONGEST, mayEndFence, type Fence} from './fence.ts';
import {dedent, isBlank, Lines} from './lines.ts';
import type {TableHead} from './block.ts';
import {scanBlock} from './scan.ts';

export {codeCells, codeParts, codeText, codeTop, type CodeBlock} from './layout.ts';
export type {MarkdownOptions, MarkdownStyle} from './inline.ts';
export {markdownWithFormulas} from './formulas.ts';
export {resolvedMarkdown} from './resolved.ts';

/** `row`: index of its head. `from`: offset of its first line of code. */
type OpenFence = {readonly fence: Fence; readonly row: number; readonly from: number};

/**
 * Layout of the text up to offset `at`, which text that arrives later cannot change. Later layouts
 * append rows to the same arrays, so an array longer than `rowCount` or `codeCount` has grown
 * since.
 */
type Closed = Sink & {
	readonly at: number;
	readonly rowCount: number;
	readonly codeCount: number;
	/** True if an empty row precedes the next block. */
	readonly gap: boolean;
	readonly continued: boolean;
	readonly counting: Counting;
	readonly above: TableHead | undefined;
	readonly fence: OpenFence | null;
};

export type Markdown = Sink & {
	readonly text: string;
	readonly width: number;
	readonly look: MarkdownOptions;
	readonly closed: Closed;
};

/** Maximum nesting depth. Deeper quotes and lists are shown as plain text. */
const DEEPEST = 12;

const NOTHING = (): Closed => ({
	rows: [],
	codes: [],
	at: 0,
	rowCount: 0,
	codeCount: 0,
	gap: false,
	continued: false,
	counting: null,
	above: undefined,
	fence: null,
});

/** Converts line ends to LF. Drops a final CR, because the LF of a CRLF may still arrive. */
const withLineFeeds = (text: string): string =>
	text.includes('\r') ? text.replace(/\r$/, '').replaceAll(/\r\n?/g, '\n') : text;

/** Converts an offset in the normalised text to an offset in the original text. */
const offsetAsItCame = (text: string, offset: number): number => {
	if (!text.includes('\r')) return offset;
	let left = offset;
	let at = 0;
	for (; left > 0; left--) at += text.startsWith('\r\n', at) ? 2 : 1;
	return at;
};

/**
 * Returns a copy of the text that shares no memory. In V8 a substring keeps its whole source string
 * alive, so the rows of a growing answer would retain all earlier states of the answer.
 */
const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

type Work = {-readonly [K in keyof Closed]: Closed[K]};

/** `depth`: number of enclosing quotes and items. */
type Page = Widths & {readonly look: MarkdownOptions; readonly depth: number};

/** Lays out Markdown in steps. The result of a step is final while `isClosed` is true. */
class Layout {
	readonly #source: string;
	readonly #normal: string;
	readonly #page: Page;
	#work: Work;
	#closed: Closed;
	#isClosed = true;

	constructor(source: string, normal: string, page: Page, closed: Closed) {
		this.#source = source;
		this.#normal = normal;
		this.#page = page;
		this.#closed = closed;
		this.#work = {...closed};
	}

	run(): Markdown {
		let lines = new Lines(detached(this.#normal.slice(this.#work.at)));
		let index = 0;
		while (index < lines.all.length) {
			if (this.#work.fence !== null) {
				index = this.#codeLine(lines, index, this.#work.fence);
				continue;
			}
			const line = lines.all[index] ?? '';
			if (!this.#work.continued && isBlank(line)) {
				this.#step(index < lines.complete, {
					at: this.#work.at + line.length + 1,
					gap: this.#work.rows.length > 0,
					above: undefined,
				});
				index++;
				continue;
			}
			const fence = this.#work.continued || line.length > LONGEST ? null : fenceIn(line);
			if (fence !== null) {
				this.#open(fence, line, index < lines.complete);
				index++;
				continue;
			}
			const {continued, above} = this.#work;
			const {block, end, closed, rest, below} = scanBlock(lines, index, continued, above);
			const {number, counting} = countOn(this.#work.counting, block);
			const used =
				rest === null
					? lines.all.slice(index, end).reduce((sum, each) => sum + each.length + 1, 0)
					: (lines.all[index] ?? '').length - rest.length;
			this.#step(
				closed,
				{
					at: this.#work.at + used,
					gap: block.type === 'code',
					continued: rest !== null,
					counting,
					above: below,
				},
				sink => {
					if (this.#work.gap && block.type !== 'code') sink.rows.push('');
					renderBlock(block, number, this.#page, this.#page.look, sink, this.#inner());
				},
			);
			if (rest !== null) lines = lines.from(end, rest);
			index = rest === null ? end : 0;
		}
		const {width, look} = this.#page;
		return {text: this.#normal, width, look, ...this.#end(), closed: this.#closed};
	}

	/** Renders the lines of a quote or item. Null if it is nested too deeply. */
	#inner(): ((lines: readonly string[], widths: Widths) => Sink) | null {
		const {look, depth} = this.#page;
		if (depth === DEEPEST) return null;
		return (lines, widths) => {
			const text = `${lines.join('\n')}\n`;
			return new Layout(text, text, {...widths, look, depth: depth + 1}, NOTHING()).run();
		};
	}

	/**
	 * Applies a step. From the first step that is not final, all steps work on copies of the rows.
	 */
	#step(isFinal: boolean, next: Partial<Work>, write?: (sink: Sink) => void): void {
		if (!isFinal) this.#leaveClosed();
		write?.(this.#work);
		this.#work = {
			...this.#work,
			...next,
			rowCount: this.#work.rows.length,
			codeCount: this.#work.codes.length,
		};
		if (this.#isClosed) this.#closed = this.#work;
	}

	#leaveClosed(): void {
		if (!this.#isClosed) return;
		this.#isClosed = false;
		this.#work = {...this.#work, rows: [...this.#work.rows], codes: [...this.#work.codes]};
	}

	#open(fence: Fence, line: string, isComplete: boolean): void {
		const {rows} = this.#work;
		const at = this.#work.at + line.length + 1;
		this.#step(
			isComplete,
			{
				at,
				gap: false,
				counting: null,
				above: undefined,
				fence: {fence, from: at, row: rows.length + (rows.length > 0 ? 1 : 0)},
			},
			sink => putCodeTop(fence.language, this.#page.width, this.#page.look, sink),
		);
	}

	#codeLine(lines: Lines, index: number, open: OpenFence): number {
		const line = lines.all[index] ?? '';
		const isComplete = index < lines.complete;
		const at = this.#work.at + line.length + 1;
		if (endsFence(line, open.fence)) {
			this.#step(isComplete, {at, fence: null, gap: true}, sink => this.#close(sink, open, this.#work.at));
			return index + 1;
		}
		// An incomplete end of the fence is hidden: the code would grow by a row and shrink again.
		if (!isComplete && mayEndFence(line, open.fence)) {
			this.#step(false, {at});
			return index + 1;
		}
		this.#step(isComplete, {at}, sink => {
			for (const row of codeLine(dedent(line, open.fence.indent), this.#page.width, this.#page.look))
				sink.rows.push(row);
		});
		return index + 1;
	}

	#close(sink: Sink, {fence, row, from}: OpenFence, to: number): void {
		const [start, end] = [from, Math.max(from, to)].map(offset => offsetAsItCame(this.#source, offset));
		const code = detached(this.#source.slice(start, end))
			.split('\n')
			.map(line => dedent(line, fence.indent))
			.join('\n');
		sink.codes.push({
			row,
			rows: sink.rows.length - row,
			language: fence.language,
			width: this.#page.width,
			before: '',
			code,
		});
	}

	/** Rows to show, and the code blocks, also an open one. */
	#end(): Sink {
		const {fence} = this.#work;
		const shown: Sink = {rows: [...this.#work.rows], codes: [...this.#work.codes]};
		if (fence !== null) this.#close(shown, fence, this.#normal.length);
		return shown;
	}
}

/**
 * Renders Markdown as rows of at most `width` cells that are safe for the screen, and its code
 * blocks. The result is the same for text that arrives at once or in parts. `previous`: layout of a
 * shorter, earlier text. Only its unfinished part is rendered again.
 */
export const renderMarkdown = (
	text: string,
	width: number,
	look: MarkdownOptions,
	previous?: Markdown,
): Markdown => {
	const normal = withLineFeeds(text);
	const isGrown =
		previous !== undefined &&
		previous.width === width &&
		previous.look === look &&
		previous.closed.rows.length === previous.closed.rowCount &&
		previous.closed.codes.length === previous.closed.codeCount &&
		normal.startsWith(previous.text);
	return new Layout(
		text,
		normal,
		{width, prose: Math.min(width, look.measure), look, depth: 0},
		isGrown ? previous.closed : NOTHING(),
	).run();
};
