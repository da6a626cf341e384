import {isUtf8} from 'node:buffer';
import type {FileEntry, UploadRequest} from '../contract/files.ts';
import {parentsOf} from '../contract/paths.ts';
import type {Client} from './client-types.ts';
import type {Failure, Reply} from './failure.ts';
import {isRecord} from '../text/record.ts';

const BASE64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

/** Bytes of a file, or the reason why there are none, as the end of a sentence. */
export const bytesOf = ({type, format, content}: FileEntry): Buffer | string => {
	if (type === 'directory') return 'it is a folder';
	if (typeof content === 'string') {
		if (format !== 'base64') return Buffer.from(content, 'utf8');
		if (!BASE64.test(content)) return 'it is not valid base64';
		return Buffer.from(content, 'base64');
	}
	// A notebook may arrive as JSON. On disk, nbformat indents it by one space.
	if (isRecord(content)) return Buffer.from(`${JSON.stringify(content, null, 1)}\n`, 'utf8');
	return 'the service sent none';
};

/** Upload of bytes, as `text` if they are UTF-8, else as `base64`. No byte is changed. */
export const uploadOf = (bytes: Buffer): UploadRequest =>
	isUtf8(bytes)
		? {content: bytes.toString('utf8'), format: 'text', type: 'file'}
		: {content: bytes.toString('base64'), format: 'base64', type: 'file'};

/** `tag`: as in `putFile`. */
type Call = {readonly signal?: AbortSignal; readonly tag?: string | null};

/** The file on the server if it has exactly these bytes, else null. */
export const fileIfEqual = async (
	client: Client,
	server: string,
	path: string,
	bytes: Buffer,
	call: Call = {},
): Promise<Reply<FileEntry> | null> => {
	const now = await client.getFile(server, path, call);
	if (!now.ok) return null;
	const found = bytesOf(now.value);
	return typeof found !== 'string' && found.equals(bytes) ? now : null;
};

/**
 * Failures that may indicate a missing folder, because the specification does not define errors.
 */
const MAYBE_NO_FOLDER: ReadonlySet<Failure['kind']> = new Set(['not-found', 'refused', 'conflict', 'server']);

const makeFolders = async (client: Client, server: string, path: string, call: Call): Promise<boolean> => {
	let made = false;
	for (const folder of parentsOf(path)) {
		if ((await client.getFile(server, folder, call)).ok) continue;
		made = (await client.putFile(server, folder, {type: 'directory'}, call)).ok;
	}
	return made;
};

/**
 * Writes bytes to a path, and creates missing folders. Then checks the result, because a service
 * without base64 support might store the encoded text, and because the response may be lost after
 * the write.
 */
export const sendBytes = async (
	client: Client,
	server: string,
	path: string,
	bytes: Buffer,
	call: Call = {},
): Promise<Reply<FileEntry>> => {
	const upload = uploadOf(bytes);
	let reply = await client.putFile(server, path, upload, call);
	if (
		!reply.ok &&
		MAYBE_NO_FOLDER.has(reply.failure.kind) &&
		path.includes('/') &&
		(await makeFolders(client, server, path, call))
	)
		reply = await client.putFile(server, path, upload, call);
	if (!reply.ok) {
		const found = reply.failure.ambiguous ? await fileIfEqual(client, server, path, bytes, call) : null;
		if (found) return found;
		if (upload.format !== 'base64' || reply.failure.kind !== 'refused') return reply;
		return {
			ok: false,
			failure: {
				...reply.failure,
				message: `${path} is not text, and this service accepts only text: ${reply.failure.message}`,
			},
		};
	}
	if (upload.format === 'base64' && !(await fileIfEqual(client, server, path, bytes, call))) {
		const message = `${path} is not text, and this service stored something else: it accepts only text.`;
		return {ok: false, failure: {kind: 'off-contract', method: 'PUT', path, message}};
	}
	return reply;
};
