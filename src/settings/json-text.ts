// JSON as people write it, with jsonc-parser: a byte order mark, comments and commas after the last item are allowed.
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

/** Lines count from 1. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** The value of a text, or the line in which it stops being JSON. `isStrict`: as standard JSON has it. */
export const readJson = (
	text: string,
	{isStrict = false}: {readonly isStrict?: boolean} = {},
): {readonly value: unknown} | {readonly faultLine: number} => {
	const errors: ParseError[] = [];
	const root = treeOf(text, errors, isStrict);
	const [first] = errors;
	if (first === undefined && root !== undefined) return {value: getNodeValue(root) as unknown};
	// Where something is missing at the end, the error stands behind the last line end.
	return {faultLine: lineAt(text, Math.min(first?.offset ?? 0, text.trimEnd().length))};
};

/** The line of the value at a path; of what holds it when it is not there. */
export const lineOf = (text: string, path: readonly string[]): number => {
	const root = treeOf(text);
	if (root === undefined) return 1;
	const found = path.map((_, at) => path.slice(0, path.length - at)).map(part => findIn(root, part));
	return lineAt(text, (found.find(node => node !== undefined) ?? root).offset);
};

/** A step into a list is a number there. */
const findIn = (root: Node, path: readonly string[]): Node | undefined =>
	path.reduce<Node | undefined>(
		(node, step) => node && findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]),
		root,
	);

/** The text with a value at a path of names; all else, comments too, stays as it was written. */
export const withValue = (text: string, path: readonly string[], value: unknown): string =>
	applyEdits(
		text,
		modify(text, [...path], value, {formattingOptions: {insertSpaces: false, tabSize: 4, eol: '\n'}}),
	);
