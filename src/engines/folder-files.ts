import {lstat, mkdir, realpath} from 'node:fs/promises';
import type {FileEntry} from '../contract/files.ts';
import {flushFolder} from '../machine/atomic-write.ts';
import {digestOf, FileFault, type ExpectedContent, type Files, type Upload} from './files.ts';
import {
	assertRegular,
	decodeUpload,
	encodeContent,
	formatOf,
	readRegular,
	unnamedType,
} from './folder-content.ts';
import {canWrite, entryOf, listFolder} from './folder-entry.ts';
import {asFault, changed, subject} from './folder-fault.ts';
import {codeOf} from '../text/errors.ts';
import {MOST_HELD, readLarge} from './large-file.ts';
import {parsePath, type FolderRoot} from './folder-path.ts';
import {createAtMost} from './at-most.ts';
import {createInOrder} from './in-order.ts';
import {resolvePlace, type ResolvedPath} from './folder-resolve.ts';
import {writeAtomically} from './folder-write.ts';

export {sweepTemps} from './folder-write.ts';

/** Lists a folder. In a project, marks the entries that git ignores. */
const listed = async (root: FolderRoot, place: ResolvedPath): Promise<readonly FileEntry[]> => {
	const entries = await listFolder(root, place);
	if (!root.isProject) return entries;
	const {readGitIgnore} = await import('../machine/git-ignore.ts');
	const {ignores} = readGitIgnore(await realpath(root.path));
	return entries.map(entry =>
		ignores(entry.path, entry.type === 'directory') ? {...entry, ignored: true} : entry,
	);
};

type Found = ResolvedPath & {readonly stats: NonNullable<ResolvedPath['stats']>};

const find = async (root: FolderRoot, path: string): Promise<Found> => {
	const place = await resolvePlace(root, parsePath(path, root), {create: false});
	const {stats} = place;
	if (stats === null) throw new FileFault(404, `${subject(path)} does not exist.`);
	assertRegular(stats);
	return {...place, stats};
};

const fileEntry = async (
	{folder, target, names, stats}: Found,
	{
		format,
		size,
		content,
	}: {readonly format: 'text' | 'base64'; readonly size: number; readonly content: string | null},
): Promise<FileEntry> => {
	// Saving replaces the file, so its folder must be writable too.
	const entry = entryOf(names, stats, (await canWrite(target)) && (await canWrite(folder)));
	return {...entry, format, content, size, mimetype: entry.mimetype ?? unnamedType(format)};
};

const get = async (root: FolderRoot, path: string): Promise<FileEntry> => {
	const place = await find(root, path);
	const {target, names, stats} = place;
	if (stats.isDirectory()) {
		const entry = entryOf(names, stats, await canWrite(target));
		return {...entry, format: 'json', content: [...(await listed(root, place))]};
	}
	const bytes = await readRegular(target);
	return fileEntry(place, {...encodeContent(bytes), size: bytes.length});
};

const large: (root: FolderRoot, path: string) => ReturnType<NonNullable<Files['large']>> = async (
	root,
	path,
) => {
	const place = await find(root, path);
	if (place.stats.isDirectory() || place.stats.size <= MOST_HELD) return undefined;
	const content = await readLarge(place.target);
	return {entry: await fileEntry(place, {...content, content: null}), large: content};
};

const putFolder = async ({folder, target, names, stats}: ResolvedPath): Promise<FileEntry> => {
	if (stats === null) {
		await mkdir(target, {mode: 0o700});
		await flushFolder(folder);
	}
	return entryOf(names, stats ?? (await lstat(target, {bigint: true})), await canWrite(target));
};

const putFile = async (
	{target, names, stats}: ResolvedPath,
	bytes: Buffer,
	path: string,
): Promise<FileEntry> => {
	if (stats?.isDirectory()) throw new FileFault(409, `${subject(path)} is a folder, not a file.`);
	// Checked explicitly: renaming over a read-only file would succeed, because that needs only
	// write permission for the folder.
	if (stats !== null && !(await canWrite(target))) throw new FileFault(403, `${subject(path)} is read-only.`);
	const entry = entryOf(names, await writeAtomically(target, bytes, stats), true);
	return {...entry, size: bytes.length, mimetype: entry.mimetype ?? unnamedType(formatOf(bytes))};
};

/**
 * Limits concurrent operations in one folder. Node has only four threads for files, and operations
 * on a disk that does not respond would occupy all of them, even for other users.
 */
const atMost = createAtMost(2);

/** Runs this process's writes to the same file one at a time, in the order of the calls. */
export const inOrder = createInOrder();

const putPlace = async (
	root: FolderRoot,
	names: readonly string[],
	bytes: Buffer | null,
	path: string,
): Promise<FileEntry> => {
	const place = await resolvePlace(root, names, {create: true});
	if (place.stats !== null) assertRegular(place.stats);
	if (bytes !== null) return putFile(place, bytes, path);
	if (place.stats !== null && !place.stats.isDirectory())
		throw new FileFault(409, `${subject(path)} is a file, not a folder.`);
	return putFolder(place);
};

/**
 * Resolves the path of a file whose content is expected. Fails if the file is missing, and creates
 * no parent folders.
 */
const expectPlace = (root: FolderRoot, names: readonly string[], path: string): Promise<ResolvedPath> =>
	resolvePlace(root, names, {create: false}).catch((error: unknown) => {
		throw ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? changed(path) : error;
	});

const assertExpected = async (
	{target, stats}: ResolvedPath,
	expected: ExpectedContent,
	path: string,
): Promise<void> => {
	if (stats === null) throw changed(path);
	assertRegular(stats);
	if (expected === '*') return;
	if (stats.isDirectory() || !expected.includes(digestOf(await readRegular(target)))) throw changed(path);
};

const put = async (
	root: FolderRoot,
	path: string,
	upload: Upload,
	expected?: ExpectedContent,
): Promise<FileEntry> => {
	const names = parsePath(path, root);
	// Decoded first, so that invalid content does not leave new folders behind.
	const bytes = upload.type === 'directory' ? null : decodeUpload(upload);
	// Queued before any `await`, so that the last call wins. Queued a second time by target,
	// because two paths may lead to the same file.
	return inOrder(`asked ${root.path}/${path}`, async () => {
		const {target} =
			expected === undefined
				? await resolvePlace(root, names, {create: true})
				: await expectPlace(root, names, path);
		return inOrder(`place ${target}`, async () => {
			// Checked within the queue, so that the second of two writers with the same expectation
			// is rejected.
			if (expected !== undefined) await assertExpected(await expectPlace(root, names, path), expected, path);
			return putPlace(root, names, bytes, path);
		});
	});
};

/**
 * File operations in one folder of this machine. Entries have Jupyter's contents model plus
 * `serverPath`. The content of a folder is an array of entries, a notebook is a text file, and
 * bytes that are not UTF-8 are base64. A PUT creates missing parent folders and replaces the whole
 * file.
 * Symbolic links below the root are followed only for parent folders, and only if they stay within
 * the root. One gap remains: a user who can write to the folder can replace a parent by a link
 * between check and use.
 * In a project, `.git` is hidden at any depth, and listings mark the entries that git ignores.
 * @param path Absolute path of an existing folder.
 */
export const folderFiles = (
	path: string,
	{isProject = false}: {readonly isProject?: boolean} = {},
): Files => {
	const root = {path, isProject};
	const operate = <T>(asked: string, does: 'read' | 'write', work: () => Promise<T>): Promise<T> =>
		atMost(path, work).catch((error: unknown) => {
			throw asFault(error, asked, does);
		});
	return {
		get: asked => operate(asked, 'read', () => get(root, asked)),
		large: asked => operate(asked, 'read', () => large(root, asked)),
		put: (asked, upload, expected) => operate(asked, 'write', () => put(root, asked, upload, expected)),
	};
};
