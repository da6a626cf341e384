/** A line of bash as its reader sees it, cut at the cursor. */
export type BashLine = {
	/** What stands behind the program's name, without quotes. */
	readonly before: readonly string[];
	/** The word at the cursor without quotes. */
	readonly typed: string;
	/** The same as it stands there. */
	readonly raw: string;
	/** The part of it that readline replaces: it cuts words at : and =. */
	readonly last: string;
};

const WORD = /(?:\\[^]|\\$|"(?:\\[^]|[^"\\])*\\?"?|'[^']*'?|[^\s\\"'])+/g;
const PART = /\\([^]|$)|"((?:\\[^]|[^"\\])*)\\?"?|'([^']*)'?/g;

/** A word of a line as its command gets it. */
export const unquoted = (word: string): string =>
	word.replaceAll(
		PART,
		(_, escaped?: string, double?: string, single?: string) =>
			escaped ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? '',
	);

export const bashLine = (line: string, last: string): BashLine => {
	const found = [...line.matchAll(WORD)];
	const end = found.at(-1);
	const words = found.map(([word]) => word);
	if (end === undefined || end.index + end[0].length < line.length) words.push('');
	const raw = words.at(-1) ?? '';
	return {
		before: words.slice(1, -1).map(unquoted),
		typed: unquoted(raw),
		raw,
		last: raw.endsWith(last) ? last : raw,
	};
};

/** The names that the word at the cursor begins, quoted as it is, without the part before it that readline leaves alone. `option`: what it begins with, as `--region=`. */
export const bashQuoted = (
	names: readonly string[],
	{typed, raw, last}: BashLine,
	option: string,
): string[] => {
	const value = raw.slice(option.length);
	const before = value.slice(0, Math.max(0, value.length - last.length));
	return names
		.filter(name => name.startsWith(typed.slice(option.length)))
		.map(name => (name.startsWith(before) ? name.slice(before.length) : name))
		.flatMap(name => {
			if (value.startsWith("'")) return name.includes("'") ? [] : [name];
			return [
				name.replaceAll(value.startsWith('"') ? /[\\"$`]/g : /[^\w@%+=:,./\u0080-\u{10FFFF}-]/gu, '\\$&'),
			];
		});
};
