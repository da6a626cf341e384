import {createHash} from 'node:crypto';
import * as z from 'zod';
import type {FileEntry, UploadRequest} from '../../contract/files.ts';
import {FileFault, type ExpectedContent, type Files} from '../files.ts';
import {decodeUpload} from '../folder-content.ts';
import {subject} from '../folder-fault.ts';
import {callServer, type JupyterAddress, type JupyterAnswer} from './rest.ts';

/** Milliseconds for a file of 160 MiB on a slow line. */
const FILE_LIMIT_MS = 300_000;

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

const encode = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Jupyter's model as the service answers it everywhere: a notebook is a text file, base64 is one line, `serverPath` is there. */
const entryOf = ({
	name,
	path,
	type,
	writable,
	created,
	last_modified,
	mimetype,
	size = null,
}: Model): FileEntry => ({
	name,
	path,
	serverPath: path,
	type: type === 'directory' ? 'directory' : 'file',
	format: null,
	content: null,
	mimetype: type === 'notebook' ? 'application/x-ipynb+json' : type === 'directory' ? null : mimetype,
	size: type === 'directory' ? null : size,
	created,
	last_modified,
	writable,
});

const collator = new Intl.Collator('en', {numeric: true});
const inOrder = (a: FileEntry, b: FileEntry): number =>
	Number(b.type === 'directory') - Number(a.type === 'directory') || collator.compare(a.name, b.name);

const filled = (found: Model): FileEntry => {
	const entry = entryOf(found);
	if (entry.type === 'directory')
		return {
			...entry,
			format: 'json',
			content: z.array(model).parse(found.content).map(entryOf).sort(inOrder),
		};
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
 * Files through a Jupyter server's contents interface. What it cannot: hidden files are kept from it (unless the server allows them), and
 * between looking at what a file holds and replacing it another client's write goes unseen; ours keep their order.
 */
export const contentsFiles = (server: JupyterAddress): Files => {
	const turns = new Map<string, Promise<unknown>>();
	const inTurn = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
		const mine = (turns.get(path) ?? Promise.resolve()).then(act, act);
		turns.set(path, mine);
		try {
			return await mine;
		} finally {
			if (turns.get(path) === mine) turns.delete(path);
		}
	};

	const call = (method: string, path: string, query = '', body?: object): Promise<JupyterAnswer> =>
		callServer(server, method, `api/contents/${encode(path)}${query}`, {
			...(body && {body}),
			limit: FILE_LIMIT_MS,
		});
	const fault = ({status, json}: JupyterAnswer, path: string): FileFault => {
		if (status === 404) return new FileFault(404, `${subject(path)} does not exist.`);
		if (status === 403) return new FileFault(403, `${subject(path)} is not allowed for this user.`);
		if (status === 413) return new FileFault(413, `${subject(path)} is larger than this server takes.`);
		// Its sentences may hold paths of its machine.
		const {message} = reason.parse(json);
		if (/is not a directory|Not a directory|File exists/.test(message))
			return new FileFault(
				409,
				`${subject(path)} cannot be written: a file stands where its path needs a folder.`,
			);
		if (/is a directory/i.test(message))
			return new FileFault(409, `${subject(path)} is a folder, not a file.`);
		if (/No space left/.test(message))
			return new FileFault(507, `${subject(path)} was not saved: the disk is full.`);
		return new FileFault(
			status === 400 ? 400 : 500,
			`${subject(path)} failed: the server answered ${status}.`,
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
		// A second one beside an older one of this name would be made otherwise.
		const found = await call('GET', path, '?content=0');
		if (found.status === 200) {
			if (model.parse(found.json).type !== 'directory')
				throw new FileFault(409, `${subject(path)} is a file, not a folder.`);
			return found;
		}
		return call('PUT', path, '', {type: 'directory'});
	};
	const makeParents = async (path: string): Promise<void> => {
		const names = path.split('/').slice(0, -1);
		for (const [index] of names.entries()) {
			const parent = names.slice(0, index + 1).join('/');
			const made = await makeFolder(parent).catch((error: unknown) => {
				throw error instanceof FileFault
					? new FileFault(
							409,
							`${subject(path)} cannot be written: a file stands where its path needs a folder.`,
						)
					: error;
			});
			if (made.status !== 200 && made.status !== 201) throw fault(made, path);
		}
	};
	const assertExpected = async (path: string, expected: ExpectedContent): Promise<void> => {
		const changed = new FileFault(
			412,
			`${subject(path)} was not saved: it has changed or gone since you read it. Read it again, then decide.`,
		);
		const found = await get(path).catch((error: unknown) => {
			throw error instanceof FileFault && error.status === 404 ? changed : error;
		});
		if (expected === '*') return;
		if (
			found.type === 'directory' ||
			!expected.includes(createHash('sha256').update(bytesOf(found)).digest('hex'))
		)
			throw changed;
	};
	const put = async (
		path: string,
		{type, format, content}: UploadRequest,
		expected: ExpectedContent | undefined,
	): Promise<FileEntry> => {
		if (path === '') throw new FileFault(400, 'The root folder is there already; name a file.');
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
		return entryOf(model.parse(answer.json));
	};
	return {
		get,
		async put(path, upload, expected) {
			// Refuses what no file can hold.
			if (upload.type !== 'directory') decodeUpload(upload);
			return inTurn(path, async () => put(path, upload, expected));
		},
	};
};
