// @module-tag long
import {expect, test} from 'vitest';
import {openPython, printed} from './python.ts';

const NEST = `
import sys, json, pickle, copy, ast, re, marshal, functools, itertools
def nest(depth=30_000, wrap=lambda x: [x]):
    x = 1
    for _ in range(depth): x = wrap(x)
    return x
class A:
    def __repr__(self): return repr(self)
    def __eq__(self, other): return [self] == [other]
    def __getattr__(self, name): return getattr(self, name + 'a')
def chain(step, last=1):
    for _ in range(30_000): last = step(last)
    return last
def sort(_): return sorted([1, 2], key=sort)
def attempt(text):
    sys.setrecursionlimit(1000)
    try:
        eval(text)
        return 'fine'
    except BaseException as error:
        return type(error).__name__
def without_limit(text):
    sys.setrecursionlimit(10**6)
    return eval(text)
`;

/** Code that works or raises an error, depending on free memory. It must never end the kernel. */
const DEEP = [
	'json.dumps(nest(100_000))',
	"json.dumps(nest(wrap=lambda x: {'a': x}))",
	'json.dumps(nest(), indent=1)',
	"json.loads('[' * 30_000)",
	`json.loads('{"a":' * 30_000)`,
	'repr(nest())',
	'repr(nest(wrap=lambda x: (x,)))',
	'repr(nest(wrap=lambda x: {1: x}))',
	'pickle.dumps(nest())',
	'copy.deepcopy(nest())',
	"without_limit('copy.deepcopy(nest())')",
	"ast.parse('(' * 30_000)",
	"ast.parse('-' * 30_000 + '1')",
	"compile('+'.join(['1'] * 30_000), '', 'eval')",
	"compile('a' + '.b' * 30_000, '', 'eval')",
	"compile('a' + '()' * 30_000, '', 'eval')",
	"compile('lambda:' * 30_000 + '1', '', 'eval')",
	"re.compile('(' * 30_000 + ')' * 30_000)",
	'nest() == nest()',
	'hash(nest(wrap=lambda x: (x,)))',
	'isinstance(1, nest(wrap=lambda x: (x, str)))',
	'marshal.dumps(nest())',
	'next(chain(lambda x: map(int, x), iter([1])))',
	'next(chain(itertools.chain, iter([1])))',
	"without_limit('repr(A())')",
	"without_limit('A() == A()')",
	"without_limit('A().x')",
	"without_limit('sort(1)')",
	'repr(chain(lambda x: list[x], int))',
	'del_deep()',
] as const;

test('no depth of nesting that a computer survives ends the kernel', async () => {
	await using python = await openPython();
	await python.run(`${NEST}\nkept = 1\ndef del_deep():\n    deep = nest()\n    del deep`);
	const results: unknown[] = [];
	for (const text of DEEP)
		results.push([text, printed(await python.run(`print(kept, attempt(${JSON.stringify(text)}))`)).trim()]);
	expect(results).toEqual(DEEP.map(text => [text, expect.stringMatching(/^1 (fine|\w+Error)$/)]));
	expect(results[0]).toEqual([DEEP[0], expect.stringMatching(/^1 (fine|RecursionError)$/)]);
	expect(
		printed(
			await python.run(
				"import asyncio\nasync def later():\n    await asyncio.sleep(0)\n    return attempt('json.dumps(nest())')\nprint(kept, await later())",
			),
		).trim(),
	).toMatch(/^1 (fine|RecursionError)$/);
});
