// Runs the wording checks on all files. To be run in the root of the repository.
import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import ts from 'typescript';
import {
	CHECKS,
	changelogHits,
	commentHits,
	type Hit,
	type Range,
	stringHits,
	titleHits,
} from './language-checks.ts';

/** Files with prompts for models, which users do not read. */
const PROMPTS = [
	'src/contract/task-sentences.ts',
	'src/work/begin.ts',
	'src/work/results.ts',
	'src/service/assistant/models/system-prompt.ts',
];

const SCRIPT = /\.(tsx?|[cm]?js)$/;
const HASH = /\.(py|sh)$/;

/** Files with our own comments: no fixtures and no test data. */
const sourceFiles = (root: string): readonly string[] => [
	'CHANGELOG.md',
	'.dependency-cruiser.cjs',
	'eslint.config.js',
	...['src', 'test'].flatMap(folder =>
		readdirSync(join(root, folder), {recursive: true, withFileTypes: true})
			.filter(entry => entry.isFile() && (SCRIPT.test(entry.name) || HASH.test(entry.name)))
			.map(entry => relative(root, join(entry.parentPath, entry.name)))
			.filter(file => !/^test\/(tooling\/fixtures|storage\/kept-before)\/|\/node_modules\//.test(file))
			.toSorted(),
	),
];

const isText = (node: ts.Node): boolean =>
	ts.isStringLiteralLike(node) ||
	node.kind === ts.SyntaxKind.TemplateHead ||
	node.kind === ts.SyntaxKind.TemplateMiddle ||
	node.kind === ts.SyntaxKind.TemplateTail ||
	node.kind === ts.SyntaxKind.RegularExpressionLiteral ||
	node.kind === ts.SyntaxKind.JsxText;

/** True for an SQL statement, which is an argument of `exec` or `prepare`. */
const isStatement = ({parent}: ts.Node): boolean =>
	ts.isCallExpression(parent) &&
	ts.isPropertyAccessExpression(parent.expression) &&
	/^(exec|prepare)$/.test(parent.expression.name.text);

const rangesOf = (source: string, pattern: RegExp): readonly Range[] =>
	[...source.matchAll(pattern)].map(({index, 0: {length}}) => [index, index + length]);

type Parts = {readonly hits: readonly Hit[]; readonly comments: readonly Range[]};

/** Findings in strings and test titles, together with the comments of the file. */
const scriptParts = (file: string, source: string): Parts => {
	const tree = ts.createSourceFile(
		file,
		source,
		{languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone},
		true,
	);
	const hits: Hit[] = [];
	const readsUser = file.startsWith('src/') && !file.startsWith('src/build/') && !PROMPTS.includes(file);
	let code = '';
	let at = 0;
	const lineOf = (offset: number): number => tree.getLineAndCharacterOfPosition(offset).line + 1;
	const textOf = (node: ts.Node | undefined): string | null => {
		if (node === undefined) return null;
		if (ts.isTemplateExpression(node))
			return node.head.text + node.templateSpans.map(({literal}) => `…${literal.text}`).join('');
		return ts.isStringLiteralLike(node) || ts.isJsxText(node) ? node.text.trim() : null;
	};
	const visit = (node: ts.Node): void => {
		if (isText(node)) {
			const start = node.getStart(tree);
			// String contents are blanked out, so that text that resembles a comment does not
			// count.
			code += source.slice(at, start) + ' '.repeat(node.end - start);
			at = node.end;
		}
		const text = textOf(readsUser ? node : ts.isCallExpression(node) ? node.arguments[0] : undefined);
		if (text !== null && !isStatement(node))
			hits.push(...(readsUser ? stringHits : titleHits)(text, lineOf(node.getStart(tree))));
		ts.forEachChild(node, visit);
	};
	visit(tree);
	code += source.slice(at);
	return {hits, comments: rangesOf(code, /\/\/.*|\/\*[^]*?\*\//g)};
};

type Findings = {readonly hits: readonly Hit[]; readonly commentLines: number};

const findingsOf = (root: string, file: string): Findings => {
	const source = readFileSync(join(root, file), 'utf8');
	if (file === 'CHANGELOG.md') return {hits: changelogHits(source), commentLines: 0};
	const {hits, comments} = HASH.test(file)
		? {hits: [], comments: rangesOf(source, /(?<=^[ \t]*|[ \t]{2})#(?!!).*$/gm)}
		: scriptParts(file, source);
	return {
		hits: [...hits, ...commentHits(source, comments)].toSorted((one, other) => one.line - other.line),
		commentLines: comments.reduce(
			(sum, [start, end]) => sum + source.slice(start, end).split('\n').length,
			0,
		),
	};
};

/** Findings by file, for files at or below these paths, or for all files if there are no paths. */
export const findings = (root: string, paths: readonly string[] = []): ReadonlyMap<string, Findings> =>
	new Map(
		sourceFiles(root)
			.filter(
				file =>
					paths.length === 0 ||
					paths.some(path => file === path || file.startsWith(`${path.replace(/\/+$/, '')}/`)),
			)
			.map(file => [file, findingsOf(root, file)]),
	);

/** Each finding as `file:line: check: message`. */
export const findingLines = (found: ReadonlyMap<string, Findings>): readonly string[] =>
	[...found].flatMap(([file, {hits}]) =>
		hits.map(({check, line, message}) => `${file}:${line}: ${check}: ${message}`),
	);

const main = (args: readonly string[]): void => {
	const found = findings(process.cwd(), args);
	const hits = [...found.values()].flatMap(each => each.hits);
	const lines = [...found.values()].reduce((sum, {commentLines}) => sum + commentLines, 0);
	const each = CHECKS.map(check => `${check} ${hits.filter(hit => hit.check === check).length}`).join(', ');
	const total = `Total ${hits.length} (${each}); ${lines} comment lines`;
	process.stdout.write([...findingLines(found), total, ''].join('\n'));
	if (hits.length > 0) process.exitCode = 1;
};

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
