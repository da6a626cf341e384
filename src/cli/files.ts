import {basename} from 'node:path';
import {bytesOf, sendBytes} from '../api/file-bytes.ts';
import {childrenOf, isListingUnsupported, type FolderItem} from '../api/file-tree.ts';
import {
	downloadItems,
	moveAll,
	transferText,
	uploadItems,
	type Choice,
	type TransferItem,
} from '../api/transfer.ts';
import type {FileEntry} from '../contract/files.ts';
import {parentOf, pathFault, typedPath} from '../contract/paths.ts';
import {label} from '../text/safe.ts';
import {
	isLocalFolder,
	localExists,
	localFiles,
	readListed,
	readLocal,
	writeLocal,
} from '../machine/local-file.ts';
import {downloadFolder} from '../machine/download-folder.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import type {ExistingOption} from './existing.ts';
import {askServer, reachServer, whenNotFound} from './on-server.ts';
import {printBytes} from './print-bytes.ts';
import {printJson, printNotice, printResult} from './print.ts';
import {NONE, tableText, type Column} from './table.ts';

/** Normalized path on a server. @throws {CommandError} if it is not a valid path. */
export const serverPath = (typed: string): string => {
	const path = typedPath(typed);
	const fault = pathFault(path);
	if (fault !== undefined) throw usageError(fault, 'Correct the path; nothing was sent.');
	return path;
};

const COLUMNS: readonly Column<FolderItem>[] = [
	{head: 'NAME', value: row => label(row.name) + (row.isFolder ? '/' : '')},
	{head: 'BYTES', value: row => (row.isFolder || row.size === null ? NONE : String(row.size)), right: true},
	{
		head: 'CHANGED',
		value: row => (row.modified === null ? NONE : label(row.modified.replace(/\.\d+/, ''), 32)),
	},
];

export const listFiles = async (context: Context, server: string, path = ''): Promise<void> => {
	const asked = serverPath(path);
	const answer = await askServer(
		context,
		server,
		client => client.getFile(server, asked, {signal: context.signal}),
		asked === ''
			? failure =>
					isListingUnsupported(failure)
						? `This service may not list folders. ${context.typed('files', 'get', server, 'PATH')} reads a file by path.`
						: undefined
			: whenNotFound(`${context.typed('files', 'list', server)} lists the files at the root.`),
	);
	// A single file is listed like a folder with one item.
	const leaves = Array.isArray(answer.content)
		? childrenOf(answer, asked)
		: childrenOf(
				{...answer, content: [{...answer, path: asked === '' ? answer.name : asked}]},
				parentOf(asked),
			);
	if (context.json || leaves.length > 0)
		return printResult(context, answer, tableText(COLUMNS, leaves, context.stdout.columns));
	await printNotice(context, 'The folder is empty.');
};

const contentOf = (entry: FileEntry): Buffer => {
	const bytes = bytesOf(entry);
	if (typeof bytes !== 'string') return bytes;
	if (entry.type === 'directory')
		throw new CommandError(
			'refused',
			`${entry.path === '' ? 'The root' : entry.path} is a folder.`,
			'svc-tui files list SERVER PATH lists it; -o FOLDER downloads it.',
		);
	throw new CommandError(
		'off-contract',
		`The content of ${entry.path} cannot be read: ${bytes}.`,
		'Report it to the operator of the service; --json shows the response.',
	);
};

/** Asks whether to replace an existing hidden file, unless --existing decides. */
const askToReplace = async ({ask}: Context, path: string): Promise<Choice> => {
	if (ask === undefined)
		return {why: 'this hidden file already exists and was kept; --existing overwrite replaces it.'};
	const answer = await ask(`Replace the local hidden file ${label(path, 200)}? [y/N] `, {masked: false});
	return /^y(?:es)?$/i.test(answer.trim()) ? 'overwrite' : 'skip';
};

/** Transfers files and reports each result. Progress is shown on a terminal only. */
const moveFiles = async (
	context: Context,
	items: readonly TransferItem[],
	{existing}: ExistingOption,
	done: 'uploaded' | 'downloaded',
): Promise<number> => {
	const report = await moveAll(items, {
		decide: ({path, needsAsking}) =>
			existing ?? (needsAsking === true ? askToReplace(context, path) : 'overwrite'),
		signal: context.signal,
		onProgress({total, done: count, bytes, current}) {
			if (context.stderr.isTTY && !context.json)
				void context.stderr.write(
					current === null
						? '\r\u001B[2K'
						: `\r\u001B[2K${count + 1}/${total}  ${bytes.toLocaleString('en')} bytes  ${label(current, 60)}`,
				);
		},
	});
	const {moved, skipped, failed, stopped} = report;
	if (!context.json)
		for (const {path, why} of failed) await printNotice(context, `${label(path)}: ${label(why, 400)}`);
	await printResult(
		context,
		{[done]: moved, skipped, failed: failed.map(({path, why}) => ({path, message: why})), stopped},
		`${label(transferText({...report, failed: []}, done), 400)}${failed.length > 0 ? `; ${failed.length} failed` : ''}\n`,
	);
	return failed.length > 0 ? 1 : 0;
};

const getAll = async (
	context: Context,
	server: string,
	path: string,
	folder: string,
	options: ExistingOption,
): Promise<number> => {
	const {service, explain} = await reachServer(context, server);
	const on = {client: service.client, server, signal: context.signal};
	const items = await downloadItems(on, path, downloadFolder(folder));
	if (!items.ok) throw await explain(items.failure);
	return moveFiles(context, items.value, options, 'downloaded');
};

/**
 * Runs `files get`. Writes the bytes of a file unchanged. A folder is downloaded into a local
 * folder.
 */
export const getFile = async (
	context: Context,
	server: string,
	path: string,
	{output, ...options}: ExistingOption & {readonly output?: string},
): Promise<number | void> => {
	const asked = serverPath(path);
	const folder = parentOf(asked);
	const list = context.typed('files', 'list', server, ...(folder === '' ? [] : [folder]));
	const answer = await askServer(
		context,
		server,
		client => client.getFile(server, asked, {signal: context.signal}),
		whenNotFound(`${list} lists that folder.`),
	);
	const isToFile = output !== undefined && output !== '-';
	if (isToFile && answer.type === 'directory') return getAll(context, server, asked, output, options);
	if (context.json) await printJson(context, answer);
	if (context.json && !isToFile) return;
	const bytes = contentOf(answer);
	if (isToFile) await writeLocal(output, bytes);
	else await printBytes(context, bytes, path, 'Write it to a file with -o FILE, or redirect the output.');
};

const putAll = async (
	context: Context,
	server: string,
	given: readonly string[],
	folder: string,
	options: ExistingOption,
): Promise<number> => {
	const files = (await Promise.all(given.map(each => localFiles(each)))).flat();
	const {service} = await reachServer(context, server);
	return moveFiles(
		context,
		uploadItems({client: service.client, server, signal: context.signal}, files, folder, readListed),
		options,
		'uploaded',
	);
};

/** True for a folder or a pattern. */
export const isSeveral = async (local: string): Promise<boolean> =>
	(await isLocalFolder(local)) || (/[*?[{]/.test(local) && !(await localExists(local)));

/**
 * Runs `files put`. Standard input (`-`) needs a name for the file. Several files, a folder or a
 * pattern are uploaded into the folder that the last path names.
 */
export const putFile = async (
	context: Context,
	server: string,
	paths: readonly string[],
	options: ExistingOption,
): Promise<number | void> => {
	const [local = '', remote = ''] = paths;
	if (paths.length > 2) {
		const folder = paths.at(-1) ?? '';
		if (!folder.endsWith('/'))
			throw usageError(
				'Several files need a destination folder: give its path on the server last, with a trailing /.',
				'Use ./ for the root.',
			);
		return putAll(context, server, paths.slice(0, -1), serverPath(folder), options);
	}
	if (local !== '-' && (await isSeveral(local)))
		return putAll(context, server, [local], serverPath(remote), options);
	if (local === '-' && (remote === '' || remote.endsWith('/')))
		throw usageError('Standard input has no name: give the path on the server after the -.');
	const bytes = local === '-' ? await context.readStdin() : await readLocal(local);
	const path = serverPath(remote === '' || remote.endsWith('/') ? remote + basename(local) : remote);
	const call = {signal: context.signal};
	if (options.existing === 'skip') {
		const {service} = await reachServer(context, server);
		if ((await service.client.getFile(server, path, call)).ok)
			return printNotice(context, `${label(path)} is already on ${label(server)} and was left unchanged.`);
	}
	const answer = await askServer(context, server, client => sendBytes(client, server, path, bytes, call));
	await printResult(
		context,
		answer,
		`Uploaded ${label(local)} to ${label(answer.path)} on ${label(server)}, ${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}\n`,
	);
};
