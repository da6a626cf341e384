// Mentions in a question, which start with @: files of the server and, in the screens, cells and
// errors of the REPL.
import {explainFailure, type Reply} from '../api/failure.ts';
import type {FileEntry} from '../contract/files.ts';
import {blockLanguage} from '../text/python/code-language.ts';
import {withoutEnd} from '../text/ends.ts';
import {packedText, type ServerContext} from './server-context.ts';

/** Lines are 1-based and inclusive. `number`: the cell's execution count. */
export type Attachment =
	| {readonly kind: 'file'; readonly path: string; readonly from?: number; readonly to?: number}
	| {readonly kind: 'cell'; readonly number: number}
	/** The selected cell of the open notebook. */
	| {readonly kind: 'selected'}
	/** The cell that raised the newest error. */
	| {readonly kind: 'error'};

/** An attachment as it is sent in the message. */
export type Packed = ServerContext;

/**
 * Largest attachment in bytes. A larger whole file is probably a mistake, and the user is asked to
 * name some of its lines.
 */
const LARGEST = 512 * 1024;

const linesPart = ({from, to}: {readonly from?: number; readonly to?: number}): string =>
	from === undefined ? '' : to === undefined || to === from ? `#L${from}` : `#L${from}-${to}`;

/** True for a path that can be mentioned without quotes. */
const isPlainPath = (path: string): boolean =>
	/^[^\s"@#]+$/.test(path) && /[./]/.test(path) && !/[.,;:!?)]$/.test(path);

/** Formats a mention: `@src/a.py#L1-20`, `@"two words.py"`, `@cell:7`, `@cell`, `@error`. */
export const mentionOf = (attachment: Attachment): string => {
	if (attachment.kind === 'error') return '@error';
	if (attachment.kind === 'selected') return '@cell';
	if (attachment.kind === 'cell') return `@cell:${attachment.number}`;
	const {path} = attachment;
	return `@${isPlainPath(path) ? path : `"${path}"`}${linesPart(attachment)}`;
};

const MENTION = /(?<![^\s(])@(?:"([^"\n]+)"|([^\s"@#]+))(?:#L(\d{1,7})(?:-L?(\d{1,7}))?)?/g;

export type Mention = {readonly attachment: Attachment; readonly from: number; readonly to: number};

/**
 * Mentions in a question. Without quotes, a word after `@` is a path only if it contains a dot or a
 * slash. Punctuation at the end of a sentence is not part of a path.
 */
export const mentionsIn = (question: string): readonly Mention[] => {
	const found: Mention[] = [];
	for (const match of question.matchAll(MENTION)) {
		const [whole, quoted, plain = '', first, last] = match;
		const bare = first === undefined && quoted === undefined ? withoutEnd(plain, '.,;:!?)') : plain;
		const to = match.index + whole.length - (plain.length - bare.length);
		const cell = /^cell:(\d+)$/.exec(bare)?.[1];
		if (bare === 'error') found.push({attachment: {kind: 'error'}, from: match.index, to});
		else if (bare === 'cell') found.push({attachment: {kind: 'selected'}, from: match.index, to});
		else if (cell !== undefined)
			found.push({attachment: {kind: 'cell', number: Number(cell)}, from: match.index, to});
		else if (quoted !== undefined || first !== undefined || /[./]/.test(bare)) {
			const lines =
				first === undefined ? {} : {from: Number(first), ...(last !== undefined && {to: Number(last)})};
			found.push({attachment: {kind: 'file', path: quoted ?? bare, ...lines}, from: match.index, to});
		}
	}
	return found;
};

export type Packing = {readonly packed: Packed} | {readonly problem: string};

export const withinLimit = (packed: Packed, hint: string): Packing => {
	const size = Buffer.byteLength(packed.text);
	return size > LARGEST
		? {
				problem: `${packed.mention} has ${Math.round(size / 1000)} kB, more than a question can include${hint}`,
			}
		: {packed};
};

/** Text of a file, or of the requested lines. A problem if the file cannot be attached. */
export const packFile = (
	attachment: Extract<Attachment, {kind: 'file'}>,
	reply: Reply<FileEntry>,
): Packing => {
	const mention = mentionOf(attachment);
	if (!reply.ok) return {problem: `${mention}: ${explainFailure(reply.failure).what}`};
	const {content, format, type} = reply.value;
	if (type === 'directory') return {problem: `${mention} is a folder: name a file in it`};
	if (typeof content !== 'string' || format === 'base64') return {problem: `${mention} is not text`};
	const language = blockLanguage(attachment.path) ?? '';
	const {from, to = from} = attachment;
	if (from === undefined || to === undefined)
		return withinLimit(
			{mention, head: `The file ${attachment.path}:`, language, text: content},
			`: name some lines, as in @${attachment.path}#L1-200`,
		);
	const lines = content.split('\n');
	if (lines.at(-1) === '') lines.pop();
	if (from < 1 || to < from || from > lines.length)
		return {problem: `${mention}: the file has ${lines.length} lines`};
	const last = Math.min(to, lines.length);
	const which = last === from ? `Line ${from}` : `Lines ${from} to ${last}`;
	return withinLimit(
		{
			mention,
			head: `${which} of the file ${attachment.path}:`,
			language,
			text: `${lines.slice(from - 1, last).join('\n')}\n`,
		},
		'',
	);
};

/** Message for the service: the question, followed by each attachment as a fenced block. */
export const messageText = (question: string, carried: readonly Packed[]): string =>
	[question, ...carried.map(packedText)].join('\n\n');
