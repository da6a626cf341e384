import {link, rename, rm, unlink} from 'node:fs/promises';
import type {FileEntry} from '../contract/files.ts';
import {flushFolder} from '../machine/atomic-write.ts';
import {FileFault} from './files.ts';
import {assertRegular} from './folder-content.ts';
import {canWrite, entryOf} from './folder-entry.ts';
import {asFault, subject} from './folder-fault.ts';
import {codeOf} from '../text/errors.ts';
import {inOrder} from './folder-files.ts';
import {parsePath, type FolderRoot} from './folder-path.ts';
import {resolvePlace, type ResolvedPath} from './folder-resolve.ts';

/** File operations other than reading and writing. All throw {@link FileFault}. */
export type FolderChanges = {
	/** Returns the entry without its content. */
	look(path: string): Promise<FileEntry>;
	/** Fails if the target exists. */
	move(from: string, to: string): Promise<FileEntry>;
	remove(path: string): Promise<void>;
};

const placeOf = async (root: FolderRoot, path: string): Promise<ResolvedPath> => {
	const names = parsePath(path, root);
	if (names.length === 0) throw new FileFault(400, 'The root folder cannot be changed.');
	return resolvePlace(root, names, {create: false});
};

const taken = (path: string): FileFault => new FileFault(409, `${subject(path)} already exists.`);

/**
 * Renames an entry. Links a file to its new name before unlinking the old name, so that it cannot
 * overwrite a file created in the meantime. Folders, and file systems without links, rely on the
 * earlier check instead.
 */
const moveTo = async (from: ResolvedPath, to: ResolvedPath, path: string): Promise<void> => {
	if (to.stats !== null && (to.stats.ino !== from.stats?.ino || to.stats.dev !== from.stats.dev))
		throw taken(path);
	if (from.stats?.isFile() === true && to.stats === null) {
		const isLinked = await link(from.target, to.target).then(
			() => true,
			(error: unknown) => {
				if (codeOf(error) === 'EEXIST') throw taken(path);
				return false;
			},
		);
		if (isLinked) return unlink(from.target);
	}
	await rename(from.target, to.target);
};

export const folderChanges = (root: FolderRoot): FolderChanges => ({
	async look(path) {
		try {
			const {names, stats, target} = await resolvePlace(root, parsePath(path, root), {create: false});
			if (stats === null) throw new FileFault(404, `${subject(path)} does not exist.`);
			assertRegular(stats);
			return entryOf(names, stats, await canWrite(target));
		} catch (error) {
			throw asFault(error, path, 'read');
		}
	},
	async move(from, to) {
		try {
			const {target} = await placeOf(root, from);
			return await inOrder(`place ${target}`, async () => {
				const source = await placeOf(root, from);
				if (source.stats === null) throw new FileFault(404, `${subject(from)} does not exist.`);
				const goal = await placeOf(root, to);
				await moveTo(source, goal, to);
				await Promise.all([source.folder, goal.folder].map(flushFolder));
				const {names, stats} = await placeOf(root, to);
				return entryOf(names, stats ?? source.stats, await canWrite(goal.target));
			});
		} catch (error) {
			throw asFault(error, to, 'write');
		}
	},
	async remove(path) {
		try {
			const {target} = await placeOf(root, path);
			await inOrder(`place ${target}`, async () => {
				const {folder, stats} = await placeOf(root, path);
				if (stats === null) throw new FileFault(404, `${subject(path)} does not exist.`);
				// Removes a symbolic link itself, not its target.
				await rm(target, {recursive: stats.isDirectory()});
				await flushFolder(folder);
			});
		} catch (error) {
			throw asFault(error, path, 'write');
		}
	},
});
