// Files of a server as texts that can be compared and written.
import type {Client, TaggedFile} from '../../api/client-types.ts';
import {explainFailure, type Failure} from '../../api/failure.ts';
import type {FileEntry} from '../../contract/files.ts';
import {nameOf} from '../../contract/paths.ts';
import {decodeText} from '../../text/encoding.ts';

/** What went wrong and what to do, in words. */
export const sentence = (failure: Failure): string => {
	const {what, next} = explainFailure(failure);
	return `${what} ${next}`;
};

/** UTF-16 units beyond which only the beginning of a text is laid out: the whole takes longer than a frame. */
export const LONG_TEXT = 1_000_000;

/** The text of a file, or null when it is none. */
export const textOf = ({content, format}: FileEntry): string | null =>
	typeof content === 'string' && format !== 'base64' ? content : null;

/** What a file holds as text; of no file nothing. */
export const contentOf = (entry: FileEntry | null): string => {
	if (entry === null) return '';
	// A notebook may come as JSON; one space is how nbformat indents it on disk.
	return textOf(entry) ?? `${JSON.stringify(entry.content, null, 1)}\n`;
};

const TEXTS =
	/\.(?:csv|tsv|tab|txt|text|md|markdown|jsonl?|ndjson|ipynb|py|r|jl|log|ya?ml|toml|ini|cfg|conf|xml|html?|svg|css|[jt]sx?|sql|sh|tex|rst|dat)$/i;
const isMeantAsText = ({name, path, mimetype}: FileEntry): boolean =>
	TEXTS.test(path || name) || /^text\/|[/+](?:json|xml)$/.test(mimetype ?? '');

const decodedEntries = new WeakMap<FileEntry, FileEntry>();
/** A file in another encoding than UTF-8 with its text, which is only to be shown: `shownEncoding` is its name. Others as they are. */
export const decodedFile = (entry: FileEntry): FileEntry => {
	const known = decodedEntries.get(entry);
	if (known !== undefined) return known;
	const {content, format, type} = entry;
	if (type === 'directory' || typeof content !== 'string' || !isMeantAsText(entry)) return entry;
	// Letters of UTF-16 without a byte order mark are UTF-8 too, with a zero beside each.
	const isBase64 = format === 'base64';
	if (!isBase64 && !content.slice(0, 200).includes('\0')) return entry;
	const found = decodeText(Buffer.from(content, isBase64 ? 'base64' : 'utf8'));
	const decoded =
		found === null ? entry : {...entry, content: found.text, format: 'text', shownEncoding: found.encoding};
	decodedEntries.set(entry, decoded);
	return decoded;
};

/** The encoding of a file that is no UTF-8, as far as it is known to be text; else null. */
export const encodingOf = (entry: FileEntry): string | null => {
	const encoding = decodedFile(entry)['shownEncoding'];
	return typeof encoding === 'string' ? encoding : null;
};

/** It can be written as text: in UTF-8, as services take it. */
export const isText = (entry: FileEntry): boolean =>
	encodingOf(entry) === null &&
	(textOf(entry) !== null ||
		(entry.type === 'notebook' && typeof entry.content === 'object' && entry.content !== null));

/** Whether a file is a notebook, by its name. */
export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);

/** A path on a server. */
export type ServerFile = {readonly server: string; readonly path: string};
export type Present = Omit<TaggedFile, 'entry'> & {readonly entry: FileEntry | null};

/** An answer as the file that was asked for: a service may call it otherwise, and its own words lead nowhere. */
export const asAsked = (entry: FileEntry, path: string): FileEntry => ({...entry, path, name: nameOf(path)});

/** The file at a path, null when there is none. */
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

/** A file that holds a text. */
export const textFile = (path: string, content: string): FileEntry => ({
	name: nameOf(path),
	path,
	type: 'file',
	format: 'text',
	content,
});

export const keyOf = ({server, path}: ServerFile): string => JSON.stringify([server, path]);
