// JSON as people write it: with comments and commas after the last item. Comments become spaces, so that every line stays where it is.

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The same text as JSON. Small enough for the way to the first frame. */
export const plainJson = (text: string): string =>
	text.replace(/^\uFEFF/, ' ')
		.replaceAll(/"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, found => (found.startsWith('"') ? found : blank(found)))
		.replaceAll(/"(?:\\.|[^"\\\n])*"|,(?=\s*[}\]])/g, found => (found === ',' ? ' ' : found));

/** A value and where it stands, in UTF-16 offsets; of an object its members. */
export type JsonNode = {readonly start: number; readonly end: number; readonly members?: ReadonlyMap<string, JsonNode>};

/** Where the values of a text stand, which must be JSON: see {@link plainJson}. */
export const scanJson = (text: string): JsonNode => {
	const token = /\s*("(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+)/y;
	let at = 0;
	const next = (): {readonly text: string; readonly start: number} => {
		token.lastIndex = at;
		const [whole = '', found = ''] = token.exec(text) ?? [];
		const start = at + whole.length - found.length;
		at += whole.length;
		return {text: found, start};
	};
	const value = (first = next()): JsonNode => {
		if (first.text !== '{' && first.text !== '[') return {start: first.start, end: at};
		const members = new Map<string, JsonNode>();
		for (let index = 0, each = next(); each.text !== '}' && each.text !== ']' && each.text !== ''; each = next()) {
			if (each.text === ',') continue;
			if (first.text === '[') members.set(String(index++), value(each));
			else {
				next();
				members.set(JSON.parse(each.text) as string, value());
			}
		}
		return {start: first.start, end: at, members};
	};
	return value();
};

/** The value at a path as far as it is there: the innermost one that is. */
const nearest = (root: JsonNode, path: readonly string[]): {readonly node: JsonNode; readonly depth: number} => {
	let node = root;
	for (const [depth, name] of path.entries()) {
		const inner = node.members?.get(name);
		if (inner === undefined) return {node, depth};
		node = inner;
	}
	return {node, depth: path.length};
};

/** The line, from 1, of the value at a path; of what holds it when it is not there. */
export const lineOf = (text: string, path: readonly string[]): number => text.slice(0, nearest(scanJson(plainJson(text)), path).node.start).split('\n').length;

const written = (value: unknown, depth: number): string => JSON.stringify(value, null, '\t').replaceAll('\n', `\n${'\t'.repeat(depth)}`);

/** The text with a value at a path; all else, comments too, stays as it was written. */
export const withValue = (text: string, path: readonly string[], value: unknown): string => {
	const {node, depth} = nearest(scanJson(plainJson(text)), path);
	const missing = path.slice(depth);
	if (missing.length === 0) return text.slice(0, node.start) + written(value, depth) + text.slice(node.end);
	const inner = missing.slice(1).reduceRight<unknown>((nested, name) => ({[name]: nested}), value);
	const member = `\n${'\t'.repeat(depth + 1)}${JSON.stringify(missing[0])}: ${written(inner, depth + 1)}`;
	const isEmpty = node.members?.size === 0;
	const rest = text.slice(node.start + 1);
	return `${text.slice(0, node.start + 1)}${member}${isEmpty ? `\n${'\t'.repeat(depth)}${rest.trimStart()}` : `,${rest.startsWith('\n') ? '' : '\n'}${rest}`}`;
};
