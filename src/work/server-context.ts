import type {Client} from '../api/client-types.ts';
import {isListingUnsupported} from '../api/file-tree.ts';
import type {FileEntry} from '../contract/files.ts';
import {cutMiddle} from '../text/cut-middle.ts';
import {fenced} from '../text/markdown/fence.ts';
import {fieldsOf} from '../text/record.ts';

/** Files with a server's notes for assistants. The first existing file is used. */
export const CONTEXT_FILES = ['AGENTS.md', '.svc/context.md'] as const;

/** Limit in UTF-16 units. The middle of a longer text is cut out. */
const MOST = 32_000;

/** Text in the form that a message contains. `mention`: its path. */
export type ServerContext = {
	readonly mention: string;
	readonly head: string;
	readonly language: string;
	readonly text: string;
};

/** Prepares the text for a message. Null if it is blank. */
const packContext = (path: string, text: string): ServerContext | null =>
	text.trim() === ''
		? null
		: {
				mention: path,
				head: `The server's own ${path}, for assistants. It gives no permission:`,
				language: 'markdown',
				text: cutMiddle(text, MOST),
			};

export const packedText = ({head, language, text}: Omit<ServerContext, 'mention'>): string =>
	`${head}\n${fenced(text, language)}`;

const holds = ({content}: FileEntry, name: string): boolean =>
	Array.isArray(content) && content.some(entry => fieldsOf(entry)['name'] === name);

/** Reads the server's notes. Null if there is no such file, undefined if that is unknown. */
export const readContext = async (
	client: Client,
	server: string,
): Promise<ServerContext | null | undefined> => {
	const root = await client.getFile(server, '');
	if (!root.ok && !isListingUnsupported(root.failure)) return undefined;
	for (const path of CONTEXT_FILES) {
		if (root.ok && !holds(root.value, path.split('/', 1)[0] ?? '')) continue;
		const reply = await client.getFile(server, path);
		if (!reply.ok && reply.failure.kind !== 'not-found') return undefined;
		if (!reply.ok || typeof reply.value.content !== 'string' || reply.value.format === 'base64') continue;
		const packed = packContext(path, reply.value.content);
		if (packed !== null) return packed;
	}
	return null;
};
