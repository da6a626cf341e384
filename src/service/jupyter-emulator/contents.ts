// Jupyter's contents API for the folder of a server. Unlike in the service's own API, notebooks are
// JSON.
import type {FileEntry} from '../../contract/files.ts';
import {nameOf, parentOf} from '../../contract/paths.ts';
import {FileFault, type DecodedUpload, type Files} from '../../engines/files.ts';
import type {FolderChanges} from '../../engines/folder-change.ts';
import {isRecord} from '../../text/record.ts';

type Body = Readonly<Record<string, unknown>> & {readonly decoded?: DecodedUpload | undefined};
type Reply = {readonly status: number; readonly body?: unknown};

export type ContentsCall = {
	readonly method: string;
	readonly path: string;
	/**
	 * Path before decoding. Distinguishes the endpoint `checkpoints` from a folder of that name,
	 * which clients address with an escaped letter.
	 */
	readonly raw: string;
	readonly query: URLSearchParams;
	readonly body: Body;
};

const NOTEBOOK = '.ipynb';
const CHECKPOINTS = '.ipynb_checkpoints';
const CHECKPOINT = 'checkpoint';

const emptyNotebook = {cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5};

const isNotebook = (path: string): boolean => path.endsWith(NOTEBOOK);
const split = (path: string): readonly [folder: string, name: string] => [parentOf(path), nameOf(path)];
const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const notebookText = (content: unknown): string => `${JSON.stringify(content, null, 1)}\n`;

/** Entry without its content, as Jupyter represents it. */
const bare = (entry: FileEntry): FileEntry => ({
	...entry,
	...(entry.type === 'file' && isNotebook(entry.name ?? '') && {type: 'notebook', mimetype: null}),
	content: null,
	format: null,
	hash: null,
	hash_algorithm: null,
});

const textOf = (entry: FileEntry): string =>
	entry.format === 'base64'
		? Buffer.from(String(entry.content), 'base64').toString()
		: String(entry.content ?? '');

const asNotebook = (entry: FileEntry): FileEntry => {
	let content: unknown;
	try {
		content = JSON.parse(textOf(entry));
	} catch {
		content = undefined;
	}
	if (!isRecord(content))
		throw new FileFault(400, `${JSON.stringify(entry.path)} is not a notebook: it is not JSON.`);
	return {...bare(entry), content, format: 'json'};
};

const asFile = (entry: FileEntry, format: string | null): FileEntry => {
	if (format === 'text' && entry.format === 'base64')
		throw new FileFault(400, `${JSON.stringify(entry.path)} is not UTF-8 text.`);
	const content =
		format === 'base64' && entry.format === 'text'
			? Buffer.from(String(entry.content)).toString('base64')
			: entry.content;
	return {...entry, type: 'file', content, format: format ?? entry.format, hash: null, hash_algorithm: null};
};

export const createContents = (
	files: Files,
	changes: FolderChanges,
): ((call: ContentsCall) => Promise<Reply>) => {
	const exists = async (path: string): Promise<boolean> =>
		changes.look(path).then(
			() => true,
			() => false,
		);
	const read = async ({path, query}: ContentsCall): Promise<FileEntry> => {
		const isBare = query.get('content') === '0';
		const entry = await (isBare ? changes.look(path) : files.get(path));
		const type = query.get('type');
		if (entry.type === 'directory') {
			if (type !== null && type !== 'directory')
				throw new FileFault(400, `${JSON.stringify(path)} is a folder, not a ${type}.`);
			const listed = (Array.isArray(entry.content) ? entry.content : []) as FileEntry[];
			return isBare ? bare(entry) : {...bare(entry), content: listed.map(bare), format: 'json'};
		}
		if (type === 'directory') throw new FileFault(400, `${JSON.stringify(path)} is not a folder.`);
		if (isBare) return bare(entry);
		return type === 'notebook' || (type === null && isNotebook(path))
			? asNotebook(entry)
			: asFile(entry, query.get('format'));
	};
	const write = async (path: string, {type, format, content, chunk, decoded}: Body): Promise<FileEntry> => {
		if (chunk !== undefined && chunk !== null)
			throw new FileFault(400, 'Chunked uploads are not supported. Send the file as a whole.');
		if (type === 'directory') return bare(await files.put(path, {type: 'directory'}));
		if (type === 'notebook') {
			if (!isRecord(content)) throw new FileFault(400, 'A notebook needs its content: an object.');
			return bare(await files.put(path, {type: 'file', format: 'text', content: notebookText(content)}));
		}
		return bare(
			await files.put(path, {
				type: 'file',
				format: format === 'base64' ? 'base64' : 'text',
				content: typeof content === 'string' ? content : null,
				decoded,
			}),
		);
	};
	/** First name that is not in use, numbered as in Jupyter: `untitled.txt`, `untitled1.txt`. */
	const freeName = async (folder: string, stem: string, ending: string): Promise<string> => {
		for (let count = 0; ; count++) {
			const path = join(folder, `${stem}${count === 0 ? '' : count}${ending}`);
			if (!(await exists(path))) return path;
		}
	};
	const make = async (folder: string, {type, ext, copy_from: copied}: Body): Promise<FileEntry> => {
		if (typeof copied === 'string' && copied !== '') {
			const [, name] = split(copied);
			const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
			const source = await files.get(copied);
			const path = await freeName(folder, `${stem}-Copy`, ending);
			if (source.type === 'directory') throw new FileFault(400, 'A folder cannot be copied.');
			return write(path, {...source, type: 'file'});
		}
		if (type === 'directory')
			return write(await freeName(folder, 'Untitled Folder', ''), {type: 'directory'});
		if (type === 'notebook')
			return write(await freeName(folder, 'Untitled', NOTEBOOK), {type, content: emptyNotebook});
		const ending = typeof ext === 'string' ? ext : '.txt';
		return write(await freeName(folder, 'untitled', ending), {type: 'file', format: 'text', content: ''});
	};

	/** Path of a file's checkpoint. As in Jupyter, a file has only one. */
	const checkpointOf = (path: string): string => {
		const [folder, name] = split(path);
		const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
		return join(join(folder, CHECKPOINTS), `${stem}-${CHECKPOINT}${ending}`);
	};
	const checkpointModel = ({last_modified: time}: FileEntry) => ({id: CHECKPOINT, last_modified: time});
	const copyFile = async (from: string, to: string): Promise<FileEntry> => {
		const {format, content} = await files.get(from);
		return files.put(to, {
			type: 'file',
			format: format === 'base64' ? 'base64' : 'text',
			content: typeof content === 'string' ? content : null,
		});
	};
	const checkpoint = async (path: string, id: string, method: string): Promise<Reply> => {
		const place = checkpointOf(path);
		if (id === '' && method === 'GET')
			return {
				status: 200,
				body: await files.get(place).then(
					entry => [checkpointModel(entry)],
					() => [],
				),
			};
		if (id === '' && method === 'POST')
			return {status: 201, body: checkpointModel(await copyFile(path, place))};
		if (id !== CHECKPOINT) throw new FileFault(404, 'There is no such checkpoint.');
		if (method === 'POST') await copyFile(place, path);
		else if (method === 'DELETE') await changes.remove(place);
		else return {status: 405, body: {message: 'Method not allowed.', reason: null}};
		return {status: 204};
	};

	return async call => {
		const {method, path, raw, body} = call;
		const [, of, id] = /^(.+)\/checkpoints(?:\/([^/]*))?$/.exec(path) ?? [];
		if (of !== undefined && /\/checkpoints(?:\/[^/]*)?$/.test(raw)) return checkpoint(of, id ?? '', method);
		switch (method) {
			case 'GET':
				return {status: 200, body: await read(call)};
			case 'PUT': {
				const status = (await exists(path)) ? 200 : 201;
				return {status, body: await write(path, body)};
			}
			case 'POST':
				return {status: 201, body: await make(path, body)};
			case 'PATCH':
				if (typeof body['path'] !== 'string') throw new FileFault(400, 'The new path is missing.');
				return {status: 200, body: bare(await changes.move(path, body['path']))};
			case 'DELETE':
				await changes.remove(path);
				return {status: 204};
			default:
				return {status: 405, body: {message: 'Method not allowed.', reason: null}};
		}
	};
};
