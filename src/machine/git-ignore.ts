import {closeSync, constants, existsSync, fstatSync, openSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import ignore from 'ignore';
import {repositoryOf} from '../contract/paths.ts';

type Rules = ReturnType<typeof ignore>;

/** Largest pattern file, in bytes. A larger file is probably meant to slow the program down. */
const LONGEST_FILE = 1 << 20;
/** Stars per name in a pattern. Each multiplies the possible matches of a long name. */
const MOST_STARS = 4;
/** `**` parts per pattern. Each multiplies the possible matches of a deep path. */
const MOST_DEEP = 3;
/** Maximum number of names in a matched path. No project is deeper, and depth costs time. */
const DEEPEST = 64;
/** Maximum number of characters in a pattern. No path is longer. */
const LONGEST_PATTERN = 4096;

/** False for a pattern that is slow to match, or too large to compile. */
const isPlain = (pattern: string): boolean => {
	const names = pattern.split('/');
	return (
		pattern.length <= LONGEST_PATTERN &&
		names.every(name => (name.match(/\*+/g)?.length ?? 0) <= MOST_STARS) &&
		names.filter(name => /^\*{2,}$/.test(name)).length <= MOST_DEEP
	);
};

/**
 * Rules of a pattern file. Null if it cannot be used. Like git, ignores the file if it is a link.
 */
const rulesOf = (file: string): Rules | null => {
	let descriptor: number;
	try {
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch {
		return null;
	}
	try {
		const stats = fstatSync(descriptor);
		if (!stats.isFile() || stats.size > LONGEST_FILE) return null;
		const patterns = readFileSync(descriptor, 'utf8').split(/\r?\n/).filter(isPlain);
		return ignore({ignorecase: false, allowRelativePaths: true}).add(patterns);
	} catch {
		return null;
	} finally {
		closeSync(descriptor);
	}
};

/** Files that git ignores in a folder: by all applicable `.gitignore` files and `info/exclude`. */
export type GitIgnore = {
	/** `path`: relative to the folder, with `/`. True also in ignored folders and for `.git`. */
	ignores(path: string, isFolder: boolean): boolean;
};

const isGit = (names: readonly string[]): boolean => repositoryOf(names.at(-1) ?? '') === 'git';

/** Names from the repository's root to a folder. Empty outside any repository. */
const namesAbove = (folder: string): readonly string[] => {
	const names: string[] = [];
	for (let at = folder; ; at = dirname(at)) {
		if (existsSync(join(at, '.git'))) return names;
		if (dirname(at) === at) return [];
		names.unshift(at.slice(dirname(at).length).replace(/^\//, ''));
	}
};

/** Reads each pattern file once. `folder`: absolute, without links. */
export const readGitIgnore = (folder: string): GitIgnore => {
	const above = namesAbove(folder);
	const root = above.reduce(at => dirname(at), folder);
	const known = new Map<string, readonly Rules[]>();
	const rulesIn = (names: readonly string[]): readonly Rules[] => {
		const place = names.join('/');
		const rules =
			known.get(place) ??
			[
				...(names.length === 0 ? [rulesOf(join(root, '.git/info/exclude'))] : []),
				rulesOf(join(root, ...names, '.gitignore')),
			].filter(each => each !== null);
		known.set(place, rules);
		return rules;
	};
	/**
	 * True if the last name itself is ignored, regardless of its parents. The innermost matching
	 * file decides.
	 */
	const isOut = (names: readonly string[], isFolder: boolean): boolean => {
		if (names.length > DEEPEST) return false;
		let isIgnored = false;
		for (let depth = 0; depth < names.length; depth++)
			for (const rules of rulesIn(names.slice(0, depth))) {
				const {ignored, unignored} = rules.test(names.slice(depth).join('/') + (isFolder ? '/' : ''));
				if (ignored) isIgnored = true;
				else if (unignored) isIgnored = false;
			}
		return isIgnored;
	};
	const folders = new Map<string, boolean>();
	const isFolderOut = (names: readonly string[]): boolean => {
		const path = names.join('/');
		const found =
			folders.get(path) ??
			(names.length > above.length &&
				(isGit(names) || isFolderOut(names.slice(0, -1)) || isOut(names, true)));
		folders.set(path, found);
		return found;
	};
	return {
		ignores(path, isFolder) {
			const names = [...above, ...path.split('/')];
			if (isGit(names)) return true;
			return isFolder ? isFolderOut(names) : isFolderOut(names.slice(0, -1)) || isOut(names, false);
		},
	};
};
