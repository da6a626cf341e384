// Parses and writes the fences of Markdown code blocks. No other file does either.

/** Opening fence of a code block. `indent`: number of leading columns to remove from its lines. */
export type Fence = {readonly mark: string; readonly indent: number; readonly language: string};

/** Maximum length of a heading, list item, table row or part of a paragraph, in UTF-16 units. */
export const LONGEST = 4096;

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`{]*)/;

export const fenceIn = (line: string): Fence | null => {
	const [, indent, mark, language = ''] = FENCE.exec(line.slice(0, LONGEST)) ?? [];
	return mark === undefined ? null : {mark, indent: indent?.length ?? 0, language};
};

export const endsFence = (line: string, {mark}: Fence): boolean => {
	const [, found] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line.length > LONGEST ? '' : line) ?? [];
	return found !== undefined && found[0] === mark[0] && found.length >= mark.length;
};

/**
 * True if the line is the start of a closing fence, so that text that arrives later may complete
 * it.
 */
export const mayEndFence = (line: string, {mark}: Fence): boolean => {
	const [, found] = /^ {0,3}(`+|~+)$/.exec(line.length > LONGEST ? '' : line) ?? [];
	return found !== undefined && found[0] === mark[0] && found.length < mark.length;
};

/** Puts text into a code block. The fence is longer than any run of backticks in the text. */
export const fenced = (text: string, language = ''): string => {
	const longest = (text.match(/`+/g) ?? []).reduce((most, {length}) => Math.max(most, length), 2);
	const marks = '`'.repeat(longest + 1);
	return `${marks}${language}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${marks}`;
};
