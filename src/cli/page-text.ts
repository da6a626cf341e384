// Formats a page of src/docs for a terminal. Pages consist of paragraphs, lists, tables and fenced
// lines.
import {columnWidths} from '../text/columns/text-table.ts';
import {cellsOf} from '../text/markdown/lines.ts';
import {wrap, wrapLine} from '../text/width/wrap.ts';

/** Widest first column of a table, in cells, for which the second column is placed beside it. */
const BESIDE = 26;

/** Text without Markdown marks. A link to another page becomes the command that shows the page. */
const inline = (text: string): string =>
	text
		.split('`')
		.map((part, at) =>
			at % 2 === 1
				? part
				: part
						.replaceAll('**', '')
						.replaceAll('<br>', '\n')
						.replaceAll(/\(([\w-]+)\.md(?:#[\w-]+)?\)/g, '(\0$1)'),
		)
		.join('')
		.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, target: string) =>
			target.startsWith('\0') && !label.startsWith('svc-tui help')
				? `${label} (svc-tui help ${target.slice(1)})`
				: label,
		);

const hanging = (first: string, indent: number, text: string, width: number): readonly string[] =>
	wrap(text, width - indent).map((row, at) => (at === 0 ? first : ' '.repeat(indent)) + row);

/** Rows of a table with two columns. If the first column is wide, the second is placed below it. */
const table = (lines: readonly string[], width: number): readonly string[] => {
	// Skips the header and the separator line.
	const rows = lines.slice(2).map(line => cellsOf(line).map(inline));
	const [first = 0] = columnWidths(rows);
	const isBeside = first <= BESIDE;
	return rows.flatMap(([name = '', ...rest]) =>
		isBeside
			? hanging(name.padEnd(first + 2), first + 2, rest.join('  '), width)
			: [
					...name
						.split('\n')
						.flatMap((each, at) => wrapLine(at === 0 ? each : `  ${each}`, width, {hang: 4})),
					...hanging('    ', 4, rest.join('  '), width),
				],
	);
};

type Taken = {readonly rows: readonly string[]; readonly next: number};

const until = (lines: readonly string[], from: number, isEnd: (line: string) => boolean): number => {
	const at = lines.findIndex((line, index) => index >= from && isEnd(line));
	return at < 0 ? lines.length : at;
};

const BEGINS_BLOCK = /^(?:$|#|```|\||- |<!--|!\[)/;

/** Block that starts at this line. */
const take = (lines: readonly string[], from: number, width: number): Taken => {
	const line = lines[from] ?? '';
	if (line === '') return {rows: [''], next: from + 1};
	if (/^(?:<!--|!\[)/.test(line)) return {rows: [], next: from + 1};
	if (line.startsWith('#'))
		return {rows: [inline(line.replace(/^#+ /, '')).replace(/[^?]$/, '$&:')], next: from + 1};
	if (line.startsWith('```')) {
		const end = until(lines, from + 1, each => each === '```');
		return {rows: lines.slice(from + 1, end).map(each => `  ${each.replaceAll('\t', '  ')}`), next: end + 1};
	}
	if (line.startsWith('|')) {
		const next = until(lines, from, each => !each.startsWith('|'));
		return {rows: table(lines.slice(from, next), width), next};
	}
	const next = until(lines, from + 1, each => BEGINS_BLOCK.test(each));
	const text = inline(
		lines
			.slice(from, next)
			.map(each => each.trim())
			.join(' '),
	);
	return {rows: line.startsWith('- ') ? wrapLine(text, width, {hang: 2}) : wrapLine(text, width), next};
};

/** `width`: terminal cells. Fenced lines are not wrapped. */
export const pageText = (markdown: string, width: number): string => {
	const lines = markdown.trim().split('\n');
	const rows: string[] = [];
	for (let at = 0; at < lines.length;) {
		const taken = take(lines, at, width);
		for (const row of taken.rows) if (row !== '' || rows.at(-1) !== '') rows.push(row);
		at = taken.next;
	}
	return `${rows.join('\n').trimEnd()}\n`;
};
