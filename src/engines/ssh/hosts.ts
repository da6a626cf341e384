import {readdirSync, readFileSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {isHostAlias} from '../../contract/names.ts';

const LARGEST_FILE = 1 << 20;
const MOST_FILES = 256;

/**
 * Words in a line of a configuration file. Quotes group words, and an unquoted word starting with
 * `#` starts a comment.
 */
const wordsOf = (line: string): readonly string[] => {
	const words = [...line.matchAll(/"([^"]*)"|([^\s"]+)/g)];
	const comment = words.findIndex(([, , bare]) => bare?.startsWith('#'));
	return words.slice(0, comment < 0 ? words.length : comment).map(([, quoted, bare]) => quoted ?? bare ?? '');
};

const readLines = (file: string): readonly string[] => {
	try {
		const stats = statSync(file);
		return stats.isFile() && stats.size <= LARGEST_FILE ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
	} catch {
		return [];
	}
};

const toPattern = (glob: string): RegExp =>
	new RegExp(
		`^${glob
			.replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
			.replaceAll('*', '[^/]*')
			.replaceAll('?', '[^/]')}$`,
	);

/** Files that an `Include` names. The last part of the path may be a pattern. */
const included = (written: string, home: string): readonly string[] => {
	const path = written.startsWith('~/')
		? join(home, written.slice(2))
		: isAbsolute(written)
			? written
			: join(home, '.ssh', written);
	if (!/[*?[]/.test(basename(path))) return [path];
	try {
		const pattern = toPattern(basename(path));
		return (
			readdirSync(dirname(path))
				// A hidden file matches only a pattern that starts with a dot itself.
				.filter(name => pattern.test(name) && (!name.startsWith('.') || basename(path).startsWith('.')))
				.sort()
				.map(name => join(dirname(path), name))
		);
	} catch {
		return [];
	}
};

/**
 * Names in the `Host` lines of `~/.ssh/config` and of included files, in order and without
 * patterns. Files that cannot be read are skipped, because `ssh` itself reports them.
 */
export const listAliases = (home: string): readonly string[] => {
	const names = new Set<string>();
	const files = new Set<string>();
	const read = (file: string): void => {
		if (files.has(file) || files.size >= MOST_FILES) return;
		files.add(file);
		for (const line of readLines(file)) {
			const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
			const words = wordsOf(rest);
			if (/^host$/i.test(keyword)) for (const word of words) if (isHostAlias(word)) names.add(word);
			if (/^include$/i.test(keyword))
				for (const word of words) for (const each of included(word, home)) read(each);
		}
	};
	read(join(home, '.ssh', 'config'));
	return [...names];
};
