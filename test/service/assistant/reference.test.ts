import {chmod, mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import type {Message} from '../../../src/contract/assistant.ts';
import type {Lookup} from '../../../src/engines/engine.ts';
import type {Files} from '../../../src/engines/files.ts';
import {createPyodideEngine} from '../../../src/engines/pyodide/pyodide-engine.ts';
import {compose} from '../../../src/service/assistant/compose.ts';
import {referenceAnswer, type LastError} from '../../../src/service/assistant/reference.ts';
import {sessionOptions} from '../../support/session-options.ts';
import {PROJECT, serverWith} from './server.ts';

const engine = createPyodideEngine();
const {lookup} = engine;
afterAll(() => engine.close());

const user = (content: string): Message => ({role: 'user', content});

const ask = async (
	files: Files,
	question: string | readonly Message[],
	lastError: LastError | null = null,
	seesLiveCells = true,
): Promise<string> => {
	const about = {
		files,
		lookup,
		lastError: () => lastError,
		serverName: 'welcome',
		environment: 'ai',
		seesLiveCells,
	};
	// Asks as the second question of a conversation, because the introduction precedes only the
	// first answer.
	const messages =
		typeof question === 'string' ? [user('hi'), {role: 'assistant', content: '…'}, user(question)] : question;
	return compose(messages, about);
};

const jsonError: LastError = {
	ename: 'JSONDecodeError',
	evalue: 'Expecting value: line 1 column 1 (char 0)',
	source: 'from train import load\nload("x")',
	traceback: [
		'Traceback (most recent call last):\n',
		'  File "<cell 2>", line 2, in <module>\n    load("x")\n',
		'  File "/home/user/files/src/train.py", line 7, in load\n    return [loads(line)\n',
		'  File "/lib/python314.zip/json/__init__.py", line 352, in loads\n',
		'json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n',
	],
};

test('the first answer states that this is not a language model, the next ones do not, and help always does', async () => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, [user('what is len')])).toMatch(
		/^I am the built-in reference assistant, not a language model\..*\n\n`len`: built-in function len/,
	);
	expect(await ask(server.files, 'what is len')).not.toContain('language model');
	expect(await ask(server.files, 'help')).toContain('not a language model');
});

test.each(['hello', 'help', '?', 'what can you do?', 'Who are you?', 'are you an AI', ''])(
	"%j is answered with possible questions, by the names of this server's own files",
	async question => {
		await using server = await serverWith(PROJECT);
		const answer = await ask(server.files, question);
		for (const part of [
			'`what is json.loads`',
			'`what is in src/train.py`',
			'`what is in data/prices.csv`',
			'`what is in explore.ipynb`',
			'`explain the last error`',
			'none known so far',
			'packages',
		])
			expect(answer).toContain(part);
	},
);

test.each([
	'what is json.loads',
	'json.loads',
	'help(json.loads)',
	'help json.loads',
	'How do I use json.loads?',
	'explain `json.loads(text)` please',
	'docs for json.loads',
])('%j is answered with its signature and documentation', async question => {
	await using server = await serverWith(PROJECT);
	const answer = await ask(server.files, question);
	expect(answer).toMatch(/^`json\.loads`: function loads in json\. From Python's own documentation:/);
	expect(answer).toMatch(/```python\njson\.loads = loads\(\n? *s,[^`]*object_hook=None,[^`]*\n```/);
	expect(answer).toContain('Deserialize ``s``');
	expect(answer).toMatch(/\d+ more lines: run `help\('json\.loads'\)` in the REPL\./);
});

test('a module, a class and a method are each described by their own parts', async () => {
	await using server = await serverWith({});
	expect(await ask(server.files, 'what is itertools?')).toMatch(
		/^`itertools`: .*module itertools[^]*creating and using iterators[^]*It has .*`chain`.*`count`/,
	);
	const list = await ask(server.files, 'what is a list?');
	expect(list).toMatch(
		/```python\nclass list\(object\)\nlist\(iterable=\(\), \/\)\n```\n\n```text\nBuilt-in mutable sequence\./,
	);
	expect(list).toContain('`append`');
	expect(list).not.toContain('__init__');
	expect(await ask(server.files, 'str.split')).toContain('Return a list of the substrings');
});

test('a question in words is answered by the single name in it that Python knows, with a note on that limit', async () => {
	await using server = await serverWith({});
	const answer = await ask(server.files, 'how do I parse json');
	expect(answer).toMatch(
		/^I cannot answer that question itself, but `json` in it is a name that Python knows\.\n\n`json`: package json/,
	);
});

test('an unknown name and a question beyond lookups are answered honestly, with possible questions', async () => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, 'what is frobnicate.it')).toMatch(
		/^Python on this server has no documentation of `frobnicate\.it`[^]*I can look up:[^]*`what is in src\/train\.py`/,
	);
	expect(await ask(server.files, 'please write me a poem')).toMatch(
		/^I found nothing in that question that I can look up\.\n\nI can look up:/,
	);
});

test.each([
	'explain the last error',
	'what went wrong?',
	'why did it fail',
	'error',
	'I get a JSONDecodeError, why?',
	'why does train.py crash?',
])(
	'%j shows the error, the lines of the cell and of the file it came from, and what its class means',
	async question => {
		await using server = await serverWith(PROJECT);
		const answer = await ask(server.files, question, jsonError);
		expect(answer).toMatch(/^\*\*JSONDecodeError\*\*: `Expecting value: line 1 column 1 \(char 0\)`/);
		expect(answer).toContain(
			'Line 2 of the cell:\n\n```python\n  1  from train import load\n> 2  load("x")\n```',
		);
		expect(answer).toMatch(
			/`src\/train\.py`, line 7 in `load`:\n\n```python\n {3}4 {2}\n[^`]*> {2}7 {6}return \[loads\(line\)\n/,
		);
		expect(answer).toContain(
			"Meaning of `json.decoder.JSONDecodeError` in Python's documentation: Subclass of ValueError",
		);
	},
);

test('an error that code really raised on the embedded engine is traced to the file and line it came from', async () => {
	await using server = await serverWith({...PROJECT, 'train.py': PROJECT['src/train.py']});
	const session = await engine.open(sessionOptions(server.root));
	try {
		const source = 'from train import load\nload("README.md")';
		const {outputs} = await session.run(source, {kernel: 'python3'});
		const error = outputs.find(output => output.output_type === 'error') as unknown as Omit<
			LastError,
			'source'
		>;
		const answer = await ask(server.files, 'explain the last error', {
			ename: error.ename,
			evalue: error.evalue,
			traceback: error.traceback,
			source,
		});
		expect(answer).toMatch(/^\*\*JSONDecodeError\*\*: `Expecting value/);
		expect(answer).toContain('> 2  load("README.md")');
		expect(answer).toMatch(/`train\.py`, line 7 in `load`:/);
		expect(answer).toContain('Meaning of `json.decoder.JSONDecodeError` in');
	} finally {
		await session.close();
	}
});

test("a frame of Python's own library is never taken for a file of the same name on the server", async () => {
	await using server = await serverWith({...PROJECT, 'json/__init__.py': 'mine = 1\n'.repeat(400)});
	expect(await ask(server.files, 'explain the last error', jsonError)).not.toContain('json/__init__.py');
});

test("a traceback in IPython's form, in colours, is read too", async () => {
	await using server = await serverWith(PROJECT);
	const answer = await ask(server.files, 'last error', {
		ename: 'KeyError',
		evalue: "'x'",
		source: 'd = {}\nd["x"]',
		traceback: [
			'\u001B[0;31m-----\u001B[0m',
			'\u001B[0;31mKeyError\u001B[0m     Traceback (most recent call last)',
			'Cell \u001B[0;32mIn[3], line 2\u001B[0m\n\u001B[1;32m      1\u001B[0m d = {}',
			"\u001B[0;31mKeyError\u001B[0m: 'x'",
		],
	});
	expect(answer).toContain('> 2  d["x"]');
	expect(answer).toContain("Meaning of `KeyError` in Python's documentation: Mapping key not found.");
	expect(answer).not.toContain('\u001B');
});

test('a missing module is compared with the installed ones, a missing file with the existing ones', async () => {
	await using server = await serverWith(PROJECT);
	const missing = (ename: string, evalue: string): LastError => ({
		ename,
		evalue,
		traceback: [`${ename}: ${evalue}`],
		source: 'x',
	});
	const {installed} = await lookup.packages();
	const module = await ask(
		server.files,
		'what happened?',
		missing('ModuleNotFoundError', "No module named 'numpy'"),
	);
	expect(module).toContain('`numpy` is not installed on this server.');
	expect(module).toContain(installed[0] ? `\`${installed[0].name}\`` : 'Nothing is installed besides');
	expect(
		await ask(
			server.files,
			'what happened?',
			missing('FileNotFoundError', "[Errno 44] No such file or directory: 'prices.csv'"),
		),
	).toContain('On this server there is `data/prices.csv`.');
	expect(
		await ask(
			server.files,
			'what happened?',
			missing('FileNotFoundError', "[Errno 44] No such file or directory: 'zebra.bin'"),
		),
	).toContain('No file on this server has a name like `zebra.bin`.');
});

test('an error in a block of the message is explained, and one defined by the code itself is not guessed at', async () => {
	await using server = await serverWith(PROJECT);
	const packet =
		'explain this error\n\n```python\nbudget()\n```\n\n```\nTraceback (most recent call last):\n  File "<cell 9>", line 1, in <module>\n__main__.TooExpensive: over by 3\n```\n';
	const answer = await ask(server.files, packet, jsonError);
	expect(answer).toMatch(/^\*\*TooExpensive\*\*: `over by 3`/);
	expect(answer).toContain('documentation says nothing about `TooExpensive`');
	expect(answer).not.toContain('JSONDecodeError');
});

test('without any error the question for it is answered so', async () => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, 'explain the last error')).toBe(
		'No error has been raised on this server since it was started.\n',
	);
});

test('if cells bypass the service, the assistant claims neither that none failed nor to know the last error', async () => {
	await using server = await serverWith(PROJECT);
	const none = await ask(server.files, 'explain the last error', null, false);
	expect(none).toMatch(
		/^No error of this server is known here [^]*live link are not visible here: press `E` on such a cell/,
	);
	const known = await ask(server.files, 'explain the last error', jsonError, false);
	expect(known).toMatch(
		/^\*\*JSONDecodeError\*\*[^]*live link are not visible here: press `E` on such a cell/,
	);
	expect(await ask(server.files, 'explain the last error', jsonError)).not.toContain('live link');
});

test.each(['list the files', 'ls', 'which files are there?', 'what is on this server'])(
	'%j lists the files of the server',
	async question => {
		await using server = await serverWith(PROJECT);
		const answer = await ask(server.files, question);
		expect(answer).toMatch(/^`welcome` has 6 files in 4 folders:/);
		for (const path of Object.keys(PROJECT)) expect(answer).toContain(`- \`${path}\`, `);
		expect(answer).toContain('- `data/`');
	},
);

test('a server without files is reported, and a single folder can be asked for', async () => {
	await using empty = await serverWith({});
	expect(await ask(empty.files, 'list the files')).toBe('There are no files on `welcome` yet.\n');
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, 'show me the data folder')).toBe(
		'The folder `data` holds 1 entry:\n\n- `prices.csv`, 61 bytes\n',
	);
});

test.each([
	'what is in train.py?',
	'explain src/train.py',
	'summarise @src/train.py',
	'TRAIN.PY',
	'which functions does the script have',
])('%j outlines the Python file with line numbers', async question => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, question)).toBe(
		[
			'`src/train.py` is Python: 15 lines, 256 bytes, defines 1 class and 2 functions.',
			'It imports `csv`, `json`.',
			'- line 5: `def load(path)` — Reads rows.\n- line 10: `class Model` — A model.\n- line 14: `def Model.fit(self, rows, *, rate=0.1) -> None`\n',
		].join('\n\n'),
	);
});

test('a function named beside its file, and lines named beside it, are shown unchanged', async () => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, 'why does load() return a list in train.py')).toContain(
		'```python\n  5  def load(path):\n  6      """Reads rows."""\n  7      return [loads(line)\n  8              for line in open(path)]\n```',
	);
	expect(await ask(server.files, 'explain @src/train.py#L2-3')).toBe(
		'Lines 2 to 3 of `src/train.py`, which has 15 lines:\n\n```python\n  2  import csv\n  3  from json import loads\n```\n',
	);
	expect(await ask(server.files, 'train.py:5')).toContain('> 5  def load(path):');
	expect(await ask(server.files, 'line 99 of train.py')).toBe(
		'`src/train.py` has 15 lines, so there is no line 99.\n',
	);
});

test('Python that does not parse gets the reason', async () => {
	await using server = await serverWith({'bad.py': 'def f(:\n'});
	expect(await ask(server.files, 'bad.py')).toMatch(/Python cannot parse it: `invalid syntax.*line 1/);
});

test.each([
	'what is in prices.csv',
	'what is in the csv',
	'describe the table',
	'how many rows does data/prices.csv have?',
	'what columns are in prices',
])('%j lists rows, columns, first rows and the range of each column of numbers', async question => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, question)).toBe(
		[
			'`data/prices.csv` is a table of 3 rows and 3 columns (61 bytes): `city`, `price`, `note`.',
			'First rows:',
			'| city | price | note |\n| --- | --- | --- |\n| Oslo | 2.5 | a, b |\n| Rome | 4 |  |\n| New York | 10.25 | x\\|y |',
			'Columns of numbers:',
			'| column | filled | min | max | mean |\n| --- | --- | --- | --- | --- |\n| price | 3 | 2.5 | 10.25 | 5.58333 |\n',
		].join('\n\n'),
	);
});

test('the other kinds are described by headings, cells, first lines, or kind and size', async () => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, 'what is in the readme')).toBe(
		'`README.md` is a text of 10 lines (72 bytes). Its headings:\n\n- line 1: Welcome\n  - line 5: Start here\n    - line 10: More\n',
	);
	expect(await ask(server.files, 'what is in the notebook')).toMatch(
		/^`explore\.ipynb` is a notebook of 2 cells \(1 markdown, 1 code\), \d+ bytes, for the kernel `python3`\.\n\n1\. markdown: `# Title`\n2\. code: `import csv` \(1 output\)\n$/,
	);
	expect(await ask(server.files, 'what is in übung 1.txt?')).toBe(
		'`notes/übung 1.txt` is a text file of 2 lines (13 bytes).\n\n```text\nfirst\nsecond\n```\n',
	);
	expect(await ask(server.files, 'logo.png')).toBe(
		'`logo.png` is not text: image/png, 5 bytes. I can read text files only.\n',
	);
});

test('a file that is not there is called missing, with the names that are like it', async () => {
	await using server = await serverWith(PROJECT);
	expect(await ask(server.files, 'what is in price.csv')).toBe(
		'`price.csv` is not on this server. There is `data/prices.csv`.\n',
	);
	expect(await ask(server.files, 'what is in zebra.csv')).toContain('`zebra.csv` is not on this server.');
});

test('"that file" is the file of the question before', async () => {
	await using server = await serverWith(PROJECT);
	const answer = await ask(server.files, [
		user('what is in prices.csv'),
		{role: 'assistant', content: 'a table'},
		user('show lines 2-2 of that file'),
	]);
	expect(answer).toContain('`data/prices.csv`');
});

test('installed packages are listed, and a requested one is looked up', async () => {
	await using server = await serverWith(PROJECT);
	const {python, installed} = await lookup.packages();
	const listed = await ask(server.files, 'which packages are installed?');
	expect(listed).toContain(`\`welcome\` runs Python ${python} in the environment \`ai\`.`);
	for (const {name} of installed) expect(listed).toContain(`\`${name}\``);
	expect(await ask(server.files, 'is numpy installed?')).toMatch(/^`numpy` is not installed here/);
	expect(await ask(server.files, 'can I import sqlite3')).toMatch(/^`sqlite3` comes with Python/);
	expect(await ask(server.files, 'pip install pandas')).toContain('I install nothing.');
});

test('attached blocks are not taken for the question, and neither are earlier questions', async () => {
	await using server = await serverWith(PROJECT);
	const attached =
		'what is len\n\n````md\nlist the files, which packages are installed, explain the last error in prices.csv\n```\nhelp\n````\n';
	expect(await ask(server.files, attached, jsonError)).toMatch(/^`len`: built-in function/);
	expect(
		await ask(server.files, [
			user('list the files'),
			{role: 'assistant', content: 'prices.csv'},
			user('what is len'),
		]),
	).toMatch(/^`len`/);
	expect(await ask(server.files, 'what is len\n```\nnever closed: prices.csv')).toMatch(/^`len`/);
});

test('code that is sent without a question is outlined', async () => {
	await using server = await serverWith({});
	expect(await ask(server.files, '```python\nimport os\ndef f(a): pass\n```')).toContain(
		'- line 2: `def f(a)`',
	);
});

test('content that looks like markdown cannot break out of its block', async () => {
	await using server = await serverWith({'a.txt': '```\n# not a heading of the answer\n````\n'});
	expect(await ask(server.files, 'a.txt')).toContain(
		'`````text\n```\n# not a heading of the answer\n````\n`````',
	);
});

test('a closed folder, a link outside and a deep tree do not stop the answer', async () => {
	await using server = await serverWith({'a/b/c/d/e/f/g/deep.txt': 'x', 'top.txt': 'x'});
	await symlink('/etc/passwd', join(server.root, 'passwd.txt'));
	await mkdir(join(server.root, 'closed'));
	await chmod(join(server.root, 'closed'), 0);
	expect(await ask(server.files, 'list the files')).toContain('as far as I looked');
	expect(await ask(server.files, 'what is in passwd.txt')).toMatch(
		/^`passwd\.txt` cannot be read: .*links are not followed/,
	);
	await chmod(join(server.root, 'closed'), 0o700);
});

test('the answer arrives word by word, and stops at once when cancelled', async () => {
	await using server = await serverWith(PROJECT);
	const stop = new AbortController();
	const about = {
		files: server.files,
		lookup,
		lastError: () => null,
		seesLiveCells: true,
		serverName: 'welcome',
		environment: 'ai',
	};
	let whole = '';
	for await (const word of referenceAnswer([user('list the files')], about, new AbortController().signal)) {
		expect(word).toMatch(/^\S+\s*$/);
		whole += word;
	}
	expect(whole).toBe(await compose([user('list the files')], about));
	const words: string[] = [];
	for await (const word of referenceAnswer([user('list the files')], about, stop.signal)) {
		words.push(word);
		if (words.length === 5) stop.abort();
	}
	expect(words.join('')).toBe('I am the built-in reference ');
});

test('an answer given up while its look-up hangs ends without waiting for it', async () => {
	await using server = await serverWith(PROJECT);
	const stop = new AbortController();
	const asked = Promise.withResolvers<void>();
	const hanging: Lookup = {
		...lookup,
		pydoc: () => {
			asked.resolve();
			return new Promise(() => undefined);
		},
	};
	const words = referenceAnswer(
		[user('what is len')],
		{
			files: server.files,
			lookup: hanging,
			lastError: () => null,
			seesLiveCells: true,
			serverName: 'welcome',
			environment: 'ai',
		},
		stop.signal,
	);
	const next = words.next();
	await asked.promise;
	stop.abort();
	expect(await next).toEqual({done: true, value: undefined});
});

test('a look-up that fails is not hidden from the service', async () => {
	await using server = await serverWith(PROJECT);
	const failing: Lookup = {...lookup, pydoc: () => Promise.reject(new Error('the look-up process ended'))};
	const words = referenceAnswer(
		[user('what is len')],
		{
			files: server.files,
			lookup: failing,
			lastError: () => null,
			seesLiveCells: true,
			serverName: 'welcome',
			environment: 'ai',
		},
		new AbortController().signal,
	);
	await expect(words.next()).rejects.toThrow('the look-up process ended');
});
