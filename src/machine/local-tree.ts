import {readdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {readGitIgnore, type GitIgnore} from './git-ignore.ts';
import {localErrorText} from './local-file.ts';
import {maybeUndecodable, NOT_UTF8, undecodableNames} from './undecodable-names.ts';

/** Paths are relative to the folder, with `/`. */
export type LocalTree = {
	readonly files: readonly string[];
	/** Links, which are not followed because they may lead out of the folder. */
	readonly links: readonly string[];
	/** Entries that could not be listed, with the reason. */
	readonly missed: readonly {readonly path: string; readonly why: string}[];
};

/** Path of a folder without links. @throws {LocalFileError} if it cannot be listed. */
export const realFolder = (folder: string): string => {
	try {
		const path = realpathSync(folder);
		readdirSync(path);
		return path;
	} catch (error) {
		throw localErrorText('read', folder, error);
	}
};

/**
 * Files of a folder that git does not ignore, sorted. `folder`: from {@link realFolder}.
 * `entering`: called before a folder is listed.
 */
export const localTree = (
	folder: string,
	{ignores}: GitIgnore,
	entering: (path: string) => void = () => {},
): LocalTree => {
	const files: string[] = [];
	const links: string[] = [];
	const missed: {path: string; why: string}[] = [];
	const walk = (above: string): void => {
		try {
			entering(above);
			const entries = readdirSync(join(folder, above), {withFileTypes: true});
			const undecodable = entries.some(({name}) => maybeUndecodable(name))
				? undecodableNames(join(folder, above))
				: new Map<string, string>();
			const pathOf = (name: string): string => (above === '' ? name : `${above}/${name}`);
			for (const entry of entries) {
				const path = pathOf(entry.name);
				if (ignores(path, entry.isDirectory())) continue;
				const name = undecodable.get(entry.name);
				if (name !== undefined) {
					missed.push({path: pathOf(name), why: NOT_UTF8});
					continue;
				}
				if (entry.isDirectory()) walk(path);
				else if (entry.isFile()) files.push(path);
				else if (entry.isSymbolicLink()) links.push(path);
			}
		} catch (error) {
			missed.push({path: above, why: localErrorText('read', above, error).message});
		}
	};
	walk('');
	return {files: files.sort(), links, missed};
};

/**
 * Files of a folder that git does not ignore, and the rules that were applied. @throws
 * {LocalFileError} if the folder cannot be listed.
 */
export const listFolder = (
	folder: string,
	entering?: (path: string) => void,
): {readonly tree: LocalTree; readonly ignored: GitIgnore} => {
	const ignored = readGitIgnore(realFolder(folder));
	return {tree: localTree(folder, ignored, entering), ignored};
};
