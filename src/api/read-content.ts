// Parses the response for a large file while it arrives. Otherwise its bytes, its text and the
// result of JSON.parse would each take as much memory as the file.
import {fieldsIn} from '../text/json-scan.ts';
import {createGcTrigger} from '../machine/gc.ts';
import {fieldsOf, jsonIn} from '../text/record.ts';
import {unfinishedCharacter} from '../text/utf8.ts';

/** UTF-16 units of content passed on before the rest has arrived. */
const BEGINNING = 1_200_000;

/**
 * UTF-16 units between garbage collections, and before the first. Without them, earlier files and
 * parsed pieces would fill the memory.
 */
const CLEARED = 32 << 20;
const CLEARED_FIRST = 4 << 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

const slashesBefore = (bytes: Buffer, at: number): number => {
	let from = at;
	while (bytes[from - 1] === BACKSLASH) from--;
	return at - from;
};

/** End of a string in whose middle the bytes start. -1 if it does not end in these bytes. */
const endOfString = (bytes: Buffer): number => {
	let at = bytes.indexOf(QUOTE);
	while (at !== -1 && slashesBefore(bytes, at) % 2 === 1) at = bytes.indexOf(QUOTE, at + 1);
	return at;
};

/** Number of bytes at the end that belong to an incomplete escape or character. */
const unfinished = (bytes: Buffer): number => {
	const slash = bytes.lastIndexOf(BACKSLASH);
	const left = bytes.length - slash;
	if (slash !== -1 && left < 6 && slashesBefore(bytes, slash) % 2 === 0) {
		if (left < (bytes[slash + 1] === LETTER_U ? 6 : 2)) return left;
	}
	return unfinishedCharacter(bytes);
};

/**
 * Start of the text in `{"content": {"content": "…`. Null if there is none, or if it ends within
 * these bytes.
 */
const contentIn = (head: Buffer): number | null => {
	const text = head.toString('latin1');
	const valueIn = (from: number): number =>
		fieldsIn(text, from).find(({name}) => name === 'content')?.value.from ?? -1;
	const entry = valueIn(0);
	const content = text[entry] === '{' ? valueIn(entry) : -1;
	return text[content] === '"' && endOfString(head.subarray(content + 1)) === -1 ? content + 1 : null;
};

/** Parser for the rest of a response whose first bytes were read before. */
export type ContentReader = {
	take(bytes: Buffer): void;
	/** The parsed response. Undefined if it is not JSON. */
	value(): unknown;
};

/**
 * Parser for the rest of a response with a file. Null if these first bytes do not reach into a long
 * content. `onBeginning`: receives the response with the start of the content, if the format `text`
 * precedes the content.
 */
export const readContent = (
	head: Buffer,
	onBeginning?: (answer: Readonly<Record<string, unknown>>) => void,
): ContentReader | null => {
	const from = contentIn(head);
	if (from === null) return null;
	const before = head.toString('utf8', 0, from);
	let pieces: string[] = [];
	let units = 0;
	let pending: Buffer | null = null;
	/** Bytes after the content, starting with its closing quote. */
	let after: Buffer[] | null = null;
	let isBroken = false;
	const clear = createGcTrigger(CLEARED);
	clear(CLEARED - CLEARED_FIRST);
	let isBegun = onBeginning === undefined;

	const withContent = (text: string): Readonly<Record<string, unknown>> | undefined => {
		const answer = jsonIn(before + text);
		const {content} = fieldsOf(answer);
		return content === undefined
			? undefined
			: {...fieldsOf(answer), content: {...fieldsOf(content), content: pieces.join('')}};
	};
	const begin = (): void => {
		isBegun = true;
		const answer = withContent('"}}');
		if (answer !== undefined && fieldsOf(answer['content'])['format'] === 'text') onBeginning?.(answer);
	};
	const add = (bytes: Buffer): void => {
		const text = jsonIn(`"${bytes.toString('utf8')}"`);
		if (typeof text !== 'string') {
			isBroken = true;
			pieces = [];
		}
		if (typeof text !== 'string' || isBroken) return;
		pieces.push(text);
		units += text.length;
		clear(text.length);
		if (!isBegun && units >= BEGINNING) begin();
	};
	const take: ContentReader['take'] = bytes => {
		if (after !== null) {
			after.push(bytes);
			return;
		}
		const all: Buffer = pending === null ? bytes : Buffer.concat([pending, bytes]);
		const end = endOfString(all);
		const cut: number = end === -1 ? all.length - unfinished(all) : end;
		pending = end === -1 && cut < all.length ? all.subarray(cut) : null;
		if (end !== -1) after = [all.subarray(end)];
		add(all.subarray(0, cut));
	};
	take(head.subarray(from));
	return {
		take,
		value: () =>
			isBroken || after === null ? undefined : withContent(Buffer.concat(after).toString('utf8')),
	};
};
