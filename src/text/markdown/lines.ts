// Splits Markdown into lines while it arrives, and classifies single lines.
import type {Align} from './block.ts';

/**
 * Lines of a text that grows at its end. The last line is complete only if the text ends with a
 * newline. `edge` becomes true when a line that may still change is read.
 */
export class Lines {
	readonly all: readonly string[];
	readonly complete: number;
	edge = false;

	constructor(text: string, given?: {readonly all: readonly string[]; readonly complete: number}) {
		const all = text.split('\n');
		if (all.at(-1) === '') all.pop();
		this.all = given?.all ?? all;
		this.complete = given?.complete ?? (text.endsWith('\n') ? all.length : all.length - 1);
	}

	/** Lines from `index` on. The first is replaced by `rest`, its unread part. */
	from(index: number, rest: string): Lines {
		return new Lines('', {
			all: [rest, ...this.all.slice(index + 1)],
			complete: Math.max(0, this.complete - index),
		});
	}

	at(index: number): string | undefined {
		if (index >= this.complete) this.edge = true;
		return this.all[index];
	}
}

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

/** Number of leading columns. A tab advances to the next multiple of four. */
export const indentOf = (line: string): number => {
	let column = 0;
	for (const character of line) {
		if (character === ' ') column++;
		else if (character === '\t') column += 4 - (column % 4);
		else break;
	}
	return column;
};

export const dedent = (line: string, columns: number): string => {
	let column = 0;
	let at = 0;
	while (at < line.length && column < columns) {
		if (line[at] === ' ') column++;
		else if (line[at] === '\t') column += 4 - (column % 4);
		else break;
		at++;
	}
	return ' '.repeat(Math.max(0, column - columns)) + line.slice(at);
};

/** Cells of a table row. Splits at each `|` that is neither escaped nor in code. */
export const cellsOf = (line: string): readonly string[] => {
	const cells: string[] = [];
	let cell = '';
	let code = '';
	for (const [part] of line.trim().matchAll(/\\\||`+|[|]|[^\\|`]+|\\/g)) {
		if (part.startsWith('`')) code = code === '' ? part : code === part ? '' : code;
		if (part === '|' && code === '') {
			cells.push(cell.trim());
			cell = '';
		} else {
			cell += part === '\\|' ? '|' : part;
		}
	}
	cells.push(cell.trim());
	if (cells[0] === '' && line.trim().startsWith('|')) cells.shift();
	if (cells.at(-1) === '' && cells.length > 1) cells.pop();
	return cells;
};

export const alignsOf = (line: string): readonly Align[] =>
	cellsOf(line).map(cell => (cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : 'left'));
