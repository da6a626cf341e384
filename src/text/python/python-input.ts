import {scanPython, type LogicalLine, type PythonScan} from './python-scan.ts';

const UNIT = '    ';
const ENDS_BLOCK = new Set(['return', 'pass', 'break', 'continue', 'raise']);
/** Clauses such as `else`, with the statements that each may follow. */
const CLAUSE_OF: Readonly<Record<string, readonly string[]>> = {
	elif: ['if', 'elif'],
	else: ['if', 'elif', 'for', 'while', 'except'],
	except: ['try', 'except'],
	finally: ['try', 'except', 'else'],
};

/** Width of an indentation in columns. A tab advances to the next multiple of 8, as in Python. */
const columns = (indent: string): number => {
	let column = 0;
	for (const character of indent) column = character === '\t' ? column + 8 - (column % 8) : column + 1;
	return column;
};

type Block = {readonly indent: number; readonly keyword: string};

/**
 * Blocks that are open after the last line. Null if the clauses are invalid, as with a missing
 * `try`.
 */
const openBlocks = (lines: readonly LogicalLine[]): readonly Block[] | null => {
	const blocks: Block[] = [];
	for (const {indent, keyword, role} of lines) {
		const column = columns(indent);
		let ended: Block | undefined;
		while ((blocks.at(-1)?.indent ?? -1) >= column) ended = blocks.pop();
		const owners = role === 'simple' ? undefined : CLAUSE_OF[keyword];
		if (
			owners !== undefined &&
			(ended === undefined || ended.indent !== column || !owners.includes(ended.keyword))
		)
			return null;
		if (owners === undefined && ended?.keyword === 'try') return null;
		if (role !== 'simple') blocks.push({indent: column, keyword: role === 'decorator' ? '@' : keyword});
	}

	return blocks;
};

const isUnfinished = (scan: PythonScan): boolean =>
	scan.isInString || scan.brackets.length > 0 || scan.isContinued;

/**
 * True if Enter should run the code, by the rules of Python's own prompt. Brackets and
 * triple-quoted strings must be closed. A blank line ends each block, even a one-line block,
 * because an `else` may follow it. Code that no further text can repair counts as complete, so that
 * Python reports the error.
 */
export const isComplete = (code: string): boolean => {
	const scan = scanPython(code);
	if (scan.isBroken) return true;
	if (isUnfinished(scan)) return false;
	const blocks = openBlocks(scan.lines);
	const last = scan.lines.at(-1);
	if (blocks === null || last === undefined || blocks.length === 0) return true;
	if (last.role === 'opens-block' || last.role === 'decorator') return false;
	return scan.endsBlank && !blocks.some(({keyword}) => keyword === 'try');
};

const physicalIndent = (code: string, at: number): string => {
	const start = at === 0 ? 0 : code.lastIndexOf('\n', at - 1) + 1;
	return /^[ \t]*/.exec(code.slice(start, at))?.[0] ?? '';
};

/** Indentation step of the code: that of its first indented line, or four spaces. */
const unitOf = (lines: readonly LogicalLine[]): string => {
	for (const [index, line] of lines.entries()) {
		const outer = lines[index - 1];
		if (
			outer?.role === 'opens-block' &&
			line.indent.length > outer.indent.length &&
			line.indent.startsWith(outer.indent)
		)
			return line.indent.slice(outer.indent.length);
	}

	return UNIT;
};

/** Indentation of the statement whose block contains the last line. */
const outerIndent = (lines: readonly LogicalLine[], indent: string): string => {
	for (let at = lines.length - 2; at >= 0; at--) {
		const line = lines[at];
		if (line !== undefined && columns(line.indent) < columns(indent)) return line.indent;
	}

	return '';
};

/**
 * Indentation of a new line at `cursor`. Increases after a colon and inside brackets. Decreases
 * after `return`, `pass`, `break`, `continue` and `raise`.
 */
export const nextIndent = (code: string, cursor: number = code.length): string => {
	const before = code.slice(0, cursor);
	const scan = scanPython(before);
	const current = physicalIndent(before, before.length);
	// Strings and blank lines keep the indentation of the line.
	if (scan.isInString || before.slice(before.lastIndexOf('\n') + 1).trim() === '') return current;
	const unit = unitOf(scan.lines);
	const bracket = scan.brackets.at(-1);
	if (bracket !== undefined) return physicalIndent(before, bracket.at) + unit;
	const line = scan.lines.at(-1);
	if (line === undefined) return current;
	if (scan.isContinued || line.role === 'opens-block') return line.indent + unit;
	return line.role === 'simple' && ENDS_BLOCK.has(line.keyword)
		? outerIndent(scan.lines, line.indent)
		: line.indent;
};
