// @module-tag long
import {mkdir, readFile, readdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {SUMMARY_REQUEST} from '../../src/text/summary-request.ts';
import {startModelServer, type ModelServer, type ModelStream} from '../support/model-server.ts';
import {pressAction} from '../support/press-action.ts';
import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import {ask, openAssistant, openRepl, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 120, rows: 40};

/** Configures a model in slot 2 of the local service. */
const withModel = async (
	home: Home,
	answer: (stream: ModelStream) => Promise<void>,
): Promise<ModelServer> => {
	const server = await startModelServer(answer);
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true});
	await writeFile(
		join(folder, 'models.json'),
		JSON.stringify({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}),
	);
	return server;
};

const saying =
	(text: string) =>
	async (stream: ModelStream): Promise<void> => {
		for (const [part] of text.matchAll(/[^]{1,5}/gu)) await stream.text(part);
		await stream.finish();
		await stream.usage(812, 64);
		await stream.done();
	};

const CODE = '# made.py\n\tdata = """tab and  spaces  \n"""\nprint(6 * 7)\n';
const ANSWER = `Use **this**:\n\n\`\`\`python\nprint("first", 1 + 1)\n\`\`\`\n\nor\n\n\`\`\`python\n${CODE}\`\`\`\n`;

const lastMessage = (server: ModelServer): string => server.asked.at(-1)?.body.messages.at(-1)?.content ?? '';

test('chosen lines of a file are included in the question, and the message context shows them before', async () => {
	await using home = await newHome();
	await using model = await withModel(home, saying('I see.'));
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	terminal.type('what does @pric');
	await terminal.until(/@src\/prices\.py +1\.1 K/);
	terminal.type('es.p');
	await terminal.until(/ {3}@src\/prices\.py [^]*› what does @prices\.p/);
	pressAction(terminal, 'suggest', 'accept');
	await terminal.until('what does @src/prices.py');
	terminal.type('#L1-3 do?');
	await terminal.until(/with @src\/prices\.py#L1-3 \d+ B/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('812 in · 64 out');
	const file = await runCommand(['files', 'get', 'welcome', 'src/prices.py'], {home});
	expect(lastMessage(model)).toContain(
		`what does @src/prices.py#L1-3 do?\n\nLines 1 to 3 of the file src/prices.py:\n\`\`\`python\n${file.stdout.split('\n').slice(0, 3).join('\n')}\n\`\`\``,
	);
});

test("the server's AGENTS.md is shown before a question takes it along, and can be left out", async () => {
	await using home = await newHome();
	await using model = await withModel(home, saying('I see.'));
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	const write = async (text: string): Promise<void> => {
		const code = `open("AGENTS.md", "w").write(${JSON.stringify(text)})`;
		expect(await runCommand(['run', 'welcome', '-c', code], {home})).toMatchObject({code: 0});
	};
	await write('Use polars.\n');
	await openAssistant(terminal);
	terminal.type('first');
	await terminal.until(/with AGENTS\.md \d+ B, shown first/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Send AGENTS\.md too\?[^]*Use polars\./);
	pressAction(terminal, 'context', 'close');
	await terminal.until(/with AGENTS\.md \d+ B, shown first[^]*› first/);
	expect(model.asked).toEqual([]);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Send AGENTS.md too?');
	pressAction(terminal, 'context', 'carry');
	await terminal.until('812 in · 64 out');
	expect(lastMessage(model)).toContain('Use polars.');
	await write('Use pandas.\n');
	terminal.type('second');
	await terminal.until(/with AGENTS\.md \d+ B, changed, shown first/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Send AGENTS\.md too\? It has changed\.[^]*Use pandas\./);
	pressAction(terminal, 'context', 'without');
	await terminal.until(/812 in · 64 out[^]*812 in · 64 out/);
	expect(lastMessage(model)).toBe('second');
});

test('/compact sends a summary in place of the turns before, which /edit changes', async () => {
	await using home = await newHome();
	await using model = await withModel(home, saying('The goal is 42.'));
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'one');
	await terminal.until('1 turn · 876 tokens carried');
	ask(terminal, '/compact');
	await terminal.until('sent instead of all earlier turns');
	ask(terminal, '/edit');
	await terminal.until(/editing the summary[^]*› The goal is 42\./);
	ask(terminal, ' Or 43.');
	await terminal.until('The goal is 42. Or 43.');
	ask(terminal, 'two');
	await terminal.until(/› two[^]*812 in · 64 out/);
	expect(
		model.asked
			.at(-1)
			?.body.messages.slice(1)
			.map(({content}) => content),
	).toEqual([SUMMARY_REQUEST, 'The goal is 42. Or 43.', 'two']);
});

test('a question that mentions a missing file is held back with a notice; sent again it goes unchanged', async () => {
	await using home = await newHome();
	await using model = await withModel(home, saying('Hello.'));
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'read @nothing/here.py please');
	const refused = await terminal.until('Not sent.');
	expect(refused).toContain('› read @nothing/here.py please');
	expect(model.asked).toEqual([]);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('812 in ·');
	expect(lastMessage(model)).toBe('read @nothing/here.py please');
});

test('an item of the message context is removed with a key', async () => {
	await using home = await newHome();
	await using model = await withModel(home, saying('Hello.'));
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, '1/0');
	await terminal.until('ZeroDivisionError: division by zero');
	await openAssistant(terminal);
	terminal.type('why? @error and @README.md here');
	await terminal.until(/with @error \d+ B +@README\.md 1\.\d K/);
	pressAction(terminal, 'assistant', 'tray');
	await terminal.until('Attached to the next question');
	terminal.type('READ');
	await terminal.until(/› READ[^]* @README\.md/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('› why? @error and here');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('812 in ·');
	expect(lastMessage(model)).toContain('ZeroDivisionError: division by zero');
	expect(lastMessage(model)).not.toContain('README.md');
});

test(
	'code of an answer is copied to the byte, run here with its result below the answer, and written through a diff',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using _ = await withModel(home, saying(ANSWER));
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		terminal.type('half typed');
		await openAssistant(terminal);
		ask(terminal, 'show me');
		await terminal.until('812 in ·');
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until(/python +y copy {3}r run {3}w write {3}a to REPL\s+│ # made\.py/);
		pressAction(terminal, 'turns', 'copyBlock');
		await terminal.until('The code was sent to the terminal; if nothing arrived');
		expect(terminal.events.clipboard).toEqual([`c;${Buffer.from(CODE).toString('base64')}`]);

		pressAction(terminal, 'turns', 'previousBlock');
		await terminal.until(/y copy {3}r run {3}w write {3}a to REPL\s+│ print\("first"/);
		pressAction(terminal, 'turns', 'runBlock');
		await terminal.until(/Assistant · welcome[^]*→ In \[\d+\] +[\d.]+ s\n +first 2$/m);

		pressAction(terminal, 'turns', 'nextBlock');
		pressAction(terminal, 'turns', 'writeBlock');
		await terminal.until(/Write the code to which file[^]*› made\.py/);
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/made\.py[^]*This file is new\.[^]*\+ print\(6 \* 7\)/);
		pressAction(terminal, 'writing', 'save');
		await terminal.until('made.py is saved');
		expect((await runCommand(['files', 'get', 'welcome', 'made.py'], {home})).stdout).toBe(CODE);

		pressAction(terminal, 'turns', 'putBlock');
		const repl = await terminal.until(/>>> half typed[^]*print\(6 \* 7\)/);
		expect(repl).toContain('first 2');
	},
);

test('a place in a file that an answer names is opened by a key, and the answer is a key away; code that has come whole has colours', async () => {
	await using home = await newHome();
	await using _ = await withModel(
		home,
		saying(
			'It is `src/prices.py:9`, called as in [the notes](README.md):\n\n```python\nimport prices\n```\n',
		),
	);
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	let written = '';
	terminal.onOutput(chunk => {
		written += chunk;
	});
	ask(terminal, 'where is it read?');
	await terminal.until('812 in ·');
	await terminal.untilTrue('the keyword in colour', () =>
		/\u001B\[95mimport\u001B\[39m prices/.test(written),
	);
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until(/⏎ ask +y copy/);
	pressAction(terminal, 'turns', 'place');
	await terminal.until(/Open a file at[^]* src\/prices\.py:9[^]* README\.md/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/src\/prices\.py[^]*▸ *9 /);
	await terminal.until('m mark lines');
	pressAction(terminal, 'global', 'lastView');
	await terminal.until(/⏎ ask +y copy/);
	await terminal.until('where is it read?');
});

test('a long paste becomes a chip that opens in place, sends nothing, and goes to the assistant whole', async () => {
	await using home = await newHome();
	await using model = await withModel(home, saying('Long.'));
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	const pasted = Array.from({length: 30}, (_, line) => `row ${line}`).join('\n');
	terminal.type('sum this: ');
	await terminal.until('sum this:');
	terminal.paste(`${pasted}\n`);
	await terminal.until(/sum this: \[30 lines, \d+ B: row 0\]/);
	expect(terminal.screen()).not.toContain('row 29');
	pressAction(terminal, 'assistant', 'fold');
	await terminal.until('row 29');
	expect(model.asked).toEqual([]);
	terminal.type('thanks');
	await terminal.until('thanks');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('812 in ·');
	expect(lastMessage(model)).toBe(`sum this: ${pasted}\nthanks`);
});

test('a question is retried, edited and sent to another model; the replaced answer is not sent again', async () => {
	await using home = await newHome();
	await using model = await withModel(home, async stream =>
		saying(`answer ${stream.asked.body.messages.length}`)(stream),
	);
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'first words');
	await terminal.until('812 in ·');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('R ask again');
	pressAction(terminal, 'turns', 'retry');
	await terminal.until(/asked again below; no longer sent[^]*812 in ·/);
	await terminal.gone('answering');
	expect(model.asked.at(-1)?.body.messages.filter(({role}) => role !== 'system')).toEqual([
		{role: 'user', content: 'first words'},
	]);
	pressAction(terminal, 'turns', 'editQuestion');
	await terminal.until(/editing the last question[^]*› first words/);
	ask(terminal, ' and more');
	await terminal.untilTrue('a third question', () => model.asked.length === 3);
	await terminal.gone('answering');
	expect(lastMessage(model)).toBe('first words and more');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('R ask again');
	pressAction(terminal, 'turns', 'retryWith');
	// The service's name for its model, and the ids of the other models.
	await terminal.until(/Ask again with[^]*■ tiny +model_2[^]*□ model_3/);
	terminal.type('model_4');
	await terminal.until(/ □ model_4/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('model_4 · tokens unknown');
});

test('killed in the middle of an answer, the program has the conversation when it starts again, and its files are for the user alone', async () => {
	await using home = await newHome();
	await using _ = await withModel(home, async stream => {
		if (stream.asked.body.messages.at(-1)?.content === 'first') return saying('A whole **answer**.')(stream);
		await stream.text('The beginning of ');
		// The part received so far is on disk a second later.
		stream.beat(`data: ${JSON.stringify({choices: [{delta: {content: 'more and '}}]})}\n\n`);
	});
	const folder = join(home.folder, '.local/state/svc-tui/conversations');
	const saved = async (): Promise<readonly string[]> => {
		const names = (await readdir(folder, {recursive: true}).catch(() => [])).filter(name =>
			name.endsWith('.json'),
		);
		return Promise.all(names.map(async name => readFile(join(folder, name), 'utf8')));
	};
	{
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openAssistant(terminal);
		ask(terminal, 'first');
		await terminal.until('812 in ·');
		ask(terminal, 'second');
		await terminal.until(/ The beginning of more/);
		await expect.poll(saved, {timeout: 60_000}).toEqual([expect.stringContaining('The beginning of more')]);
		terminal.kill('SIGKILL');
		await terminal.exit;
	}
	for (const name of await readdir(folder, {recursive: true})) {
		const {mode} = await stat(join(folder, name));
		expect(mode & 0o077).toBe(0);
	}
	expect((await saved()).join('')).not.toMatch(/apiKey|Bearer/);
	// The local service ends a second after the program. A program started before that would use
	// it, with this server.
	await untilNoProcessUses(home.folder);
	await using terminal = await openProgram({home, ...SIZE, args: ['--fresh']});
	await startWelcome(terminal);
	await openAssistant(terminal);
	await terminal.until(
		/more and more[^]*the program ended before the answer did; the[^]*part received is kept/,
	);
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('R ask again');
	pressAction(terminal, 'turns', 'first');
	await terminal.until(/› first[^]*A whole answer\.[^]*› second[^]*The beginning of more and/);
	pressAction(terminal, 'turns', 'edit');
	await terminal.until('^J new line');
	ask(terminal, 'first');
	await terminal.until(/› first[^]*A whole answer\.[^]*812 in ·/);
});

test(
	'conversations are started, resumed, copied, exported and deleted by commands behind /',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using _ = await withModel(home, async stream =>
			saying(`You said ${stream.asked.body.messages.at(-1)?.content ?? ''}.`)(stream),
		);
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openAssistant(terminal);
		ask(terminal, 'apples');
		await terminal.until('You said apples.');
		await terminal.gone('answering');
		ask(terminal, '/new');
		await terminal.gone('You said apples.');
		ask(terminal, 'pears');
		await terminal.until('You said pears.');
		await terminal.gone('answering');
		terminal.type('/res');
		await terminal.until(/ {3}\/resume/);
		pressAction(terminal, 'suggest', 'accept');
		await terminal.until(/Conversations 2[^]*pears +1 turn[^]*apples +1 turn/);
		terminal.type('apples');
		await terminal.until(/› apples/);
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until('You said apples.');
		ask(terminal, '/fork');
		await terminal.until('This is a copy: new questions');
		ask(terminal, 'plums');
		await terminal.until('You said plums.');
		await terminal.gone('answering');
		ask(terminal, '/export talk.md');
		await terminal.until('The conversation is in');
		expect(await readFile(join(home.folder, 'talk.md'), 'utf8')).toMatch(
			/## apples[^]*You said apples\.[^]*## plums[^]*You said plums\./,
		);
		ask(terminal, '/delete');
		await terminal.until('Delete this conversation?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('The conversation is deleted');
		ask(terminal, '/resume');
		await terminal.until(/Conversations 2/);
		expect(terminal.screen()).not.toContain('2 turns');
	},
);
