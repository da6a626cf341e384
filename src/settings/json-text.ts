// JSON with a byte order mark, comments and trailing commas, parsed by jsonc-parser.
import {
	applyEdits,
	findNodeAtLocation,
	getNodeValue,
	modify,
	parseTree,
	type Node,
	type ParseError,
} from 'jsonc-parser';

const treeOf = (text: string, errors?: ParseError[], isStrict = false): Node | undefined =>
	parseTree(text.replace(/^\uFEFF/, ' '), errors, {
		allowTrailingComma: !isStrict,
		disallowComments: isStrict,
	});

/** Line number of an offset, from 1. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Value of a text, or the first invalid line. `isStrict`: standard JSON only. */
export const readJson = (
	text: string,
	{isStrict = false}: {readonly isStrict?: boolean} = {},
): {readonly value: unknown} | {readonly faultLine: number} => {
	const errors: ParseError[] = [];
	const root = treeOf(text, errors, isStrict);
	const [first] = errors;
	if (first === undefined && root !== undefined) return {value: getNodeValue(root) as unknown};
	// Clamped, since the error of an incomplete file is after its last line break.
	return {faultLine: lineAt(text, Math.min(first?.offset ?? 0, text.trimEnd().length))};
};

/** Line of the value at a path, or of the nearest existing parent. */
export const lineOf = (text: string, path: readonly string[]): number => {
	const root = treeOf(text);
	if (root === undefined) return 1;
	const found = path.map((_, at) => path.slice(0, path.length - at)).map(part => findIn(root, part));
	return lineAt(text, (found.find(node => node !== undefined) ?? root).offset);
};

/** Finds the node at a path, in which array indexes are strings of digits. */
const findIn = (root: Node, path: readonly string[]): Node | undefined =>
	path.reduce<Node | undefined>(
		(node, step) => node && findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]),
		root,
	);

/** Sets a value at a path of names. The rest, comments included, is unchanged. */
export const withValue = (text: string, path: readonly string[], value: unknown): string =>
	applyEdits(
		text,
		modify(text, [...path], value, {formattingOptions: {insertSpaces: false, tabSize: 4, eol: '\n'}}),
	);
