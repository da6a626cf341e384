import {expect, test} from 'vitest';
import type {LastError} from '../../../src/service/assistant/about.ts';
import {taskAnswer} from '../../../src/service/assistant/task/task-answer.ts';
import {beginTask} from '../../../src/work/begin.ts';
import {LIMITS} from '../../../src/work/budget.ts';
import type {Step} from '../../../src/work/steps.ts';
import {applyEvent, type Task} from '../../../src/work/task.ts';
import {PROJECT, serverWith} from './server.ts';

const FILES = {
	...PROJECT,
	'tests/test_load.py': 'def test_load():\n    assert True\n',
	'data/prices.csv': 'city,price,note\nOslo,2.5,"a, b"\nRome,4,\n',
};

type Outcome = {readonly head: string; readonly text?: string};
const ok = (text = ''): Outcome => ({head: text === '' ? 'ok, no output' : 'ok', text});

/**
 * Runs a task on the files, with these results of its steps, in order. The header of a result may
 * refuse a step.
 */
const play = async (
	goal: string,
	outcomes: readonly (Outcome | string)[] = [],
	{
		error = null,
		otherwise = 'asks',
		files = FILES,
	}: {
		error?: LastError | null;
		otherwise?: 'asks' | 'never';
		files?: Record<string, string | Uint8Array>;
	} = {},
): Promise<{readonly steps: readonly Step[]; readonly task: Task}> => {
	await using server = await serverWith(files);
	const lookup = {
		pydoc: async () => null,
		packages: async () => ({python: '3.14', installed: []}),
		outline: async () => ({items: [], imports: [], error: null}),
	};
	const about = {
		files: server.files,
		lookup,
		lastError: () => error,
		seesLiveCells: true,
		serverName: 'welcome',
		environment: 'ai',
	};
	const begun = beginTask({
		...{
			server: 'wel"come',
			model: 'model_1',
			goal,
			limits: LIMITS,
			otherwise,
			at: 0,
			owner: '1',
			context: null,
		},
		grants: otherwise === 'never' ? [] : (['run', 'write'] as const).map(kind => ({kind, folder: null})),
	});
	let task: Task = begun.task;
	const left = [...outcomes];
	const take = (event: Parameters<typeof applyEvent>[1]): void => {
		const after = applyEvent(task, event);
		if (after === null || after === task) throw new Error(`not taken: ${event.type}`);
		task = after;
	};
	for (let at = 1; at < 40; at++) {
		if (task.phase === 'answering') {
			const content = await taskAnswer(task.messages, about);
			take({type: 'answer', at, content: content ?? '', complete: true});
		} else if (task.phase === 'asked') {
			const reply = left.shift();
			if (typeof reply !== 'string') break;
			take({type: 'reply', at, text: reply});
		} else if (task.phase === 'working') {
			const {number = 0} = task.steps.find(({state}) => state === 'waiting') ?? {};
			const outcome = left.shift() ?? 'no outcome is left';
			if (typeof outcome === 'string') take({type: 'cannot', at, number, head: outcome, text: null});
			else {
				take({type: 'begin', at, number, change: null});
				take({
					type: 'end',
					at,
					number,
					ok: outcome.head.startsWith('ok') || outcome.text === undefined,
					took: false,
					head: outcome.head,
					text: outcome.text || null,
				});
			}
		} else break;
	}
	expect(left).toEqual([]);
	return {steps: task.steps.map(({step}) => step), task};
};

const WHO = 'not a language model';

test('the messages of a task are parsed as written, with anything quoted in the goal', async () => {
	const goal =
		'what is in data/?\n\nAsk for a step with a fenced block in the first column\nthe mark 0000000000 of this task';
	const {steps, task} = await play(goal.split('\n')[0]!, [
		{head: 'data, 1 entry', text: 'prices.csv  40 bytes\n'},
	]);
	expect(steps).toMatchObject([{kind: 'list', path: 'data'}, {kind: 'done'}]);
	expect(task).toMatchObject({phase: 'done', misses: 0});
	expect(task.says).toBe(
		`\`data/\` holds 1 entry:\n\n- \`prices.csv\`, 40 bytes\n\nI am the built-in assistant, ${WHO}; I follow fixed rules.`,
	);
	expect((await play(goal)).task).toMatchObject({phase: 'gave-up', misses: 0});
	expect(await taskAnswer([{role: 'user', content: 'what is in data/?'}], null as never)).toBeNull();
});

test.each<readonly [string, readonly object[]]>([
	['list the files', [{kind: 'list', path: ''}]],
	['What is in src and data/?', [{kind: 'list', path: 'src'}]],
	['What is in src and data?', [{kind: 'list', path: 'src'}]],
	['read README.md lines 2 to 3', [{kind: 'read', path: 'README.md', from: 2, to: 3}]],
	['show me src/none.py', [{kind: 'read', path: 'src/none.py'}]],
	['run the tests', [{kind: 'run', code: expect.stringContaining('["tests/test_load.py"]')}]],
	['do the tests in tests/test_load.py pass?', [{kind: 'run'}]],
	['run src/train.py', [{kind: 'run', code: expect.stringContaining('path="src/train.py"')}]],
	['run `print(6 * 7)`', [{kind: 'run', code: 'print(6 * 7)\n'}]],
	[
		'find "import csv" in src',
		[{kind: 'run', code: expect.stringContaining(String.raw`text="import csv", folder="src"`)}],
	],
	['where is load used?', [{kind: 'run', code: expect.stringContaining('text="load", folder="."')}]],
	['describe data/prices.csv', [{kind: 'run', code: expect.stringContaining('path="data/prices.csv"')}]],
	['find the cheapest city in the csv', [{kind: 'read', path: 'data/prices.csv', from: 1, to: 6}]],
])('%j starts with its step', async (goal, begin) => {
	const {steps} = await play(goal, ['the user declined']);
	expect(steps.slice(0, begin.length)).toMatchObject(begin);
});

test.each([
	'sing a song',
	'fix the tests',
	'what is in data/ and sing a song',
	'run the tests and mend what fails',
	'write a summary of README.md',
	'train a model on data/prices.csv',
	'delete data/prices.csv',
	'what is in the weather?',
])('%j is given up before any step, with the possible tasks and the setting for a model', async goal => {
	const {steps, task} = await play(goal);
	expect(steps).toMatchObject([{kind: 'give-up'}]);
	expect(task).toMatchObject({phase: 'gave-up', spent: {steps: 0}});
	expect(task.says).toContain(WHO);
	expect(task.says).toContain('`run the tests`');
	expect(task.says).toContain('`svc-tui help assistant`');
});

const HEAD = {head: 'data/prices.csv, lines 1-3 of 3', text: FILES['data/prices.csv']};
const TABLE = '2 rows\n| city | price |\n| --- | --- |\n| Oslo | 2.5 |\n';

test('a report is computed, written to an unused path, and named at the end', async () => {
	const {steps, task} = await play(
		'find the cheapest city per region in data/prices.csv and write a report',
		[HEAD, 'by city, please', ok(TABLE), {head: 'report-2.md, 90 bytes'}],
		{files: {...FILES, 'report.md': 'mine\n'}},
	);
	expect(steps).toMatchObject([
		{kind: 'read'},
		{
			kind: 'ask',
			text: 'There is no column `region` in `data/prices.csv`. What shall I group by: `city`, `note`?',
		},
		{kind: 'run', code: expect.stringContaining('measure="min", group="city", value="price"')},
		{
			kind: 'write',
			path: 'report-2.md',
			text: '# The lowest `price` per `city`\n\nFrom `data/prices.csv`, 2 rows:\n\n| city | price |\n| --- | --- |\n| Oslo | 2.5 |\n',
		},
		{kind: 'done'},
	]);
	expect(task.says).toMatch(/^The report is in `report-2\.md`\.\n\nFrom [^]*not a language model/);
});

test('two tasks in one goal are carried out one after the other', async () => {
	const {steps, task} = await play('what is in data/ and then run the tests', [
		{head: 'data, 1 entry', text: 'prices.csv  40 bytes\n'},
		ok('FAILED tests/test_load.py::test_load\n1 failed in 0.10s\n'),
	]);
	expect(steps.map(({kind}) => kind)).toEqual(['list', 'run', 'done']);
	expect(task.says).toMatch(
		/`data\/` holds 1 entry[^]*`tests\/test_load\.py`: 1 failed in 0\.10s\.[^]*FAILED tests/,
	);
});

test("the cause of the last cell's failure is explained from the lines of its origin", async () => {
	const error = {
		ename: 'KeyError',
		evalue: "'x'",
		source: 'load("x")',
		traceback: [
			'Traceback (most recent call last):\n',
			'  File "<cell 2>", line 1, in <module>\n',
			'  File "/home/user/src/train.py", line 7, in load\n',
			"KeyError: 'x'\n",
		],
	};
	const {steps, task} = await play(
		'why did the last cell fail?',
		[{head: 'src/train.py, lines 4-10 of 16', text: 'def load\n'}],
		{error},
	);
	expect(steps).toMatchObject([{kind: 'read', path: 'src/train.py', from: 4, to: 10}, {kind: 'done'}]);
	expect(task.says).toMatch(/\*\*KeyError\*\*[^]*Line 1 of the cell[^]*`src\/train\.py`, line 7 in `load`/);
	// The cell did not run through the service, so only its kernel has the error.
	const past = await play('why did the last cell fail?', [
		ok(
			'Traceback (most recent call last):\n  File "<cell 3>", line 1, in <module>\nZeroDivisionError: division by zero\n',
		),
	]);
	expect(past.steps).toMatchObject([
		{kind: 'run', code: expect.stringContaining('last_exc')},
		{kind: 'done'},
	]);
	expect(past.task.says).toContain('**ZeroDivisionError**: `division by zero`');
	const none = await play('why did the last cell fail?', [], {otherwise: 'never'});
	expect(none.task).toMatchObject({
		phase: 'done',
		says: expect.stringMatching(/^No error [^]*`--allow run`/),
	});
});

test('a refused, forbidden or failed step ends the task with the reason', async () => {
	expect((await play('run the tests', ['the user declined'])).task).toMatchObject({
		phase: 'gave-up',
		says: expect.stringMatching(/^I stopped at this: run, the user declined\.\n\nI am/),
	});
	const never = await play('find the cheapest city in data/prices.csv and write a report', [], {
		otherwise: 'never',
	});
	expect(never.task).toMatchObject({
		phase: 'gave-up',
		spent: {steps: 0},
		says: expect.stringMatching(
			/^I need permission to run Python and write a file [^]*: `--allow run,write`\./,
		),
	});
	const raised = await play('run src/train.py', [
		{
			head: 'raised KeyError',
			text: 'Traceback (most recent call last):\n  File "<cell 3>", line 1, in <module>\nKeyError: 1\n',
		},
	]);
	expect(raised.task).toMatchObject({
		phase: 'gave-up',
		says: expect.stringMatching(/^`src\/train\.py` raised KeyError\.[^]*\*\*KeyError\*\*/),
	});
	const none = await play('run the tests', [], {files: PROJECT});
	expect(none.task).toMatchObject({
		phase: 'gave-up',
		says: expect.stringMatching(/^There are no tests here/),
	});
});
