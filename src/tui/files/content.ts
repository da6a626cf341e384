// File content of a server as text, for comparing and saving.
import type {Client, TaggedFile} from '../../api/client-types.ts';
import {explainFailure, type Failure} from '../../api/failure.ts';
import type {FileEntry} from '../../contract/files.ts';
import {nameOf} from '../../contract/paths.ts';
import {decodeText} from '../../text/encoding.ts';
import {tableOfBytes, tableOfUtf8, type TextTable} from '../../text/table/text-format.ts';
import {fieldsOf} from '../../text/record.ts';

/** The failure and its remedy as one sentence. */
export const sentence = (failure: Failure): string => {
	const {what, next} = explainFailure(failure);
	return `${what} ${next}`;
};

/**
 * Longest text that is formatted whole, in UTF-16 units. Formatting a longer text takes more than a
 * frame.
 */
export const LONG_TEXT = 1_000_000;

/** The text of a file; null if it has none. */
export const textOf = ({content, format}: FileEntry): string | null =>
	typeof content === 'string' && format !== 'base64' ? content : null;

/** Content of a file as text; an empty string if there is no file. */
export const contentOf = (entry: FileEntry | null): string => {
	if (entry === null) return '';
	// A notebook may arrive as parsed JSON. nbformat saves notebooks with an indent of one space.
	return textOf(entry) ?? `${JSON.stringify(entry.content, null, 1)}\n`;
};

const TEXTS =
	/\.(?:csv|tsv|tab|txt|text|md|markdown|jsonl?|ndjson|ipynb|py|r|jl|log|ya?ml|toml|ini|cfg|conf|xml|html?|svg|css|[jt]sx?|sql|sh|tex|rst|dat)$/i;
const isMeantAsText = ({name, path, mimetype}: FileEntry): boolean =>
	TEXTS.test(path || name) || /^text\/|[/+](?:json|xml)$/.test(mimetype ?? '');

/** Field of a decoded file that holds its original content and format. */
const ENCODED = 'shownBytes';

const decodedEntries = new WeakMap<FileEntry, FileEntry>();
/**
 * The file with its text decoded if the encoding is not UTF-8; other files are unchanged. Decoded
 * text is for display only, never saved. The field `shownEncoding` holds the encoding's name.
 */
export const decodedFile = (entry: FileEntry): FileEntry => {
	const known = decodedEntries.get(entry);
	if (known !== undefined) return known;
	const {content, format, type} = entry;
	if (type === 'directory' || typeof content !== 'string' || !isMeantAsText(entry)) return entry;
	// UTF-16 text without a byte order mark can be valid UTF-8 too: it then has a NUL beside each
	// ASCII letter.
	const isBase64 = format === 'base64';
	if (!isBase64 && !content.slice(0, 200).includes('\0')) return entry;
	const found = decodeText(Buffer.from(content, isBase64 ? 'base64' : 'utf8'));
	const decoded =
		found === null
			? entry
			: {
					...entry,
					content: found.text,
					format: 'text',
					shownEncoding: found.encoding,
					[ENCODED]: {content, format},
				};
	decodedEntries.set(entry, decoded);
	return decoded;
};

/** Name of a text's encoding if it is not UTF-8; null otherwise. */
export const encodingOf = (entry: FileEntry): string | null => {
	const encoding = decodedFile(entry)['shownEncoding'];
	return typeof encoding === 'string' ? encoding : null;
};

/** The text as a table; null if it is not a table. */
export const tableOfFile = (entry: FileEntry): TextTable | null => {
	const path = entry.path || entry.name;
	const text = textOf(entry);
	if (text === null) return null;
	const {content, format} = fieldsOf(entry[ENCODED]);
	return typeof content === 'string'
		? tableOfBytes(path, Buffer.from(content, format === 'base64' ? 'base64' : 'utf8'))
		: tableOfUtf8(path, text);
};

/** True if saving the file as UTF-8 text loses nothing. Services accept only UTF-8 text. */
export const isText = (entry: FileEntry): boolean =>
	encodingOf(entry) === null &&
	(textOf(entry) !== null ||
		(entry.type === 'notebook' && typeof entry.content === 'object' && entry.content !== null));

/** True if the name is that of a notebook. */
export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);

export type ServerFile = {readonly server: string; readonly path: string};
export type Present = Omit<TaggedFile, 'entry'> & {readonly entry: FileEntry | null};

/**
 * The file under the path that was requested. A service may return another name, which does not
 * work as a path in later requests.
 */
export const asAsked = (entry: FileEntry, path: string): FileEntry => ({...entry, path, name: nameOf(path)});

/** The file at a path; null if there is none. */
export const readFile = async (
	client: Client,
	{server, path}: ServerFile,
): Promise<Present | {readonly failure: Failure}> => {
	const reply = await client.getTaggedFile(server, path);
	if (reply.ok) return {...reply.value, entry: asAsked(reply.value.entry, path)};
	return reply.failure.kind === 'not-found' ? {entry: null, tag: null} : {failure: reply.failure};
};

export const isSameContent = (one: FileEntry | null, other: FileEntry | null): boolean =>
	(one === null) === (other === null) && contentOf(one) === contentOf(other);
export const hasBytes = (entry: FileEntry | null, text: string | null): entry is FileEntry =>
	entry !== null && text !== null && contentOf(entry) === text;

export const textFile = (path: string, content: string): FileEntry => ({
	name: nameOf(path),
	path,
	type: 'file',
	format: 'text',
	content,
});

export const keyOf = ({server, path}: ServerFile): string => JSON.stringify([server, path]);
