import {spawnSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isComplete, nextIndent} from '../../src/text/python/python-input.ts';
import {scanPython} from '../../src/text/python/python-scan.ts';
import {testCases} from '../support/test-cases.ts';

/** Statements at Python's prompt, with true if Enter runs them. */
const PROMPT: readonly (readonly [code: string, complete: boolean])[] = [
	['', true],
	['x', true],
	['\n', true],
	['# note', true],
	[' # note', true],
	['# note\n', true],
	['print(1);', true],
	["x = {'a': 1}", true],
	['d[1:2]', true],
	// Brackets.
	['(', false],
	['def f(', false],
	['x = [\n1,\n', false],
	['x = [\n1]\n', true],
	['f(a,\n\n', false],
	['({[', false],
	['({[]})', true],
	['(  # note', false],
	['"("', true],
	['# (', true],
	['x = (1 if y else\n2)', true],
	// Strings.
	["'''", false],
	['"""a\n', false],
	['"""a"""', true],
	['"""a\\"""', false],
	["rb'''x", false],
	['R"""\\"', false],
	['"a\\"b"', true],
	['r"\\"', true],
	['"a\\', false],
	['"a\\\nb"', true],
	["'\"'", true],
	["a = 'b' #'", true],
	['f"{x}"', true],
	['f"{{"', true],
	['f"{x!r:>{w}}"', true],
	['f"""{x', false],
	['f"""{x:', false],
	['f"""{x}', false],
	['f"{d[\'a\']:^10}"', true],
	['f"\\N{BULLET}"', true],
	['f"{x:%Y-%m}"', true],
	['f"{(lambda: 1)()}"', true],
	['f"{ {1: 2}[1] }"', true],
	['rf"\\{x}"', true],
	['u"x"', true],
	['x if y else"', true],
	['b"\'"', true],
	// Continuation.
	['x = 1 + \\', false],
	['x = 1 + \\\n2', true],
	['\\', false],
	['if x: \\', false],
	['if x:\n  y = \\', false],
	// Blocks.
	['if x:', false],
	['if x:\n', false],
	['if x:\n\n', false],
	['if x:  # note', false],
	['if x:\n  y', false],
	['if x:\n  y\n', true],
	['if x:\n  y\n\n', true],
	['if x:\n  y  # note', false],
	['if x:\n  # note', false],
	['if x:\n  # note\n', false],
	['if x:\n  y\n# note', false],
	['if x:\n  y\n# note\n', true],
	['if x:\n  ', false],
	['if x:\n  if y:\n    z', false],
	['if x:\n  if y:\n    z\n', true],
	['if x:\n  if y:\n', false],
	['if x:\n  y\nelse:', false],
	['if x:\n  y\nelse:\n  z', false],
	['if x:\n  y\nelse:\n  z\n', true],
	['if x: y', false],
	['if x: y\n', true],
	['if x: y; z', false],
	['for i in r: print(i)', false],
	['for i in r: print(i)\n', true],
	['while 1: pass', false],
	['class A: pass', false],
	['class A: pass\n', true],
	['class A:\n  x: int = 1\n', true],
	['with a: b\n', true],
	['async def f(): pass', false],
	['async def f(): pass\n', true],
	['try:\n  x\n', false],
	['try:\n  x\nexcept E:\n  y\n', true],
	['try:\n  x\nfinally: y\n', true],
	['try:\n  x\nexcept E: y\nelse: z\n', true],
	['try: x\n', false],
	['def f(a: int = 1) -> int:', false],
	['def f(a={1: 2}): return a', false],
	['if d[1:2]: x', false],
	['if (y := 1): x\n', true],
	['while lambda: x:', false],
	['def f():\n  """d\n', false],
	['def f():\n  """d"""\n', true],
	['match x:', false],
	['match x:\n  case 1: y', false],
	['match x:\n  case 1: y\n', true],
	['match x:\n  case 1:\n', false],
	['match = 1', true],
	['match[1:2]', true],
	['case: int = 1', true],
	['for i in r:\n  pass\nelse:\n  x\n', true],
	['if x:\n\ty\n', true],
	['@d', false],
	['@d\n', false],
	['@d\n\n', false],
	['@d\ndef f(): pass', false],
	['@d\ndef f(): pass\n', true],
	['@d(\n', false],
	['a @ b', true],
	// Code that no further text can complete is run, so that Python reports the error.
	[')', true],
	['(]', true],
	["'abc", true],
	["print('abc", true],
	['x =', true],
	['1 +', true],
	['else:', true],
	['lambda x:', true],
	['x:', true],
	['import', true],
	['  x', true],
	['x; if y: z', true],
	['x = 1 + \\\n', true],
	['if x:\n  )', true],
	['\\ x', true],
	['a ? b', true],
];

/**
 * Code that Python's prompt does not accept: several statements, text added by an editor, and
 * syntax of newer Pythons.
 */
const CELL: readonly (readonly [code: string, complete: boolean, why: string])[] = [
	['a = 1\nb = 2', true, 'several statements'],
	['a = 1\nif x:\n  y', false, 'a block after a statement'],
	['a = 1\nif x:\n  y\n', true, 'a block after a statement, ended'],
	['if x:\n  y\nz', true, 'a statement after a block'],
	['def f():\n  a\n\n  b', false, 'a blank line within a block'],
	['if x:\n    y\n    ', true, 'a blank line that the editor indented'],
	["f'{x", false, 'a replacement field may go on in the next line (3.12)'],
	["f'{x\n}'", true, 'a replacement field over two lines (3.12)'],
	['f"{d["a"]}"', true, 'the same quotes within a replacement field (3.12)'],
	['f"{x  # note\n}"', true, 'a comment in a replacement field (3.12)'],
	['t"""{x}', false, 't-strings (3.14)'],
	['f"{f"{1}"', false, 'nested f-strings (3.12)'],
	['f"{f"{1}"}"', true, 'nested f-strings, closed (3.12)'],
	['f"{x)}"', true, 'a bracket that closes nothing'],
];

describe('Enter runs the code when it is complete', () => {
	test.each(PROMPT)('%j: %s', (code, complete) => {
		expect(isComplete(code)).toBe(complete);
	});

	test.each(CELL)('%j: %s (%s)', (code, complete) => {
		expect(isComplete(code)).toBe(complete);
	});
});

const CODEOP = `
import codeop, json, sys, warnings
warnings.simplefilter('ignore')
def complete(code):
    try:
        return codeop.compile_command(code, symbol='single') is not None
    except (SyntaxError, ValueError, OverflowError):
        return True
print(json.dumps([complete(code) for code in json.load(sys.stdin)]))
`;
const python = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 10))'], {
	encoding: 'utf8',
});
const hasPython = python.stdout?.trim() === 'True';
if (!hasPython)
	console.warn("SKIPPED: the comparison with Python's own prompt needs python3 (3.10 or newer) in PATH");

test.skipIf(!hasPython)("Python's own prompt agrees for every code in the table", () => {
	const answer = spawnSync('python3', ['-c', CODEOP], {
		input: JSON.stringify(PROMPT.map(([code]) => code)),
		encoding: 'utf8',
	});
	const said = JSON.parse(answer.stdout) as boolean[];
	expect(PROMPT.map(([code], index) => [code, said[index]])).toEqual(
		PROMPT.map(([code, complete]) => [code, complete]),
	);
});

describe('a new line is indented', () => {
	test.each([
		['x = 1', ''],
		['if x:', '    '],
		['if x:\n    y', '    '],
		['if x:\n  if y:', '    '],
		['if x:\n\ty', '\t'],
		['if x:\n\tif y:', '\t\t'],
		['def f():\n  for a in b:\n    if c:', '      '],
		['def f():\n    return 1', ''],
		['for a in b:\n    if c:\n        break', '    '],
		['def f():\n    if c:\n        x\n        raise E', '    '],
		['return', ''],
		['if x: return', ''],
		['def f():\n    returned = 1', '    '],
		['f(', '    '],
		['f(a,', '    '],
		['f(\n    a,', '    '],
		['f(\n    g(', '        '],
		['f(\n    a,\n)', ''],
		['if x:\n    y = [', '        '],
		['x = {', '    '],
		['"""text', ''],
		['def f():\n    """text', '    '],
		['x = 1 + \\', '    '],
		['x = 1 + \\\n    2 + \\', '    '],
		['    ', '    '],
		['if x:\n    y\n    ', '    '],
		['@d', ''],
		['', ''],
		['# if x:', ''],
		['if x:  # note', '    '],
		['if x:\n    # note', '    '],
		['x = "if:"', ''],
	])('after %j: %j', (code, indent) => {
		expect(nextIndent(code)).toBe(indent);
	});

	test('by the text before the cursor only', () => {
		expect(nextIndent('if x: y', 5)).toBe('    ');
		expect(nextIndent('  if x:', 1)).toBe(' ');
	});
});

testCases('every text is read, and text after broken code changes nothing', 3000, cases => {
	const piece = fc.constantFrom(
		'if',
		'x',
		':',
		'(',
		')',
		'{',
		'}',
		'[',
		']',
		"'",
		'"',
		'"""',
		"'''",
		'f"',
		"t'''",
		'rb"',
		'\\',
		'\n',
		' ',
		'    ',
		'#',
		'@',
		'lambda',
		'N{',
		'!',
		'=',
		'.5',
		'表',
		'\ud83d',
	);
	fc.assert(
		fc.property(
			fc.array(piece, {maxLength: 30}).map(parts => parts.join('')),
			code => {
				const scan = scanPython(code);
				if (scan.isBroken) expect(scanPython(`${code}\nx`).isBroken).toBe(true);
				expect(nextIndent(code)).toMatch(/^[ \t]*$/);
				if (scan.brackets.length > 0 && !scan.isBroken) expect(isComplete(code)).toBe(false);
			},
		),
		{numRuns: cases},
	);
});
