import {lstat, mkdir, realpath} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import type {BigIntStats} from 'node:fs';
import {flushFolder} from '../machine/atomic-write.ts';
import {FileFault} from './files.ts';
import {codeOf} from '../text/errors.ts';
import {isReserved, type FolderRoot} from './folder-path.ts';

/**
 * Location of a user's path. `stats`: those of a link itself, not of its target. Null if nothing
 * exists there.
 */
export type ResolvedPath = {
	readonly folder: string;
	readonly target: string;
	readonly names: readonly string[];
	readonly stats: BigIntStats | null;
};

const MAX_PARENTS = 32;

const outside = (): FileFault =>
	new FileFault(403, "The path leads through a link to outside of the server's files.");

const orMissing = (error: unknown): null => {
	if (codeOf(error) === 'ENOENT') return null;
	throw error;
};

const statsOf = (path: string): Promise<BigIntStats | null> => lstat(path, {bigint: true}).catch(orMissing);

// Not `startsWith(root)`: that lets the sibling `root-2` through.
const assertInside = (root: FolderRoot, top: string, real: string): void => {
	if (real === top) return;
	if (!real.startsWith(top.endsWith(sep) ? top : top + sep)) throw outside();
	if (
		relative(top, real)
			.split(sep)
			.some((name, at) => isReserved(name, at === 0, root))
	)
		throw outside();
};

const makeFolder = async (folder: string, name: string): Promise<void> => {
	try {
		await mkdir(join(folder, name), {mode: 0o700});
	} catch (error) {
		// Another write created the same parent at the same time.
		if (codeOf(error) !== 'EEXIST') throw error;
	}
	// A new folder survives a power failure only if its parent was flushed to disk too.
	await flushFolder(folder);
};

/**
 * Walks from the root to the parent of the last name, and checks the real path at each step.
 * Follows links to folders inside the root, but not a link in the last name.
 * @param create Creates missing parents.
 * @throws {FileFault} or the file system's error.
 */
export const resolvePlace = async (
	root: FolderRoot,
	names: readonly string[],
	{create}: {readonly create: boolean},
): Promise<ResolvedPath> => {
	const top = await realpath(root.path);
	const last = names.at(-1);
	if (last === undefined) return {folder: top, target: top, names, stats: await statsOf(top)};
	if (create && names.length - 1 > MAX_PARENTS)
		throw new FileFault(400, `The path has more than ${MAX_PARENTS} folders.`);
	let folder = top;
	for (const name of names.slice(0, -1)) {
		const stats = await statsOf(join(folder, name));
		if (stats === null && create) await makeFolder(folder, name);
		const next = join(folder, name);
		folder = stats?.isDirectory()
			? next
			: await realpath(next).catch((error: unknown) => {
					// The name itself exists, so the target of its link must be missing.
					if (stats?.isSymbolicLink() && codeOf(error) === 'ENOENT') throw outside();
					throw error;
				});
		assertInside(root, top, folder);
	}
	const target = join(folder, last);
	return {folder, target, names, stats: await statsOf(target)};
};
