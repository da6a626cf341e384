// Resolves the reference links and footnotes of a document, removes comments, and unfolds
// `<details>`.
import {endsFence, fenceIn, LONGEST, type Fence} from './fence.ts';
import {indentOf, isBlank} from './lines.ts';

const DEFINITION =
	/^ {0,3}\[((?:[^[\]\\^]|\\.)(?:[^[\]\\]|\\.)*)\]:[ \t]*(?:<([^<>]*)>|([^\s<]\S*))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;
/** Definition whose address is on the next line; `TITLE` matches a title on a line of its own. */
const LABEL = /^ {0,3}\[(?!\^)(?:[^[\]\\]|\\.)+\]:[ \t]*$/;
const TITLE = /^[ \t]*(?:"[^"]*"|'[^']*'|\([^()]*\))[ \t]*$/;
const FOOTNOTE = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*(.*)$/;
/** A link's text may contain pictures, so pictures are resolved before links. */
const PICTURE = /(?<!\\)(!)\[((?:[^[\]\\]|\\.)*)\](?:\[((?:[^[\]\\]|\\.)*)\])?(?![([])/g;
const LINK =
	/(?<!(?<!\\)!|\\)()\[((?:[^[\]\\]|\\.|!\[[^[\]]*\]\([^()]*\))*)\](?:\[((?:[^[\]\\]|\\.)*)\])?(?![([:])/g;
const NOTE_MARK = /(?<!\\)\[\^([^\]\s]+)\](?!:)/g;

const labelOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Applies `change` to all parts of a line outside its code spans. */
export const outsideCode = (line: string, change: (text: string) => string): string => {
	if (line.length > LONGEST) return line;
	if (!line.includes('`')) return change(line);
	const runs = [...line.matchAll(/`+/g)];
	let made = '';
	let from = 0;
	for (let at = 0; at < runs.length; at++) {
		const open = runs[at];
		const end = runs.findIndex((run, index) => index > at && run[0].length === open?.[0].length);
		if (open === undefined || end === -1) continue;
		const close = runs[end];
		const to = (close?.index ?? 0) + (close?.[0].length ?? 0);
		made += change(line.slice(from, open.index)) + line.slice(open.index, to);
		from = to;
		at = end;
	}
	return made + change(line.slice(from));
};

/** Turns the title of each `<details>` element into a paragraph, and shows its content. */
const withoutFolds = (text: string): string =>
	text
		.replaceAll(/<summary\b[^<>]*>(.*?)<\/summary>/gi, (_, title: string) => {
			const words = title.replaceAll(/<\/?[a-z][^<>]*>/gi, '').trim();
			return words === '' ? '\n\n' : `\n\n**${words}**\n\n`;
		})
		.replaceAll(/<\/?(?:details|summary)\b[^<>]*>/gi, '\n');

type Notes = Map<string, {readonly lines: string[]; number: number | null}>;
type Scan = {
	readonly lines: (string | {readonly code: string})[];
	readonly links: Map<string, string>;
	readonly notes: Notes;
};

/** Lines of a document without comments and link definitions. Lines of code blocks are marked. */
const scanned = (source: string): Scan => {
	const links = new Map<string, string>();
	const notes: Notes = new Map();
	const lines: Scan['lines'] = [];
	let fence: Fence | null = null;
	let isComment = false;
	let note: string[] | null = null;
	let isAfterText = false;
	let isAfterDefinition = false;
	const uncommented = (line: string): string =>
		outsideCode(line, text => {
			let left = text;
			let made = '';
			for (;;) {
				const at = left.indexOf(isComment ? '-->' : '<!--');
				if (at === -1) return isComment ? made : made + left;
				if (!isComment) made += left.slice(0, at);
				left = left.slice(at + (isComment ? 3 : 4));
				isComment = !isComment;
			}
		});
	const own = source.split('\n');
	for (let at = 0; at < own.length; at++) {
		const line = own[at] ?? '';
		if (fence !== null) {
			lines.push({code: line});
			if (endsFence(line, fence)) fence = null;
			continue;
		}
		const wasComment = isComment;
		if (!wasComment) {
			fence = line.length > LONGEST ? null : fenceIn(line);
			const isIndented = indentOf(line) >= 4 && !isBlank(line);
			if (fence === null && note !== null && (isIndented || isBlank(line))) {
				note.push(line.trim());
				continue;
			}
			note = null;
			if (fence !== null || (isIndented && !isAfterText)) {
				lines.push({code: line});
				continue;
			}
		}
		let text = uncommented(line);
		// Drops a line that contained only a comment.
		if (isBlank(text) && (wasComment || text !== line)) continue;
		if (isAfterDefinition && text.length <= LONGEST && TITLE.test(text)) {
			isAfterDefinition = false;
			continue;
		}
		isAfterDefinition = false;
		const next = own[at + 1] ?? '';
		if (!isAfterText && text.length + next.length < LONGEST && LABEL.test(text)) {
			const joined = `${text.trimEnd()} ${next.trim()}`;
			if (DEFINITION.test(joined)) {
				text = joined;
				at++;
			}
		}
		const [, name, inAngles, bare] = text.length > LONGEST ? [] : (DEFINITION.exec(text) ?? []);
		const [, noteName, noteText = ''] = text.length > LONGEST ? [] : (FOOTNOTE.exec(text) ?? []);
		if (noteName !== undefined) {
			note = [noteText];
			if (!notes.has(labelOf(noteName))) notes.set(labelOf(noteName), {lines: note, number: null});
		} else if (name !== undefined && !isAfterText) {
			if (!links.has(labelOf(name))) links.set(labelOf(name), inAngles ?? bare ?? '');
			isAfterDefinition = !/["')][ \t]*$/.test(text);
			continue;
		} else lines.push(text);
		isAfterText = noteName === undefined && !isBlank(text);
	}
	return {lines, links, notes};
};

/**
 * Document in which reference links contain their addresses. Footnotes are numbered and placed at
 * the end, comments are removed, and folded parts are shown below their titles.
 */
export const resolvedMarkdown = (source: string): string => {
	if (!/\]:|\[\^|<!--|<\/?(?:details|summary)\b/i.test(source)) return source;
	const {lines, links, notes} = scanned(source.replaceAll(/\r\n?/g, '\n'));
	let count = 0;
	const link = (whole: string, mark: string, text: string, label: string | undefined): string => {
		const address = links.get(labelOf(label === undefined || label === '' ? text : label));
		return address === undefined ? whole : `${mark}[${text}](<${address}>)`;
	};
	const noteMark = (whole: string, name: string): string => {
		const note = notes.get(labelOf(name));
		if (note === undefined) return whole;
		note.number ??= ++count;
		return `\\[${note.number}\\]`;
	};
	const resolved = (line: string): string =>
		outsideCode(line, text =>
			withoutFolds(
				links.size === 0 ? text : text.replaceAll(PICTURE, link).replaceAll(LINK, link),
			).replaceAll(NOTE_MARK, noteMark),
		);
	const body = lines.map(line => (typeof line === 'string' ? resolved(line) : line.code));
	const numbered = [...notes.values()].map(note => {
		// A footnote without a reference also gets a number.
		note.number ??= ++count;
		return note;
	});
	if (numbered.length === 0) return body.join('\n');
	const end = numbered
		.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0))
		.map(({lines: own, number}) => `\\[${number}\\] ${own.map(resolved).join('\n').trim()}`);
	return `${body.join('\n').trimEnd()}\n\n---\n\n${end.join('\n\n')}\n`;
};
