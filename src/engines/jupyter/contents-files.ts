import * as z from 'zod';
import type {FileEntry} from '../../contract/files.ts';
import {namesOf, parentsOf} from '../../contract/paths.ts';
import {digestOf, FileFault, type ExpectedContent, type Files, type Upload} from '../files.ts';
import {decodeUpload, formatOf, unnamedType} from '../folder-content.ts';
import {byName} from '../folder-entry.ts';
import {changed, faultOfCode, subject} from '../folder-fault.ts';
import {createInOrder} from '../in-order.ts';
import {callServer, type JupyterAddress, type JupyterAnswer} from './rest.ts';

/** Time limit in ms, long enough for a file of 160 MiB on a slow connection. */
const FILE_LIMIT_MS = 300_000;
/**
 * Maximum size of a response that contains a file of 160 MiB, in bytes. JSON may escape a byte in
 * up to six bytes.
 */
const FILE_ANSWER_BYTES = 512 << 20;

const model = z.object({
	name: z.string(),
	path: z.string(),
	type: z.string(),
	writable: z.boolean(),
	created: z.string(),
	last_modified: z.string(),
	mimetype: z.string().nullable(),
	format: z.string().nullable(),
	size: z.number().nullish(),
	content: z.unknown(),
});
type Model = z.infer<typeof model>;

const reason = z.object({message: z.string()}).catch({message: ''});

// File system error codes that correspond to the server's responses.
const statusCodes: Readonly<Record<number, string>> = {404: 'ENOENT', 403: 'EACCES'};
const causes: readonly (readonly [message: RegExp, code: string])[] = [
	[/is not a directory|Not a directory|File exists/, 'ENOTDIR'],
	[/is a directory/i, 'EISDIR'],
	[/No space left/, 'ENOSPC'],
];

const NO_HIDDEN = 'names that begin with a dot are neither shown nor written on this server';
const isHidden = (path: string): boolean => namesOf(path).some(name => name.startsWith('.'));

const encode = (path: string): string => namesOf(path).map(encodeURIComponent).join('/');

/**
 * Converts Jupyter's model to the service's entry: notebooks become text, and base64 a single line.
 */
const entryOf = ({type, size, mimetype, ...named}: Model): FileEntry => {
	const isFolder = type === 'directory';
	return {
		...named,
		serverPath: named.path,
		type: isFolder ? 'directory' : 'file',
		format: null,
		content: null,
		mimetype: type === 'notebook' ? 'application/x-ipynb+json' : isFolder ? null : mimetype,
		size: isFolder ? null : (size ?? null),
	};
};

const filled = (found: Model): FileEntry => {
	const entry = entryOf(found);
	if (entry.type === 'directory')
		return {...entry, format: 'json', content: z.array(model).parse(found.content).map(entryOf).sort(byName)};
	const content = String(found.content ?? '');
	return {
		...entry,
		format: found.format,
		content: found.format === 'base64' ? content.replaceAll(/\s+/g, '') : content,
	};
};

const bytesOf = ({content, format}: FileEntry): Buffer =>
	Buffer.from(String(content), format === 'base64' ? 'base64' : 'utf8');

/**
 * File operations through a Jupyter server's contents API. Hidden files are unavailable unless the
 * server allows them. If another client writes a file between its check and its replacement, that
 * goes unnoticed. This client's own writes are serialised.
 */
export const contentsFiles = (server: JupyterAddress): Files => {
	const inOrder = createInOrder();
	const call = (method: string, path: string, query = '', body?: object): Promise<JupyterAnswer> =>
		callServer(server, method, `api/contents/${encode(path)}${query}`, {
			...(body && {body}),
			limit: FILE_LIMIT_MS,
			most: FILE_ANSWER_BYTES,
		});
	const fault = ({status, json}: JupyterAnswer, path: string): FileFault => {
		if (isHidden(path) && [400, 403, 404].includes(status))
			return status === 404
				? new FileFault(404, `${subject(path)} does not exist, or the server hides it: ${NO_HIDDEN}.`)
				: new FileFault(403, `${subject(path)} is hidden: ${NO_HIDDEN}.`);
		if (status === 413) return new FileFault(413, `${subject(path)} is larger than this server accepts.`);
		// Only matched, never shown, because the server's messages may contain paths of its
		// machine.
		const code = statusCodes[status] ?? causes.find(([said]) => said.test(reason.parse(json).message))?.[1];
		if (code !== undefined) return faultOfCode(code, path);
		return new FileFault(
			status === 400 ? 400 : 500,
			`${subject(path)} failed: the server responded with ${status}.`,
		);
	};
	const get = async (path: string): Promise<FileEntry> => {
		let answer = await call('GET', path);
		if (answer.status === 200 && model.parse(answer.json).type === 'notebook')
			answer = await call('GET', path, '?type=file&format=text');
		if (answer.status !== 200) throw fault(answer, path);
		return filled(model.parse(answer.json));
	};
	const makeFolder = async (path: string): Promise<JupyterAnswer> => {
		// Checked first, because Jupyter would create a second folder next to an existing one with
		// the same name.
		const found = await call('GET', path, '?content=0');
		if (found.status === 200) {
			if (model.parse(found.json).type !== 'directory')
				throw new FileFault(409, `${subject(path)} is a file, not a folder.`);
			return found;
		}
		return call('PUT', path, '', {type: 'directory'});
	};
	const makeParents = async (path: string): Promise<void> => {
		for (const parent of parentsOf(path)) {
			const made = await makeFolder(parent).catch((error: unknown) => {
				throw error instanceof FileFault ? faultOfCode('ENOTDIR', path) : error;
			});
			if (made.status !== 200 && made.status !== 201) throw fault(made, path);
		}
	};
	const assertExpected = async (path: string, expected: ExpectedContent): Promise<void> => {
		const found = await get(path).catch((error: unknown) => {
			throw error instanceof FileFault && error.status === 404 ? changed(path) : error;
		});
		if (expected === '*') return;
		if (found.type === 'directory' || !expected.includes(digestOf(bytesOf(found)))) throw changed(path);
	};
	const put = async (
		path: string,
		upload: Upload,
		expected: ExpectedContent | undefined,
	): Promise<FileEntry> => {
		const {type, format, decoded} = upload;
		const content = decoded?.bytes.toString(format === 'base64' ? 'base64' : 'utf8') ?? upload.content;
		if (path === '') throw new FileFault(400, 'The root folder already exists; name a file.');
		if (expected !== undefined) await assertExpected(path, expected);
		const folder = type === 'directory';
		const send = (): Promise<JupyterAnswer> =>
			folder
				? makeFolder(path)
				: call('PUT', path, '', {type: 'file', format: format === 'base64' ? 'base64' : 'text', content});
		let answer = await send();
		if (answer.status >= 400 && answer.status !== 413 && path.includes('/')) {
			await makeParents(path);
			answer = await send();
		}
		if (answer.status !== 200 && answer.status !== 201) throw fault(answer, path);
		const entry = entryOf(model.parse(answer.json));
		if (entry.type === 'directory' || typeof entry.mimetype === 'string') return entry;
		// The response to a save does not contain the format of the content.
		return {...entry, mimetype: unnamedType(formatOf(decodeUpload(upload)))};
	};
	return {
		get,
		async put(path, upload, expected) {
			// Throws if the content is invalid for its format.
			if (upload.type !== 'directory') decodeUpload(upload);
			return inOrder(path, async () => put(path, upload, expected));
		},
	};
};
