import {closeSync, constants, existsSync, fstatSync, openSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import ignore from 'ignore';
import {repositoryOf} from '../contract/paths.ts';

type Rules = ReturnType<typeof ignore>;

/** Bytes of a file of patterns; a larger one was made to be slow. */
const LONGEST_FILE = 1 << 20;
/** Stars in one name of a pattern: each more multiplies the ways in which a long name may match. */
const MOST_STARS = 4;
/** Names of a pattern that stand for any number of folders: each more multiplies the ways for a deep path. */
const MOST_DEEP = 3;
/** Names of a path that is matched: no project is deeper, and each more costs time for such patterns. */
const DEEPEST = 64;
/** Characters of a pattern: no path is longer. */
const LONGEST_PATTERN = 4096;

/** False for a pattern that takes long to match, or is too large to be compiled. */
const isPlain = (pattern: string): boolean => {
	const names = pattern.split('/');
	return (
		pattern.length <= LONGEST_PATTERN &&
		names.every(name => (name.match(/\*+/g)?.length ?? 0) <= MOST_STARS) &&
		names.filter(name => /^\*{2,}$/.test(name)).length <= MOST_DEEP
	);
};

/** The rules of a file; null where there is none. As for git, a link is no such file. */
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

/** What git leaves out of a folder, by the `.gitignore` files in it, in the folders below, in those above up to the repository's, and by its `info/exclude`. */
export type GitIgnore = {
	/** `path`: from the folder, with `/`. True too of what lies in an ignored folder, and of `.git` itself. */
	ignores(path: string, isFolder: boolean): boolean;
};

const isGit = (names: readonly string[]): boolean => repositoryOf(names.at(-1) ?? '') === 'git';

/** Names from the repository's root to a folder; none where no repository holds it. */
const namesAbove = (folder: string): readonly string[] => {
	const names: string[] = [];
	for (let at = folder; ; at = dirname(at)) {
		if (existsSync(join(at, '.git'))) return names;
		if (dirname(at) === at) return [];
		names.unshift(at.slice(dirname(at).length).replace(/^\//, ''));
	}
};

/** Reads each file of patterns once. `folder`: absolute, without links. */
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
	/** Of one name, the folders above it being there. The innermost file that says something decides. */
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
