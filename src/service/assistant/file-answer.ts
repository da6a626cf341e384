import {fileEntry, type FileEntry} from '../../contract/files.ts';
import type {About} from './about.ts';
import {endsFence, fenceIn, type Fence} from '../../text/markdown/fence.ts';
import {headingIn} from '../../text/markdown/heading.ts';
import {blockLanguage} from '../../text/python/code-language.ts';
import {describeCsv} from './csv-answer.ts';
import {bytes, code, count, cut, fence, linesOf, numbered, paragraphs} from './markdown.ts';
import {describeNotebook} from './notebook.ts';
import {describePython} from './python-file.ts';
import {linesNamed} from './question.ts';

const FIRST_LINES = 12;
const MAX_LINES = 60;
const MAX_ENTRIES = 40;
const MAX_HEADINGS = 40;
// Maximum number of UTF-16 units that are parsed, because parsing blocks the whole service.
const MAX_CHARS = 4 * 2 ** 20;

export const entryLine = (entry: FileEntry, name = entry.name): string =>
	entry.type === 'directory'
		? `- ${code(`${name}/`)}`
		: `- ${code(name)}${typeof entry.size === 'number' ? `, ${bytes(entry.size)}` : ''}`;

const endingOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const describeFolder = (entry: FileEntry): string => {
	const entries = fileEntry.array().parse(entry.content);
	const what = entry.path === '' ? 'The root folder' : `The folder ${code(entry.path)}`;
	if (entries.length === 0) return `${what} is empty.`;
	return paragraphs(
		`${what} holds ${count(entries.length, 'entry').replace('entrys', 'entries')}:`,
		entries
			.slice(0, MAX_ENTRIES)
			.map(inner => entryLine(inner))
			.join('\n'),
		entries.length > MAX_ENTRIES && `… and ${entries.length - MAX_ENTRIES} more.`,
	);
};

const describeMarkdown = (path: string, text: string, size: number): string => {
	const lines = linesOf(text);
	let open: Fence | null = null;
	const headings = lines.flatMap((line, at) => {
		const isCode = open !== null;
		if (open === null) open = fenceIn(line);
		else if (endsFence(line, open)) open = null;
		const {depth, text: title} = (isCode ? null : headingIn(line)) ?? {depth: 1, text: ''};
		return title === '' ? [] : [`${'  '.repeat(depth - 1)}- line ${at + 1}: ${title}`];
	});
	if (headings.length === 0) return describeText(path, text, size);
	return paragraphs(
		`${code(path)} is a text of ${count(lines.length, 'line')} (${bytes(size)}). Its headings:`,
		headings.slice(0, MAX_HEADINGS).join('\n'),
		headings.length > MAX_HEADINGS && `… and ${headings.length - MAX_HEADINGS} more.`,
	);
};

const describeText = (path: string, text: string, size: number): string => {
	const lines = linesOf(text.slice(0, MAX_CHARS));
	if (lines.length === 0) return `${code(path)} is empty.`;
	return paragraphs(
		`${code(path)} is a text file of ${text.length > MAX_CHARS ? 'more than ' : ''}${count(lines.length, 'line')} (${bytes(size)}).${lines.length > FIRST_LINES ? ` Its first ${FIRST_LINES} lines:` : ''}`,
		fence(
			lines
				.slice(0, FIRST_LINES)
				.map(line => cut(line, 160))
				.join('\n'),
			blockLanguage(path) ?? 'text',
		),
	);
};

const describeLines = (path: string, text: string, [from, to]: readonly [number, number]): string => {
	const lines = linesOf(text);
	if (from < 1 || from > lines.length)
		return `${code(path)} has ${count(lines.length, 'line')}, so there is no line ${from}.`;
	const end = Math.min(to === from ? from + 4 : to, lines.length, from + MAX_LINES - 1);
	const start = to === from ? Math.max(1, from - 4) : from;
	return paragraphs(
		`Lines ${start} to ${end} of ${code(path)}, which has ${count(lines.length, 'line')}:`,
		fence(numbered(lines, start, end, to === from ? from : undefined), blockLanguage(path) ?? 'text'),
	);
};

/**
 * Describes a file or folder on the server according to its kind.
 * @throws {FileFault} if it cannot be read.
 */
export const describeEntry = async (
	path: string,
	{files, lookup}: Pick<About, 'files' | 'lookup'>,
	prose: string,
): Promise<string> => {
	const entry = await files.get(path);
	if (entry.type === 'directory') return describeFolder(entry);
	const size = entry.size ?? 0;
	if (entry.format !== 'text' || typeof entry.content !== 'string') {
		return `${code(path)} is not text: ${entry.mimetype ?? 'bytes of an unknown kind'}, ${bytes(size)}. I can read text files only.`;
	}
	const text = entry.content;
	const lines = linesNamed(prose);
	if (lines !== null) return describeLines(path, text, lines);
	const ending = endingOf(path);
	if (text.length > MAX_CHARS && ending !== 'csv' && ending !== 'tsv') return describeText(path, text, size);
	switch (ending) {
		case 'py':
			return describePython(code(path), text, size, lookup, prose);
		case 'csv':
		case 'tsv':
			return describeCsv(path, text, size);
		case 'md':
		case 'markdown':
			return describeMarkdown(path, text, size);
		case 'ipynb':
			return (
				describeNotebook(path, text, size) ??
				paragraphs(`${code(path)} is named like a notebook but holds none.`, describeText(path, text, size))
			);
		default:
			return describeText(path, text, size);
	}
};
