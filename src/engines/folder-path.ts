import {foldedName, namesOf, pathFault, repositoryOf, windowsNameFault} from '../contract/paths.ts';
import {FileFault} from './files.ts';

/** Name of the temporary file next to a file that is being written. Requests cannot access it. */
const TEMP = /^\.svc-[0-9a-f]{16}\.tmp$/;
/** Folder in a server's root that is reserved for the service. */
const STATE = '.svc';

const WINDOWS = process.platform === 'win32';

/** `isProject`: true if the folder is the user's own, in which `.git` and `.hg` are reserved. */
export type FolderRoot = {
	/** Absolute path. */
	readonly path: string;
	readonly isProject: boolean;
};

/** True if the service reserves a name. `top`: the entry is directly in the root. */
export const isReserved = (name: string, top: boolean, {isProject}: FolderRoot): boolean =>
	TEMP.test(name) || (top && foldedName(name) === STATE) || (isProject && repositoryOf(name) !== undefined);

export const isTemp = (name: string): boolean => TEMP.test(name);

/**
 * Splits a path into names that are safe to join. Empty for the root.
 * @throws {FileFault} 400 if the path is invalid, 403 if it is reserved for the service.
 */
export const parsePath = (path: string, root: FolderRoot): readonly string[] => {
	const fault = pathFault(path);
	if (fault !== undefined) throw new FileFault(400, fault);
	const names = namesOf(path);
	const nameFault = WINDOWS ? names.map(windowsNameFault).find(reason => reason !== undefined) : undefined;
	if (nameFault !== undefined)
		throw new FileFault(400, `The path cannot be used on this machine: ${nameFault}.`);
	for (const [index, name] of names.entries()) {
		if (isReserved(name, index === 0, root))
			throw new FileFault(
				403,
				`${JSON.stringify(path)} is reserved by ${repositoryOf(name) ?? 'the service'} and cannot be accessed.`,
			);
	}
	return names;
};
