// Running text of HTML: paragraphs, lists and preformatted text, as plain lines.
import {decodeEntities} from './entities.ts';

type List = {readonly isOrdered: boolean; next: number};

const DEEPEST_INDENT = 40;

export class HtmlFlow {
	readonly #lines: string[] = [];
	#line = '';
	/** True if the line holds more than its indentation and list mark. */
	#hasText = false;
	/** Tracked separately: testing the line itself takes time in proportion to its length. */
	#endsInSpace = false;
	/** True if the line starts with a list mark that still has no text. */
	#hasMark = false;
	#pre = 0;
	/** True right after `<pre>`, where HTML ignores a line break. */
	#isPreStart = false;
	#isGapDue = false;
	readonly #lists: List[] = [];
	/** Line prefixes of open quotes and items, innermost last, outer ones included. */
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

	/** Decodes each piece alone: no entity spans the tags between pieces. */
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

	/** Ends the line as `<br>` does: two breaks leave an empty line. */
	breakLine(): void {
		this.#endLine();
	}

	/** Starts a new line unless this one has no text. `hasGap`: after an empty line. */
	boundary(hasGap: boolean): void {
		if (this.#hasText) this.#endLine();
		// The first paragraph of an item follows the item's mark directly.
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
		// The margin of an item is as wide as its mark, and replaces that of the item before.
		if (list !== undefined) this.#margins.pop();
		const before = this.#margins.at(-1) ?? '';
		if (list !== undefined) this.#margin(' '.repeat(mark.length));
		if (this.#isGapDue && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
		this.#isGapDue = false;
		this.#line = before + mark;
		this.#hasMark = true;
	}

	/** Returns the text so far, without empty lines around it, and starts afresh. */
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
