// @module-tag long
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Cell, KernelEvent, LiveKernel} from '../../../src/engines/live-kernel.ts';
import {waitFor} from '../../support/wait-for.ts';
import {errorName, openPython, printed, value, type Python} from './python.ts';

let python: Python;
let kernel: LiveKernel;
const news: KernelEvent[] = [];
beforeAll(async () => {
	python = await openPython();
	if (!python.session.kernel) throw new Error('nothing can be watched');
	({kernel} = python.session);
	kernel.watch(each => news.push(each));
});
afterAll(() => python[Symbol.asyncDispose]());

const outputsOf = (cell: Cell): readonly Readonly<Record<string, unknown>>[] =>
	news.flatMap(each => (each.type === 'output' && each.cell === cell ? [each.output] : []));
const textOf = (cell: Cell): string =>
	outputsOf(cell)
		.map(({text = ''}) => text)
		.join('');
type Answer = {readonly matches: readonly string[]; readonly data: Readonly<Record<string, string>>};
const until = (check: () => void): Promise<void> => waitFor(check, {interval: 5});
const answersTo = async (code: string, question: 'complete' | 'inspect', extra = {}): Promise<Answer> =>
	(await kernel.ask(question, {code, cursor_pos: code.length, ...extra})) as Answer;

test('output of a cell arrives while it runs, and survives an interrupt', async () => {
	const cell = {code: 'for i in range(3): print(i)\nwhile True: pass'};
	const running = kernel.run(cell);
	await until(() => expect(textOf(cell)).toBe('0\n1\n2\n'));
	kernel.interrupt();
	expect((await running).error).toMatchObject({ename: 'KeyboardInterrupt'});
	expect(outputsOf(cell).at(-1)).toMatchObject({output_type: 'error', ename: 'KeyboardInterrupt'});
});

test('code run by the contract is announced too, with its variables', async () => {
	const begun = news.length;
	expect(value(await python.run('x = 41; x'))).toBe('41');
	expect(news.slice(begun).map(({type}) => type)).toEqual(['begin', 'output', 'end']);
	const cell = {code: 'print(x)'};
	await kernel.run(cell);
	expect(textOf(cell)).toBe('41\n');
});

test('a display is changed, and outputs are cleared, live and in the answer', async () => {
	const code =
		'print("one")\nclear_output()\nshown = display("two", display_id=True)\nshown.update("three")\nclear_output(wait=True)\ndisplay("four", display_id="a")\nupdate_display("five", display_id="a")';
	const cell = {code};
	await kernel.run(cell);
	expect(outputsOf(cell).map(({output_type}) => output_type)).toEqual([
		'stream',
		'clear_output',
		'display_data',
		'update_display_data',
		'clear_output',
		'display_data',
		'update_display_data',
	]);
	expect(await python.run(code)).toEqual([
		{output_type: 'display_data', data: {'text/plain': "'five'"}, metadata: {}},
	]);
});

test('input() and getpass() ask the watching client, an interrupt ends the question, and a late reply is dropped', async () => {
	const ask = {code: 'import getpass\nname = input("name? ")\nprint(name, getpass.getpass())', stdin: true};
	const running = kernel.run(ask);
	const questions = (): readonly unknown[] =>
		news.flatMap(each => (each.type === 'input' ? [[each.prompt, each.password]] : []));
	await until(() => expect(questions()).toEqual([['name? ', false]]));
	kernel.input('Zoë\n☃');
	await until(() => expect(questions().at(-1)).toEqual(['Password: ', true]));
	kernel.input('secret');
	await running;
	expect(textOf(ask)).toBe('Zoë\n☃ secret\n');

	const again = {code: 'input()', stdin: true};
	const waiting = kernel.run(again);
	await until(() => expect(questions()).toHaveLength(3));
	kernel.interrupt();
	expect((await waiting).error).toMatchObject({ename: 'KeyboardInterrupt'});
	kernel.input('late');
	const next = {code: 'print(input())', stdin: true};
	const third = kernel.run(next);
	await until(() => expect(questions()).toHaveLength(4));
	kernel.input('mine');
	await third;
	expect(textOf(next)).toBe('mine\n');
	expect(errorName(await python.run('input()'))).toBe('StdinNotImplementedError');
});

test('questions about the names run nothing, and count as no cell', async () => {
	await python.run(
		'import os\nclass Thing:\n    @property\n    def slow(self): print("ran"); return 1\n    def work(self, size=1):\n        "Does it."\nthing = Thing()\nprices = {"apple": 1, "pear": 2}',
	);
	const count = (await kernel.run({code: ''})).execution_count;
	const matches = async (code: string): Promise<readonly string[]> =>
		(await answersTo(code, 'complete')).matches;
	expect(await matches('thing.')).toEqual(['slow', 'work']);
	expect(await matches('x = 1\nos.path.joi')).toEqual(['join']);
	expect(await matches('prices["')).toEqual(['apple', 'pear']);
	expect(await matches('pric')).toEqual(['prices']);
	expect(await matches('import os.pa')).toEqual([]);
	expect(await matches('import asynci')).toEqual(['asyncio']);
	expect(await matches('from json import loa')).toEqual(['load', 'loads']);
	expect(await matches('thing.work(si')).toEqual(['size=']);
	expect(await matches('open("/usr/no/such/')).toEqual([]);
	expect(await matches('f(1).')).toEqual([]);
	expect(await matches('x = 1\n%ti')).toEqual(['%time', '%timeit']);
	expect(await matches('%%')).toEqual(['%%time', '%%timeit']);
	expect(await matches('x = 5 %ti')).toEqual([]);
	expect(await answersTo('thing.work(', 'inspect')).toMatchObject({found: true});
	expect((await answersTo('thing.work(', 'inspect')).data['text/plain']).toMatch(
		/^Signature: thing\.work\(size=1\)[^]*Does it\./,
	);
	expect((await answersTo('thing.work', 'inspect', {detail_level: 1})).data['text/plain']).toContain(
		'def work(self, size=1):',
	);
	expect(await answersTo('nothing', 'inspect')).toMatchObject({found: false});
	const whole = async (code: string): Promise<unknown> => kernel.ask('is_complete', {code});
	expect(await whole('1 + 1')).toEqual({status: 'complete'});
	expect(await whole('for i in range(3):')).toEqual({status: 'incomplete', indent: '    '});
	expect(await whole('f(')).toMatchObject({status: 'incomplete'});
	expect(await whole('1 +* 2')).toEqual({status: 'invalid'});
	expect(await whole('await x')).toEqual({status: 'complete'});
	expect(await kernel.ask('expressions', {a: '1 + 1', b: 'nothing'})).toMatchObject({
		a: {status: 'ok', data: {'text/plain': '2'}},
		b: {status: 'error', ename: 'NameError'},
	});
	expect((await kernel.run({code: ''})).execution_count).toBe(count + 1);
});

test('a restart ends what runs and forgets the names, and is reported', async () => {
	await python.run('x = 41');
	const cell = {code: 'print("began")\nwhile True: pass'};
	const running = kernel.run(cell);
	await until(() => expect(textOf(cell)).toBe('began\n'));
	const begun = news.length;
	await kernel.restart();
	expect((await running).error).toMatchObject({ename: 'KernelRestarted'});
	expect(news.slice(begun).map(({type}) => type)).toEqual(['restarting', 'started', 'output', 'end']);
	const after = await python.run('print("x" in globals())');
	expect([printed(after), printed(after, 'stderr')]).toEqual(['False\n', '']);
});
