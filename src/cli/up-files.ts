import {basename, resolve} from 'node:path';
import {fileIfEqual, sendBytes} from '../api/file-bytes.ts';
import {LocalFileError, localFiles, localPath, readListed} from '../machine/local-file.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {isSeveral, serverPath} from './files.ts';
import {printNotice} from './print.ts';
import type {Recipe} from './recipe.ts';

export type Upload = {readonly file: string; readonly path: string; readonly bytes: number};

/**
 * Files to upload. They are checked first, so that a wrong path is found before anything costs
 * money.
 */
export const uploadsOf = async ({files, fault}: Recipe, folder: string): Promise<readonly Upload[]> => {
	const uploads = new Map<string, Upload>();
	for (const {from, to} of files) {
		const where = ['files', from];
		const local = resolve(folder, localPath(from));
		const several = await isSeveral(local);
		const found = await localFiles(from, folder).catch((error: unknown) => {
			if (!(error instanceof LocalFileError)) throw error;
			const next = "Paths are relative to the recipe's folder. Correct it and try again; nothing was done.";
			throw fault(where, error.message, next);
		});
		const isFolder = to === '' || to === '.' || to.endsWith('/');
		if (several && !isFolder)
			throw fault(
				where,
				`${label(from, 80)} may be several files, which need a destination folder.`,
				`Write ${label(to, 80)}/ with a trailing /, or ./ for the root.`,
			);
		for (const {file, path: below, bytes} of found) {
			// A link is uploaded under its own name, not that of its target.
			const parts = [serverPath(to), several ? below : basename(local)];
			const path = isFolder ? parts.filter(part => part !== '').join('/') : serverPath(to);
			const other = uploads.get(path);
			if (other && other.file !== file)
				throw fault(
					where,
					`Both ${label(other.file, 120)} and ${label(file, 120)} would be uploaded to ${label(path, 120)}.`,
					'Give one of them another path.',
				);
			uploads.set(path, {file, path, bytes});
		}
	}
	return [...uploads.values()];
};

/**
 * Uploads files one after the other. On an existing server, only files that differ are sent.
 * `goesOn`: command that continues the upload.
 */
export const uploadAll = async (
	context: Context,
	{client}: Service,
	server: string,
	uploads: readonly Upload[],
	{isNew, goesOn}: {readonly isNew: boolean; readonly goesOn: string},
): Promise<{readonly uploaded: {path: string; bytes: number}[]; readonly unchanged: string[]}> => {
	const [uploaded, unchanged]: [{path: string; bytes: number}[], string[]] = [[], []];
	const call = {signal: context.signal};
	for (const [index, {file, path}] of uploads.entries()) {
		const at = `${index + 1}/${uploads.length} ${label(path, 200)}`;
		const content = await readListed(file);
		if (!isNew && (await fileIfEqual(client, server, path, content, call))) {
			unchanged.push(path);
			await printNotice(context, `${at} is already there`);
			continue;
		}
		const reply = await sendBytes(client, server, path, content, call);
		if (!reply.ok) {
			const {code, message, detail, next} = failed(reply.failure);
			throw new CommandError(
				code,
				`${label(path, 120)} was not uploaded: ${message}`,
				`${index} of ${uploads.length} files ${index === 1 ? 'was' : 'were'} uploaded. The server is running. ${next} Run ${goesOn} to continue.`,
				detail,
				reply.failure,
			);
		}
		uploaded.push({path, bytes: content.length});
		const unit = content.length === 1 ? 'byte' : 'bytes';
		await printNotice(context, `${at}, ${content.length.toLocaleString('en')} ${unit}`);
	}
	return {uploaded, unchanged};
};
