// Builds the Markdown of answers. File content is not escaped, because the screen sanitises it.
import {markdownTable} from '../../text/columns/text-table.ts';
import {fenced} from '../../text/markdown/fence.ts';
import {withoutEnd} from '../../text/ends.ts';

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));

/** Code block with a text. Trailing empty lines of the text are removed. */
export const fence = (text: string, language = ''): string => fenced(withoutEnd(text, '\n'), language);

export const code = (text: string): string => {
	const marks = '`'.repeat(longestRun(text) + 1);
	const flat = text.replaceAll(/\s+/g, ' ');
	return flat.startsWith('`') || flat.endsWith('`') ? `${marks} ${flat} ${marks}` : `${marks}${flat}${marks}`;
};

export const cut = (text: string, length: number): string => {
	const chars = [...text.slice(0, length * 2 + 2)];
	return chars.length > length ? `${chars.slice(0, length - 1).join('')}…` : chars.join('');
};

const CELL = 24;

export const table = (rows: readonly (readonly string[])[]): string => {
	const [head = [], ...body] = rows.map(row =>
		row.map(cell => cut(cell.replaceAll(/\s+/g, ' ').trim(), CELL)),
	);
	return markdownTable(head, body);
};

export const count = (number: number, noun: string): string =>
	`${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

export const bytes = (size: number): string =>
	size < 1024
		? count(size, 'byte')
		: size < 2 ** 20
			? `${(size / 1024).toFixed(1)} KiB`
			: `${(size / 2 ** 20).toFixed(1)} MiB`;

/** Lines of a file. A final newline does not start another line. */
export const linesOf = (text: string): readonly string[] =>
	text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);

/**
 * Lines `from` to `to` with their numbers (from 1, inclusive). An arrow points to line `marked`.
 */
export const numbered = (lines: readonly string[], from: number, to: number, marked?: number): string => {
	const width = String(Math.min(to, lines.length)).length;
	const shown: string[] = [];
	for (let line = Math.max(1, from); line <= Math.min(to, lines.length); line++) {
		shown.push(
			`${line === marked ? '>' : ' '} ${String(line).padStart(width)}  ${cut(lines[line - 1] ?? '', 160)}`,
		);
	}
	return shown.join('\n');
};

export const paragraphs = (...parts: readonly (string | null | undefined | false)[]): string =>
	parts.filter(part => typeof part === 'string' && part !== '').join('\n\n');
