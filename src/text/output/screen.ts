import {CellLine} from './line.ts';

/** Lines above the last one that the cursor still reaches, as in a terminal of this height. */
const REACHED = 60;

/** Output whose cursor goes up and down: the lines that it reaches, and the text of those above. */
export class OutputScreen {
	readonly #above: string[] = [];
	#lines: CellLine[] = [new CellLine()];
	#row = 0;

	/** The line that the cursor is in. */
	get line(): CellLine {
		const line = this.#lines[this.#row];
		if (line === undefined) throw new Error('the cursor is outside of its screen');
		return line;
	}

	newline(): void {
		this.#row++;
		if (this.#row === this.#lines.length) this.#lines.push(new CellLine());
		if (this.#lines.length > REACHED && this.#row > 0) {
			this.#above.push(this.#lines.shift()?.finish() ?? '');
			this.#row--;
		}
		this.line.toColumn(0);
	}

	/** To a line that is there: as in a terminal, the cursor stops at the first and the last. */
	move(lines: number, toStart: boolean): void {
		const {column} = this.line;
		this.#row = Math.max(0, Math.min(this.#row + lines, this.#lines.length - 1));
		this.line.toColumn(toStart ? 0 : column);
	}

	finish(): string {
		return [...this.#above, ...this.#lines.map(line => line.finish())].join('\n');
	}
}
