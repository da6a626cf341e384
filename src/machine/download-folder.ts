// Local folder for files of a server. The service chooses their names and content. Therefore no
// file may be written outside the folder, nor to a path from which a program would run it.
import {lstat, readFile, realpath} from 'node:fs/promises';
import {dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import {namesFault, repositoryOf, windowsNameFault} from '../contract/paths.ts';
import {codeOf} from '../text/errors.ts';
import {localExists, LocalFileError, localErrorText, writeLocal} from './local-file.ts';
import {makeFolder} from './make-folder.ts';

/** Paths are relative to the folder and use `/`. */
export type DownloadFolder = {
	/** Reason why a file or folder must not be written, as a sentence, or undefined. */
	refusal(path: string): string | undefined;
	isThere(path: string): Promise<boolean>;
	/** True if the file at this path has these bytes. */
	holds(path: string, content: Uint8Array): Promise<boolean>;
	/**
	 * Writes atomically, creating parent folders.
	 * @throws {LocalFileError} if refused or failed.
	 */
	write(path: string, content: Uint8Array): Promise<void>;
};

const ownData = (program: string): string =>
	`it would become part of ${program}'s own data here, from which ${program} runs commands.`;

const refusalOf = (path: string): string | undefined => {
	const names = path.split('/');
	const fault =
		namesFault(names) ??
		(sep === '/' ? undefined : names.map(windowsNameFault).find(reason => reason !== undefined));
	if (fault !== undefined) return `${JSON.stringify(path)} cannot be a path on this machine: ${fault}.`;
	const program = names.map(repositoryOf).find(found => found !== undefined);
	return program === undefined ? undefined : `${JSON.stringify(path)} was not written: ${ownData(program)}`;
};

/** Local path of a file, always below the folder. @throws {LocalFileError} if refused. */
export const resolveBelow = (folder: string, path: string): string => {
	const refusal = refusalOf(path);
	if (refusal !== undefined) throw new LocalFileError(refusal);
	return join(folder, ...path.split('/'));
};

const orMissing = (error: unknown): null => {
	if (codeOf(error) === 'ENOENT') return null;
	throw error;
};

/** @throws {LocalFileError} unless the link-free path `real` is below `top`, outside git's data. */
const assertBelow = (top: string, real: string, link: string): void => {
	const from = relative(top, real);
	const names = from.split(sep);
	if (isAbsolute(from) || names[0] === '..')
		throw new LocalFileError(`${link} is a link that leads out of ${top}: nothing was written through it.`);
	const program = names.map(repositoryOf).find(found => found !== undefined);
	if (program !== undefined)
		throw new LocalFileError(`${link} is a link that was not followed: ${ownData(program)}`);
};

/** Creates missing folders above the file, and returns the real path of the last. */
const realParent = async (top: string, file: string): Promise<string> => {
	let folder = top;
	for (const name of relative(top, dirname(file)).split(sep)) {
		if (name === '') continue;
		const next = join(folder, name);
		const found = await lstat(next).catch(orMissing);
		if (found === null) makeFolder(next, 0o777);
		folder = found?.isSymbolicLink() ? await realpath(next) : next;
		if (found?.isSymbolicLink()) assertBelow(top, folder, next);
	}
	return folder;
};

/**
 * `folder`: the path that the user gave. Links in this path are followed; links below it must not
 * lead out of it.
 */
export const downloadFolder = (folder: string): DownloadFolder => ({
	refusal: refusalOf,
	isThere: async path => localExists(resolveBelow(folder, path)),
	async holds(path, content) {
		const found = await readFile(resolveBelow(folder, path)).catch(() => null);
		return found?.equals(content) === true;
	},
	async write(path, content) {
		resolveBelow(folder, path);
		const named = join(folder, path);
		try {
			makeFolder(resolve(folder), 0o777);
			const top = await realpath(folder);
			const place = resolveBelow(top, path);
			const parent = await realParent(top, place);
			const file = join(parent, place.slice(dirname(place).length));
			const found = await lstat(file).catch(orMissing);
			if (found?.isSymbolicLink()) {
				const target = await realpath(file).catch(orMissing);
				// The file replaces a dangling link.
				if (target !== null) assertBelow(top, target, named);
			} else if (found !== null && !found.isFile() && !found.isDirectory())
				throw new LocalFileError(`${named} is a device or a pipe here: nothing was written to it.`);
			await writeLocal(file, content);
		} catch (error) {
			throw error instanceof LocalFileError ? error : localErrorText('written', named, error);
		}
	},
});
