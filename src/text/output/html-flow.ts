// Converts the running text of HTML to plain lines: paragraphs, lists and preformatted text.
import {decodeEntities} from './entities.ts';

type List = {readonly isOrdered: boolean; next: number};

const DEEPEST_INDENT = 40;

export class HtmlFlow {
	readonly #lines: string[] = [];
	#line = '';
	/** True if the line contains more than indentation and a list mark. */
	#hasText = false;
	/** Stored separately, because reading the end of a long concatenated line takes linear time. */
	#endsInSpace = false;
	/** True if the line starts with a list mark and has no text yet. */
	#hasMark = false;
	#pre = 0;
	/** True directly after `<pre>`, where HTML ignores a line break. */
	#isPreStart = false;
	#isGapDue = false;
	readonly #lists: List[] = [];
	/** Line prefixes of open quotes and items, innermost last. Each includes the outer prefixes. */
	readonly #margins: string[] = [];

	get isInPre(): boolean {
		return this.#pre > 0;
	}

	add(source: string): void {
		if (this.#pre > 0) return this.#addLaidOut(source);
		const spaced = source.replaceAll(/\s+/g, ' ');
		const isStart = !this.#hasText || this.#endsInSpace;
		const text = decodeEntities(isStart && spaced.startsWith(' ') ? spaced.slice(1) : spaced);
		if (text === '') return;
		this.#write(text);
	}

	/**
	 * Adds preformatted text. Decodes entities in each piece, since an entity cannot contain tags.
	 */
	#addLaidOut(source: string): void {
		const text = decodeEntities(source.replaceAll(/\r\n?/g, '\n'));
		const lines = (this.#isPreStart && text.startsWith('\n') ? text.slice(1) : text).split('\n');
		if (text !== '') this.#isPreStart = false;
		for (const [index, line] of lines.entries()) {
			if (index > 0) this.#endLine();
			if (line !== '') this.#write(line);
		}
	}

	#write(text: string): void {
		if (!this.#hasText) {
			if (this.#isGapDue && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
			this.#isGapDue = false;
			if (!this.#hasMark) this.#line = this.#margins.at(-1) ?? '';
		}
		this.#line += text;
		this.#endsInSpace = text.endsWith(' ');
		this.#hasText = true;
	}

	/** Ends the line even if it is empty. */
	#endLine(): void {
		this.#lines.push(this.#hasText || this.#hasMark ? this.#line.trimEnd() : '');
		this.#line = '';
		this.#hasText = false;
		this.#hasMark = false;
	}

	/** Ends the line as `<br>` does. Two calls in a row produce an empty line. */
	breakLine(): void {
		this.#endLine();
	}

	/**
	 * Starts a new line if the current one has text. `hasGap`: adds an empty line before the new
	 * one.
	 */
	boundary(hasGap: boolean): void {
		if (this.#hasText) this.#endLine();
		// The first paragraph of an item stays on the line of the item's mark.
		if (hasGap && !this.#hasMark) this.#isGapDue = true;
	}

	openPre(): void {
		this.boundary(true);
		this.#pre++;
		this.#isPreStart = true;
	}

	closePre(): void {
		if (this.#pre === 0) return;
		this.#pre--;
		this.boundary(true);
	}

	#margin(text: string): void {
		const before = this.#margins.at(-1) ?? '';
		this.#margins.push(before.length > DEEPEST_INDENT ? before : before + text);
	}

	openQuote(): void {
		this.boundary(true);
		this.#margin('> ');
	}

	closeQuote(): void {
		this.boundary(true);
		this.#margins.pop();
	}

	openList(isOrdered: boolean, start: number): void {
		this.boundary(this.#lists.length === 0);
		this.#lists.push({isOrdered, next: start});
		this.#margin('');
	}

	closeList(): void {
		this.boundary(false);
		if (this.#lists.pop() !== undefined) this.#margins.pop();
		if (this.#lists.length === 0) this.boundary(true);
	}

	openItem(): void {
		this.boundary(false);
		this.#hasMark = false;
		const list = this.#lists.at(-1);
		const mark = list?.isOrdered ? `${list.next++}. ` : '- ';
		// The margin is as wide as this item's mark, and replaces the margin of the previous item.
		if (list !== undefined) this.#margins.pop();
		const before = this.#margins.at(-1) ?? '';
		if (list !== undefined) this.#margin(' '.repeat(mark.length));
		if (this.#isGapDue && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
		this.#isGapDue = false;
		this.#line = before + mark;
		this.#hasMark = true;
	}

	/** Returns the text so far without empty lines around it, and resets the state. */
	take(): string {
		if (this.#hasText) this.#endLine();
		const lines = this.#lines.splice(0);
		this.#line = '';
		this.#hasMark = false;
		this.#isGapDue = false;
		while (lines[0]?.trim() === '') lines.shift();
		while (lines.at(-1)?.trim() === '') lines.pop();
		return lines.join('\n');
	}
}
