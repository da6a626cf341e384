import {foldedName, namesOf, pathFault, repositoryOf, windowsNameFault} from '../contract/paths.ts';
import {FileFault} from './files.ts';

/** Names of files while they are written; their own folder holds them, and nobody can address them. */
const TEMP = /^\.svc-[0-9a-f]{16}\.tmp$/;
/** The service's own folder inside a server's root. */
const STATE = '.svc';

const WINDOWS = process.platform === 'win32';

/** The files of a server. `isProject`: it is a folder of the user's own, in which `.git` and `.hg` belong to git and Mercurial. */
export type FolderRoot = {/** Absolute. */ readonly path: string; readonly isProject: boolean};

/** A name that is not the user's of the server. `top` says that it stands directly in the root. */
export const isReserved = (name: string, top: boolean, {isProject}: FolderRoot): boolean =>
	TEMP.test(name) || (top && foldedName(name) === STATE) || (isProject && repositoryOf(name) !== undefined);

export const isTemp = (name: string): boolean => TEMP.test(name);

/**
 * Splits a path into names that are safe to join to a folder. The empty path is the root: no names.
 * @throws {FileFault} 400 for what is no path on this machine, 403 for the service's own files.
 */
export const parsePath = (path: string, root: FolderRoot): readonly string[] => {
	const fault = pathFault(path);
	if (fault !== undefined) throw new FileFault(400, fault);
	const names = namesOf(path);
	const unkept = WINDOWS ? names.map(windowsNameFault).find(reason => reason !== undefined) : undefined;
	if (unkept !== undefined) throw new FileFault(400, `The path cannot be used on this machine: ${unkept}.`);
	for (const [index, name] of names.entries()) {
		if (isReserved(name, index === 0, root))
			throw new FileFault(
				403,
				`${JSON.stringify(path)} belongs to ${repositoryOf(name) ?? 'the service'} and cannot be read or written.`,
			);
	}
	return names;
};
