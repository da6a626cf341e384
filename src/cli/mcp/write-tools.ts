import {sendBytes, uploadOf} from '../../api/file-bytes.ts';
import {makeFolder, moveFile, removeFile} from '../file-operations.ts';
import {CommandError, failed, usageError} from '../command-error.ts';
import {serverPath} from '../files.ts';
import {askAboutPath} from './guarded.ts';
import {namedServer} from './named-server.ts';
import {fileBytes, isText, sized} from './file-text.ts';
import * as z from './sdk.ts';
import {filePath, serverName, tool, type Call, type Tool} from './tool.ts';

/** Path of a file. @throws {CommandError} for the root. */
const ofFile = (typed: string): string => {
	const path = serverPath(typed);
	if (path === '') throw usageError('A file needs a path.', 'Nothing was sent.');
	return path;
};

/** Checks that a path is free. @throws {CommandError} if the file exists, or if that is unknown. */
const proveNew = async ({context, service}: Call, server: string, path: string): Promise<void> => {
	const there = await service.client.getFile(server, path, {signal: context.signal});
	if (there.ok)
		throw usageError(
			`${JSON.stringify(path)} already exists.`,
			'edit_file changes a part of it; write_file with overwrite replaces it.',
		);
	if (there.failure.kind === 'not-found') return;
	throw failed(there.failure, 'Nothing was written. Set overwrite to replace the file.');
};

const writeFile = tool({
	name: 'write_file',
	title: 'Write a file',
	description:
		'Writes a text file on a running server and creates missing folders. An existing file is replaced only with overwrite.',
	needs: ['write'],
	hints: {readOnly: false, destructive: true, idempotent: true},
	input: z.strictObject({
		server: serverName,
		path: filePath,
		content: z.string(),
		overwrite: z.boolean().default(false),
	}),
	async run(call, {server, path, content, overwrite}) {
		const asked = ofFile(path);
		await namedServer(call, server);
		const act = call.context.typed('files', 'put', server, 'FILE', asked);
		await askAboutPath(call, {does: 'write', server, path: asked, act});
		if (!overwrite) await proveNew(call, server, asked);
		const bytes = Buffer.from(content);
		const {signal} = call.context;
		const reply = await sendBytes(call.service.client, server, asked, bytes, {signal});
		if (!reply.ok) throw failed(reply.failure);
		return {facts: `${JSON.stringify(asked)} was written: ${sized(bytes.length, 'byte')}.`};
	},
});

const editFile = tool({
	name: 'edit_file',
	title: 'Edit a file',
	description:
		'Replaces text in a file on a running server. The text must occur exactly once unless "all" is set. Concurrent changes are not overwritten if the service can detect them.',
	needs: ['write'],
	hints: {readOnly: false, destructive: true},
	input: z.strictObject({
		server: serverName,
		path: filePath,
		old_text: z.string().min(1).describe('Exact text, as returned by read_file'),
		new_text: z.string(),
		all: z.boolean().default(false).describe('Replace every occurrence'),
	}),
	async run(call, {server, path, old_text, new_text, all}) {
		const asked = ofFile(path);
		await namedServer(call, server);
		const act = call.context.typed('files', 'put', server, 'FILE', asked);
		await askAboutPath(call, {does: 'write', server, path: asked, act});
		const {client} = call.service;
		const {signal} = call.context;
		const read = await client.getTaggedFile(server, asked, {signal});
		if (!read.ok) throw failed(read.failure, 'list_files lists the folder.');
		const {entry, tag} = read.value;
		const bytes = fileBytes(asked, entry);
		const named = JSON.stringify(asked);
		if (!isText(bytes)) throw usageError(`${named} is binary.`, 'Nothing was changed.');
		const text = bytes.toString('utf8');
		const parts = text.split(old_text);
		const found = parts.length - 1;
		if (found === 0)
			throw new CommandError(
				'not-found',
				`old_text was not found in ${named}.`,
				'read_file shows its content. Nothing was changed.',
			);
		if (found > 1 && !all)
			throw usageError(
				`old_text occurs in ${named} ${sized(found, 'time')}.`,
				'Include more of the surrounding text, or set all. Nothing was changed.',
			);
		const upload = uploadOf(Buffer.from(parts.join(new_text)));
		const saved = await client.putFile(server, asked, upload, {tag, signal});
		if (!saved.ok) throw failed(saved.failure, 'read_file shows its current content.');
		return {facts: `${named} was changed in ${sized(found, 'place')}.`};
	},
});

const makeFolderTool = tool({
	name: 'make_folder',
	title: 'Create a folder',
	description: 'Creates a folder and its parents on a running server.',
	needs: ['write'],
	hints: {readOnly: false, idempotent: true},
	input: z.strictObject({server: serverName, path: filePath}),
	async run(call, {server, path}) {
		await namedServer(call, server);
		const act = call.context.typed('files', 'mkdir', server, path);
		await askAboutPath(call, {does: 'write', server, path, act});
		await makeFolder(call.context, server, path);
		return {facts: call.printed()};
	},
});

const moveFileTool = tool({
	name: 'move_file',
	title: 'Rename or move',
	description:
		'Renames or moves a file or folder on a running server; never overwrites. If the new path is a folder, the name is kept.',
	needs: ['write'],
	hints: {readOnly: false},
	input: z.strictObject({server: serverName, path: filePath, new_path: z.string()}),
	async run(call, {server, path, new_path}) {
		await namedServer(call, server);
		const act = call.context.typed('files', 'mv', server, path, new_path);
		// Both paths are checked, because moving a private file would otherwise allow reading it
		// without the user's consent.
		for (const each of [path, new_path]) await askAboutPath(call, {does: 'write', server, path: each, act});
		await moveFile(call.context, server, [path, new_path]);
		return {facts: call.printed()};
	},
});

const deleteFile = tool({
	name: 'delete_file',
	title: 'Delete',
	description:
		'Deletes a file on a running server or, with recursive, a folder and its contents. This cannot be undone.',
	needs: ['write'],
	hints: {readOnly: false, destructive: true, idempotent: true},
	input: z.strictObject({server: serverName, path: filePath, recursive: z.boolean().default(false)}),
	async run(call, {server, path, recursive}) {
		await namedServer(call, server);
		const act = call.context.typed('files', 'rm', server, path);
		await askAboutPath(call, {does: 'write', server, path, act});
		await removeFile(call.context, server, [path], {recursive, flag: 'recursive: true'});
		return {facts: call.printed()};
	},
});

export const WRITE_TOOLS: readonly Tool[] = [writeFile, editFile, makeFolderTool, moveFileTool, deleteFile];
